# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""A running nginx against ours: `hash KEY` and `hash KEY consistent`."""

import peer_case
import random_members
from http_owners import http_owners
from peer_case import KEYS, Membership, PeerCase
from peer_process import Folder, PeerProcess

# One process: no worker outlives its master.
CONFIG = '''\
daemon off;
master_process off;
worker_rlimit_nofile 4096;
pid {folder}/nginx.pid;
error_log /dev/null emerg;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  keepalive_requests 1000000;
  proxy_next_upstream off;
  # Where something else listens there: its answer does not count.
  proxy_connect_timeout 1s;
  proxy_read_timeout 1s;
  add_header X-Owner $upstream_addr always;
{upstreams}
  server {{
    listen unix:{folder}/front.sock;
{locations}
  }}
}}
'''
LOCATION = '    location = /%d { proxy_pass http://m%d; }\n'


def server(rng):
    """The text of a server, all of whose addresses are this machine's."""
    kind = rng.random()
    if kind < 0.1:
        return 'unix:/tmp/cw-none/%s.sock' % random_members.name(rng)
    if kind < 0.2:
        return '[::1]:%d' % random_members.closed_port(rng)
    if kind < 0.3:
        return 'localhost:%d' % random_members.closed_port(rng)
    if kind < 0.4:
        return random_members.loopback(rng)
    return '%s:%d' % (random_members.loopback(rng),
                      random_members.closed_port(rng))


def addresses(text):
    """What $upstream_addr may be for a server."""
    if text.startswith('localhost:'):
        port = text[len('localhost:'):]
        return ['127.0.0.1:' + port, '[::1]:' + port]
    return [text if ':' in text else text + ':80']


def membership(scheme, rng, number):
    count = rng.randint(1, 40)
    servers = random_members.distinct(rng, count, server)
    weights = [w or 1 for w in random_members.weights(rng, count, 20)]
    nodes = [{'id': s, 'weight': w} for s, w in zip(servers, weights)]
    return Membership(number, {'scheme': scheme}, nodes,
                      random_members.text_keys(rng, KEYS))


def upstream(members, directive):
    lines = ['server %s weight=%d max_fails=0;' % (n['id'], n['weight'])
             for n in members.nodes]
    return 'upstream m%d { %s; %s }\n' % (members.number, directive,
                                          ' '.join(lines))


class NginxTest(PeerCase):
    def check(self, scheme, directive):
        program = self.need_program('nginx', 'nginx-light')
        all_members = self.memberships(
            scheme, lambda rng, i: membership(scheme, rng, i))
        for members in all_members:
            members.peers_text = upstream(members, directive)
        with Folder() as folder:
            config = folder.write('nginx.conf', CONFIG.format(
                folder=folder.name,
                upstreams=''.join(m.peers_text for m in all_members),
                locations=''.join(LOCATION % (m.number, m.number)
                                  for m in all_members)))
            front = folder.path('front.sock')
            with PeerProcess([program, '-e', '/dev/null', '-p', folder.name,
                              '-c', config], folder.name, front):
                self.compare_all(all_members, lambda members: self.owners(
                    members, front))

    def owners(self, members, front):
        names = {address: n['id'] for n in members.nodes
                 for address in addresses(n['id'])}
        return [names[address] for address in http_owners(
            front, '/%d' % members.number, members.keys)]

    def test_consistent(self):
        self.check('nginx-consistent', 'hash $http_x_key consistent')

    def test_plain(self):
        self.check('nginx-hash', 'hash $http_x_key')


if __name__ == '__main__':
    peer_case.main()
