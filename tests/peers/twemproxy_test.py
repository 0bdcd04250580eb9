# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""A running twemproxy (nutcracker) against ours: distributions ketama and
modula, each hash, and hash tags."""

import random

import peer_case
import random_members
import resp
from peer_case import KEYS, SEED, Membership, PeerCase
from peer_process import Folder, PeerProcess, free_port
from stub_servers import StubServers

HASHES = ('one_at_a_time', 'md5', 'crc16', 'crc32', 'crc32a', 'fnv1_64',
          'fnv1a_64', 'fnv1_32', 'fnv1a_32', 'hsieh', 'murmur', 'jenkins')
TAGS = ('{}', '$$', '<>', 'ab')
ADDRESSES = 60
POOL = '''\
m{number}:
  listen: {folder}/m{number}.sock
  redis: true
  timeout: 60000
  distribution: {distribution}
  hash: {hash}
{tag}  servers:
{servers}
'''


def node(rng, address, node_name):
    """A server by name, or by address where the peer names it by that; the
    address is in the id or beside it."""
    host, port = address
    params = {'host': host, 'port': str(port)}
    if rng.random() < 0.4:
        params['name'] = node_name
        return {'id': node_name, 'params': params}
    if ':' in host or rng.random() < 0.5:
        return {'id': node_name, 'params': params}
    return {'id': host if port == 0 else '%s:%d' % address}


def membership(scheme, addresses, rng, number):
    count = rng.randint(1, 40)
    chosen = rng.sample(addresses, count)
    names = random_members.distinct(rng, count, random_members.host_name)
    nodes = [node(rng, a, n) for a, n in zip(chosen, names)]
    for one, weight in zip(nodes, random_members.weights(rng, count, 30)):
        one['weight'] = weight or 1
    params = {'hash': HASHES[number % len(HASHES)]}
    if number % 2 == number // len(HASHES) % 2:
        params['hash_tag'] = rng.choice(TAGS)
    keys = random_members.byte_keys(rng, KEYS,
                                    params.get('hash_tag', '').encode())
    made = Membership(number, {'scheme': scheme, 'params': params}, nodes, keys)
    made.addresses = chosen
    return made


def server(one, address):
    host, port = address
    at = host if port == 0 else '%s:%d' % address
    name = one.get('params', {}).get('name')
    return '   - "%s:%d%s"' % (at, one['weight'], ' ' + name if name else '')


def pool(members, distribution, folder):
    params = members.members['ring']['params']
    tag = params.get('hash_tag')
    return POOL.format(
        number=members.number, folder=folder, distribution=distribution,
        hash=params['hash'], tag='  hash_tag: "%s"\n' % tag if tag else '',
        servers='\n'.join(server(n, a) for n, a in zip(members.nodes,
                                                       members.addresses)))


class TwemproxyTest(PeerCase):
    def check(self, scheme, distribution):
        program = self.need_program('nutcracker', 'nutcracker')
        self.need_scheme(scheme)
        rng = random.Random('%s/%s' % (SEED, scheme))
        with Folder() as folder, StubServers(rng, ADDRESSES, folder) as stubs:
            all_members = self.memberships(
                scheme, lambda rng, i: membership(scheme, stubs.addresses, rng,
                                                  i))
            for members in all_members:
                members.peers_text = pool(members, distribution, folder.name)
            config = folder.write('nutcracker.yml', ''.join(
                m.peers_text for m in all_members))
            # It takes no 0 for its port of figures, which nobody asks.
            args = [program, '-c', config, '-o', folder.path('nutcracker.log'),
                    '-p', folder.path('nutcracker.pid'), '-a', '127.0.0.1',
                    '-s', str(free_port())]
            with PeerProcess(args, folder.name,
                             folder.path('m%d.sock' % (len(all_members) - 1))):
                self.compare_all(all_members, lambda members: self.owners(
                    members, folder))

    def owners(self, members, folder):
        ids = {'%s %d' % address: one['id'] for one, address
               in zip(members.nodes, members.addresses)}
        found = resp.answers(folder.path('m%d.sock' % members.number),
                             members.keys)
        return [ids[address.decode()] for address in found]

    def test_ketama(self):
        self.check('twemproxy-ketama', 'ketama')

    def test_modula(self):
        self.check('twemproxy-modula', 'modula')


if __name__ == '__main__':
    peer_case.main()
