# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""A running HAProxy against ours: `hash-type consistent` and `map-based`."""

import peer_case
import random_members
from http_owners import http_owners
from peer_case import KEYS, Membership, PeerCase
from peer_process import Folder, PeerProcess

GLOBAL = '''\
global
  maxconn 100
  nbthread 1
defaults
  mode http
  timeout client 60s
  timeout server 60s
  timeout connect 5s
  retries 0
'''
LISTEN = '''\
listen m{number}
  bind unix@{folder}/m{number}.sock
  balance hdr(x-key)
  hash-type {hash_type}
  http-after-response set-header x-owner %s
{servers}
'''
FUNCTIONS = ('', ' sdbm', ' djb2', ' wt6', ' crc32')
MAX_ID = 2 ** 31 - 1
IDS_MODULO = 2 ** 20  # ids equal modulo this share their points


def hash_type(method, number):
    """Each function, with and without avalanche, in turn; none named means
    another one, with its own avalanche."""
    function = FUNCTIONS[number % len(FUNCTIONS)]
    is_mixed = function and number // len(FUNCTIONS) % 2
    return method + function + (' avalanche' if is_mixed else '')


def ids(rng, count):
    """None, some, where the rest take what is free, any, or any that share
    points with others."""
    kind = rng.choice(('none', 'some', 'any', 'shared'))
    if kind == 'none':
        return [None] * count
    if kind == 'some':
        given = random_members.distinct(rng, count,
                                        lambda r: r.randint(1, 2 * count))
        return [i if rng.random() < 0.5 else None for i in given]
    if kind == 'any':
        return random_members.distinct(rng, count,
                                       lambda r: r.randint(1, MAX_ID))
    low = random_members.distinct(rng, (count + 1) // 2,
                                  lambda r: r.randint(1, IDS_MODULO - 1))
    high = [i + rng.randint(1, 2000) * IDS_MODULO for i in low]
    mixed = (low + high)[:count]
    rng.shuffle(mixed)
    return mixed


def membership(scheme, method, rng, number):
    count = rng.randint(1, 40)
    names = random_members.distinct(rng, count, random_members.name)
    weights = random_members.weights(rng, count, rng.choice((20, 256)))
    nodes = [{'id': n, 'weight': w} for n, w in zip(names, weights)]
    for node, puid in zip(nodes, ids(rng, count)):
        if puid is not None and method == 'consistent':
            node['params'] = {'puid': str(puid)}
    ring = {'scheme': scheme,
            'params': {'hash_type': hash_type(method, number)}}
    # A comma ends the value that hdr() hashes.
    return Membership(number, ring, nodes,
                      random_members.text_keys(rng, KEYS, without=b','))


def server(node, folder):
    puid = node.get('params', {}).get('puid')
    return '  server %s unix@%s/none.sock weight %d%s' % (
        node['id'], folder, node['weight'], ' id ' + puid if puid else '')


def listen(members, folder):
    return LISTEN.format(
        number=members.number, folder=folder,
        hash_type=members.members['ring']['params']['hash_type'],
        servers='\n'.join(server(n, folder) for n in members.nodes))


class HaproxyTest(PeerCase):
    def check(self, scheme, method):
        program = self.need_program('haproxy', 'haproxy')
        all_members = self.memberships(
            scheme, lambda rng, i: membership(scheme, method, rng, i))
        with Folder() as folder:
            for members in all_members:
                members.peers_text = listen(members, folder.name)
            config = folder.write('haproxy.cfg', GLOBAL + ''.join(
                m.peers_text for m in all_members))
            with PeerProcess([program, '-db', '-f', config], folder.name,
                             folder.path('m%d.sock' % (len(all_members) - 1))):
                self.compare_all(all_members, lambda members: http_owners(
                    folder.path('m%d.sock' % members.number), '/',
                    members.keys))

    def test_consistent(self):
        self.check('haproxy-consistent', 'consistent')

    def test_map_based(self):
        self.check('haproxy-map', 'map-based')


if __name__ == '__main__':
    peer_case.main()
