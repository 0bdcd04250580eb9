# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""What the tests against running peers share: random memberships and keys go to
a peer and to the command, and every owner is compared."""

import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import cli_case  # noqa: E402

MEMBERSHIPS = 24
KEYS = 1000
SEED_VARIABLE = 'CLOCKWISE_PEERS_SEED'
REQUIRED_VARIABLE = 'CLOCKWISE_PEERS_REQUIRED'
SEED = os.environ.get(SEED_VARIABLE, '1')
SKIPPED = 77
SHOWN = 3  # differences of a membership that are printed


class Membership:
    """Who is there, for us and for the peer, and the keys to ask for."""

    def __init__(self, number, ring, nodes, keys):
        self.number = number
        self.members = cli_case.members(*nodes, ring=ring)
        self.nodes = nodes
        self.keys = keys
        self.peers_text = ''  # how the peer was told

    @property
    def scheme(self):
        return self.members['ring']['scheme']


def our_owners(membership):
    """The ids of the owners, as the command finds them."""
    with tempfile.NamedTemporaryFile('w', suffix='.json') as file:
        json.dump(membership.members, file)
        file.flush()
        result = cli_case.run('route', '-0', '--json', '-m', file.name,
                              stdin=b''.join(k + b'\0' for k in
                                             membership.keys))
    if result.returncode != cli_case.OK:
        raise AssertionError(result.stderr.decode())
    return [json.loads(line)['owner'] for line in result.stdout.splitlines()]


class PeerCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        result = cli_case.run('schemes', '--json')
        cls.schemes = {s['id'] for s in json.loads(result.stdout)}

    def need_scheme(self, scheme):
        if scheme not in self.schemes:
            self.skipTest('this command has no scheme %s' % scheme)

    def need_program(self, program, package):
        """The program's path. Services are in sbin, which users' PATHs lack."""
        path = shutil.which(program, path=os.environ.get('PATH', '') +
                            ':/usr/local/sbin:/usr/sbin:/sbin')
        if path is None:
            self.skipTest('no %s on this machine (Debian: %s)'
                          % (program, package))
        return path

    def memberships(self, scheme, make):
        """Calls make(rng, number), each with random numbers of its own, so that
        one membership does not change those after it."""
        self.need_scheme(scheme)
        return [make(random.Random('%s/%s/%d' % (SEED, scheme, number)), number)
                for number in range(MEMBERSHIPS)]

    def compare(self, membership, owners):
        """Holds what the peer chose against what we do."""
        ours = our_owners(membership)
        self.assertEqual(len(owners), len(membership.keys), 'answers of peer')
        self.assertEqual(len(ours), len(membership.keys), 'answers of ours')
        unlike = [(key, theirs, own)
                  for key, theirs, own in zip(membership.keys, owners, ours)
                  if theirs != own]
        if not unlike:
            return
        lines = ['%s: %d of %d keys differ, membership %d, %s=%s'
                 % (membership.scheme, len(unlike), len(owners),
                    membership.number, SEED_VARIABLE, SEED)]
        lines += ['key %s (hex): peer %r, ours %r' % (key.hex(), theirs, own)
                  for key, theirs, own in unlike[:SHOWN]]
        lines += ['ours: ' + json.dumps(membership.members),
                  'peer: ' + membership.peers_text]
        self.fail('\n'.join(lines))

    def compare_all(self, memberships, owners_of):
        """`owners_of(membership)` asks the peer."""
        begin = time.monotonic()
        for membership in memberships:
            with self.subTest(membership=membership.number):
                self.compare(membership, owners_of(membership))
        keys = [len(m.keys) for m in memberships]
        self.assertGreaterEqual(len(keys), 20)
        self.assertGreaterEqual(min(keys), 1000)
        print('%s: %d memberships, %d keys, %.1f s' % (
            memberships[0].scheme, len(keys), sum(keys),
            time.monotonic() - begin), flush=True)


def interrupt(*_):
    # Unlike other exceptions it ends the run, and each `with` ends its peer.
    raise KeyboardInterrupt


def main():
    """Runs the tests of the calling file: FILE PATH_OF_THE_COMMAND [TOOL]."""
    if len(sys.argv) < 2:
        sys.exit('usage: %s PATH_OF_THE_COMMAND [TOOL]' % sys.argv[0])
    cli_case.COMMAND = os.path.abspath(sys.argv.pop(1))
    signal.signal(signal.SIGTERM, interrupt)
    result = unittest.main(exit=False, argv=sys.argv[:1]).result
    for test, reason in result.skipped:
        print('skipped: %s: %s' % (test.id().split('.')[-1], reason))
    if not result.wasSuccessful():
        sys.exit(1)
    if result.skipped and os.environ.get(REQUIRED_VARIABLE):
        sys.exit('%s is set, and tests were skipped' % REQUIRED_VARIABLE)
    if len(result.skipped) == result.testsRun:
        sys.exit(SKIPPED)
