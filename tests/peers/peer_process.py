# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""A peer that runs in a folder of its own for as long as a test needs it."""

import os
import shutil
import socket
import subprocess
import tempfile
import time

READY_S = 20


def free_port():
    """A TCP port of loopback that was free just now."""
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def connect(path, timeout=60):
    """A connection to a socket in the file system, where no port can clash."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(timeout)
    try:
        connection.connect(path)
    except BaseException:
        connection.close()
        raise
    return connection


class PeerProcess:
    """Runs args in the foreground, in `folder`, as

        with PeerProcess(args, folder, socket_path): ...

    and returns once it listens on the socket. It ends with the block, and also
    where this process is killed."""

    def __init__(self, args, folder, socket_path):
        self.args = args
        self.folder = folder
        self.socket_path = socket_path

    def __enter__(self):
        setpriv = shutil.which('setpriv')
        tied = [setpriv, '--pdeathsig', 'KILL', '--'] if setpriv else []
        with open(self.log_path, 'wb') as log:
            self.process = subprocess.Popen(
                tied + self.args, cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=log, stderr=subprocess.STDOUT)
        try:
            self.wait_until_ready()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    @property
    def log_path(self):
        return os.path.join(self.folder, 'output.log')

    def log(self):
        with open(self.log_path, 'rb') as log:
            return log.read().decode(errors='replace')[-2000:]

    def wait_until_ready(self):
        deadline = time.monotonic() + READY_S
        while True:
            try:
                return connect(self.socket_path).close()
            except OSError:
                pass
            if self.process.poll() is not None:
                raise AssertionError('%s ended: %s' % (self.args, self.log()))
            if time.monotonic() > deadline:
                raise AssertionError('%s does not listen after %d s: %s' % (
                    self.args, READY_S, self.log()))
            time.sleep(0.01)

    def end(self):
        # Nothing of it is to be kept: there is no need to let it finish.
        self.process.kill()
        self.process.wait()


class Folder(tempfile.TemporaryDirectory):
    """A folder whose path leaves room for the name of a socket, of which a
    path has 107 bytes at most."""

    def __init__(self):
        super().__init__(prefix='cw-', dir='/tmp')

    def path(self, name):
        return os.path.join(self.name, name)

    def write(self, name, text):
        with open(self.path(name), 'w') as file:
            file.write(text)
        return self.path(name)

    def __enter__(self):
        super().__enter__()
        return self
