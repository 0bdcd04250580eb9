# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Random servers, weights and keys. `rng` is a random.Random."""

import string

MEMCACHED_PORT = 11211
PRINTABLE = bytes(range(0x21, 0x7f))
NAME = string.ascii_lowercase + string.digits


def name(rng):
    return ''.join(rng.choices(NAME, k=rng.randint(1, 24)))


def host_name(rng):
    return '.'.join(name(rng) for _ in range(rng.randint(1, 3)))


def loopback(rng):
    """An address of this machine; 127.0.0.0/8 is all of it."""
    return '127.%d.%d.%d' % (rng.randint(0, 255), rng.randint(0, 255),
                             rng.randint(1, 254))


def closed_port(rng):
    """A port that connections do not come from: one to an address of this
    machine might otherwise be given the very port that it asks for, and talk to
    itself."""
    return rng.randint(1024, 32767)


def port(rng):
    """Memcached's own as often as any other: peers leave that one out."""
    return MEMCACHED_PORT if rng.random() < 0.5 else closed_port(rng)


def distinct(rng, count, make):
    """`count` of make(rng) of which no two are equal, in the order made."""
    found = {}
    while len(found) < count:
        found[make(rng)] = None
    return list(found)


def weights(rng, count, most):
    """All equal, small ones, or any up to `most`; one at least is not 0."""
    least, largest = rng.choice(((1, 1), (1, 4), (1, most), (0, most)))
    drawn = [rng.randint(least, largest) for _ in range(count)]
    drawn[rng.randrange(count)] = rng.randint(1, largest)
    return drawn


def text_keys(rng, count, without=b''):
    """Keys that survive as the value of a header: no control characters, and
    no spaces at the ends. One in eight has bytes that are not ASCII."""
    ends = PRINTABLE.translate(None, without)
    ascii_inside = ends + b' '
    any_inside = ascii_inside + bytes(range(0x80, 0x100))
    keys = []
    for _ in range(count):
        inside = any_inside if rng.random() < 1 / 8 else ascii_inside
        size = rng.randint(1, 100)
        key = bytes(rng.choices(inside, k=size))
        keys.append((bytes([rng.choice(ends)]) + key +
                     bytes([rng.choice(ends)]))[:size].rstrip())
    return keys


def byte_keys(rng, count, frequent=b''):
    """Keys of any bytes but NUL, which ends a key on the way to the command;
    also the empty one. Half are text, where `frequent` comes often."""
    text = PRINTABLE + frequent * 8
    everything = bytes(range(1, 0x100))
    return [bytes(rng.choices(text if rng.random() < 0.5 else everything,
                              k=rng.randint(0, 100))) for _ in range(count)]
