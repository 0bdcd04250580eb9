# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""What the tests of the command share."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

COMMAND = 'clockwise'
OK, REFUSED, MISUSE, ALARM = 0, 1, 2, 3


def run(*args, stdin=b'', **kwargs):
    return subprocess.run([COMMAND, *args], input=stdin, capture_output=True,
                          timeout=120, **kwargs)


def main():
    """Runs the tests of the calling file with the command that it was given."""
    global COMMAND
    if len(sys.argv) < 2:
        sys.exit('usage: %s PATH_OF_THE_COMMAND' % sys.argv[0])
    COMMAND = os.path.abspath(sys.argv.pop(1))
    unittest.main()


def has_matplotlib():
    """Whether one of the pythons that clockwise-plot takes has it."""
    return any(shutil.which(python) and
               subprocess.run([python, '-c', 'import matplotlib'],
                              capture_output=True).returncode == 0
               for python in ('python3', '/usr/bin/python3'))


def members(*nodes, **fields):
    """A members file as an object; a node may be given by its id alone."""
    nodes = [{'id': node} if isinstance(node, str) else node for node in nodes]
    return {'schema': 1, **fields, 'nodes': nodes}


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def need_matplotlib(self):
        if has_matplotlib():
            return
        if os.environ.get('CLOCKWISE_PICTURES_REQUIRED') == '1':
            self.fail('python3-matplotlib is missing')
        self.skipTest('python3-matplotlib is missing')

    def draw(self, *args):
        """Runs the command with --picture, and returns the picture."""
        self.need_matplotlib()
        path = self.path('drawn.svg')
        self.ok(*args, '--picture', path)
        with open(path, 'rb') as file:
            picture = file.read()
        os.remove(path)
        self.assertIn(b'<svg', picture)
        return picture

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, content, name='members.json'):
        if isinstance(content, dict):
            content = json.dumps(content)
        if isinstance(content, str):
            content = content.encode()
        with open(self.path(name), 'wb') as file:
            file.write(content)
        return self.path(name)

    def ok(self, *args, code=OK, **kwargs):
        """Runs the command, which must succeed, and returns its output."""
        result = run(*args, **kwargs)
        self.assertEqual(result.returncode, code, result.stderr.decode())
        self.assertEqual(result.stderr, b'')
        return result.stdout

    def refused(self, *args, code=REFUSED, says=(), **kwargs):
        """Runs the command, which must fail and write no result."""
        result = run(*args, **kwargs)
        message = result.stderr.decode()
        self.assertEqual(result.returncode, code, (args, message))
        self.assertEqual(result.stdout, b'', args)
        name = re.escape(os.path.basename(COMMAND))
        self.assertRegex(message, r'\A%s: [^\n]+\n\Z' % name)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, message)
        return message

    def refused_members(self, content, *says):
        path = self.write(content)
        return self.refused('digest', '-m', path, says=(path, *says))

    def digest(self, content):
        return self.ok('digest', '-m', self.write(content)).decode()
