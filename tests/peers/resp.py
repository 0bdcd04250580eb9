# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""The protocol of Redis, as far as asking for keys needs it."""

import peer_process

GET = b'*2\r\n$3\r\nget\r\n$'

# As in http_owners: more could make both sides wait for the other to read.
BATCH = 200


def request(key):
    return b'%s%d\r\n%s\r\n' % (GET, len(key), key)


def read_answer(stream):
    """One answer: a value, None for no value, or the line of an error."""
    line = stream.readline()
    if line.startswith(b'-'):
        return line.rstrip()
    if not line.startswith(b'$'):
        raise AssertionError('the peer answered %r' % line)
    size = int(line[1:])
    return None if size < 0 else stream.read(size + 2)[:-2]


def answers(socket_path, keys):
    """The answer to GET of each key."""
    found = []
    with peer_process.connect(socket_path) as connection, \
            connection.makefile('rb') as stream:
        for first in range(0, len(keys), BATCH):
            some = keys[first:first + BATCH]
            connection.sendall(b''.join(request(key) for key in some))
            found += [read_answer(stream) for _ in some]
    return found


def take_requests(buffer):
    """Takes whole requests off a bytearray, and returns how many."""
    count, at = 0, 0
    while (end := buffer.find(b'\r\n', at + len(GET))) >= 0:
        if not buffer.startswith(GET, at):
            raise AssertionError('not a GET: %r' % bytes(buffer[at:at + 80]))
        after = end + 2 + int(buffer[at + len(GET):end]) + 2
        if after > len(buffer):
            break
        count, at = count + 1, after
    del buffer[:at]
    return count
