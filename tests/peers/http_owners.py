# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Asks a proxy over HTTP which server it chose for each key.

The servers need not be there: the proxy chooses one, is refused the connection
and answers with an error. Its header X-Owner has the choice all the same."""

import peer_process

# Requests on the way at a time. Their answers fit the buffers of a socket, so
# that neither side waits for the other to read.
BATCH = 50


def request(path, key):
    return (b'GET %s HTTP/1.1\r\nHost: peer\r\nX-Key: %s\r\n\r\n'
            % (path.encode(), key))


def read_owner(stream):
    """The X-Owner of the next answer."""
    owner, size = None, 0
    for line in iter(stream.readline, b'\r\n'):
        name, colon, value = line.partition(b':')
        if name.lower() == b'x-owner':
            owner = value.strip().decode()
        elif name.lower() == b'content-length':
            size = int(value)
        elif not line:
            raise AssertionError('the proxy closed the connection')
        elif not colon and not line.startswith(b'HTTP/1.1 50'):
            raise AssertionError('the proxy answered %r' % line)
    stream.read(size)
    return owner


def http_owners(socket_path, path, keys):
    owners = []
    with peer_process.connect(socket_path) as connection, \
            connection.makefile('rb') as stream:
        for first in range(0, len(keys), BATCH):
            some = keys[first:first + BATCH]
            connection.sendall(b''.join(request(path, key) for key in some))
            owners += [read_owner(stream) for _ in some]
    return owners
