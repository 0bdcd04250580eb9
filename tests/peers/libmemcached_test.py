# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""libmemcached itself against ours: each distribution that we have, and each
key hash that Debian's build has (all but hsieh). No server is contacted."""

import json
import subprocess
import sys

import peer_case
import random_members
from peer_case import KEYS, Membership, PeerCase

TOOL = None  # libmemcached_owners, where there is libmemcached
HASHES = ('default', 'md5', 'crc', 'fnv1_64', 'fnv1a_64', 'fnv1_32',
          'fnv1a_32', 'murmur', 'jenkins', 'murmur3')


def address(rng):
    """(host, port); a path has port 0."""
    kind = rng.random()
    if kind < 0.1:
        return '/run/%s.sock' % random_members.name(rng), 0
    if kind < 0.2:
        return '2001:db8::%x' % rng.getrandbits(16), random_members.port(rng)
    if kind < 0.5:
        return random_members.host_name(rng), random_members.port(rng)
    return random_members.loopback(rng), random_members.port(rng)


def node(rng, at, name):
    """The address is in the id, or beside it."""
    host, port = at
    if rng.random() < 0.5:
        return {'id': name, 'params': {'host': host, 'port': str(port)}}
    if port == 0:
        return {'id': host}
    return {'id': ('[%s]:%d' if ':' in host else '%s:%d') % at}


def membership(scheme, distribution, rng, number):
    count = rng.randint(1, 40)
    addresses = random_members.distinct(rng, count, address)
    names = random_members.distinct(rng, count, random_members.name)
    nodes = [node(rng, at, n) for at, n in zip(addresses, names)]
    is_weighted = distribution.endswith('-weighted')
    weights = (random_members.weights(rng, count, 100) if is_weighted
               else [1] * count)
    for one, weight in zip(nodes, weights):
        one['weight'] = weight
    params = {'hash': HASHES[number % len(HASHES)]}
    if distribution == 'ketama-spy-weighted':
        params['weighted'] = 'true'
    made = Membership(number, {'scheme': scheme, 'params': params}, nodes,
                      random_members.byte_keys(rng, KEYS))
    made.peers_text = json.dumps(request(made, distribution, addresses))
    return made


def request(members, distribution, addresses):
    return {'distribution': distribution,
            'hash': members.members['ring']['params']['hash'],
            'servers': [{'host': host, 'port': port, 'weight': n['weight']}
                        for (host, port), n in zip(addresses, members.nodes)]}


class LibmemcachedTest(PeerCase):
    def check(self, scheme, distribution):
        if TOOL is None:
            self.skipTest('no libmemcached when this was built '
                          '(Debian: libmemcached-dev)')
        self.compare_all(
            self.memberships(scheme, lambda rng, number: membership(
                scheme, distribution, rng, number)), self.owners)

    def owners(self, members):
        keys = [key.hex() for key in members.keys]
        line = json.dumps({**json.loads(members.peers_text), 'keys': keys})
        result = subprocess.run([TOOL], input=line.encode(),
                                capture_output=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return [members.nodes[int(i)]['id'] for i in result.stdout.split()]

    def test_ketama(self):
        self.check('libmemcached-ketama', 'ketama')

    def test_ketama_weighted(self):
        self.check('libmemcached-ketama-weighted', 'ketama-weighted')

    def test_ketama_spy(self):
        self.check('libmemcached-ketama-spy', 'ketama-spy')

    def test_ketama_spy_weighted(self):
        self.check('libmemcached-ketama-spy', 'ketama-spy-weighted')

    def test_modula(self):
        self.check('libmemcached-modula', 'modula')


if __name__ == '__main__':
    TOOL = sys.argv[2] if len(sys.argv) > 2 else None
    peer_case.main()
