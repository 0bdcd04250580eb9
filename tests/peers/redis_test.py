# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""A running Redis in cluster mode against ours: which master has a key.

The state of a cluster, as Redis itself would have saved it, is written for one
server to start from. It tells the owner of every key by redirecting to it; the
other masters need not run for that."""

import peer_case
import random_members
import resp
from peer_case import KEYS, Membership, PeerCase
from peer_process import Folder, PeerProcess, free_port

SLOTS = 16384
CONFIG = '''\
bind 127.0.0.1
port 0
unixsocket {folder}/redis.sock
dir {folder}
save ""
cluster-enabled yes
cluster-config-file nodes.conf
cluster-port {port}
cluster-node-timeout 3600000
cluster-require-full-coverage no
cluster-allow-reads-when-down yes
'''


def as_text(first, last):
    return str(first) if first == last else '%d-%d' % (first, last)


def ranges(rng, count):
    """All slots, dealt to `count` masters as ranges; each has one or more."""
    pieces = count + rng.choice((0, 3, 100))
    cuts = sorted(rng.sample(range(1, SLOTS), pieces - 1))
    owners = list(range(count)) + rng.choices(range(count), k=pieces - count)
    rng.shuffle(owners)
    dealt = [[] for _ in range(count)]
    for owner, first, end in zip(owners, [0] + cuts, cuts + [SLOTS]):
        dealt[owner].append(as_text(first, end - 1))
    return dealt


def address(rng):
    host = '::1' if rng.random() < 0.1 else random_members.loopback(rng)
    return '%s:%d' % (host, rng.randint(1024, 50000))


def membership(rng, number):
    count = rng.randint(1, 40)
    dealt = ranges(rng, count)
    names = random_members.distinct(rng, count, random_members.name)
    nodes = [{'id': n, 'params': {'slots': ','.join(d)}}
             for n, d in zip(names, dealt)]
    made = Membership(number, {'scheme': 'redis-slots'}, nodes,
                      random_members.byte_keys(rng, KEYS, b'{}'))
    made.addresses = random_members.distinct(rng, count, address)
    made.peers_text = nodes_conf(rng, made.addresses, dealt)
    return made


def nodes_conf(rng, addresses, dealt):
    """The saved state: the first master is the server that runs."""
    lines = []
    for i, (at, slots) in enumerate(zip(addresses, dealt)):
        bus = int(at.rpartition(':')[2]) + 10000
        lines.append('%040x %s@%d %s - 0 0 %d connected %s\n' % (
            rng.getrandbits(160), at, bus,
            'master' if i else 'myself,master', i + 1, ' '.join(slots)))
    return ''.join(lines) + 'vars currentEpoch %d lastVoteEpoch 0\n' % len(lines)


class RedisTest(PeerCase):
    def test_slots(self):
        program = self.need_program('redis-server', 'redis-server')
        self.compare_all(self.memberships('redis-slots', membership),
                         lambda members: self.owners(program, members))

    def owners(self, program, members):
        ids = {at: n['id'] for at, n in zip(members.addresses, members.nodes)}
        with Folder() as folder:
            folder.write('nodes.conf', members.peers_text)
            config = folder.write('redis.conf', CONFIG.format(
                folder=folder.name, port=free_port()))
            socket_path = folder.path('redis.sock')
            with PeerProcess([program, config], folder.name, socket_path):
                found = resp.answers(socket_path, members.keys)
        return [self.owner(answer, ids, members) for answer in found]

    def owner(self, answer, ids, members):
        if answer is None:  # it has no such key, but would be the one to
            return members.nodes[0]['id']
        self.assertTrue(answer.startswith(b'-MOVED '), answer)
        return ids[answer.split()[2].decode()]


if __name__ == '__main__':
    peer_case.main()
