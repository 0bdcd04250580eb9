# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Schemes of other systems on the command line, against their own answers."""

import json
import os
import unittest

import cli_case
from cli_case import MISUSE, REFUSED, CommandTest, members

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'golden')


class SchemeTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.schemes = {scheme['id']: scheme for scheme in
                        json.loads(self.ok('schemes', '--json'))}
        if 'nginx-consistent' not in self.schemes:
            self.skipTest('this command was built without clockwise-compat')

    def owners(self, keys, *args):
        """The owner of each key."""
        lines = b''.join(key.encode() + b'\0' for key in keys)
        found = self.ok('route', '-0', *args, stdin=lines)
        return [line.rsplit(b'\t', 1)[1].decode()
                for line in found.splitlines()]

    def check_case(self, file, name, scheme, params, fields=()):
        with open(os.path.join(GOLDEN, file + '.json')) as stream:
            vectors = json.load(stream)
        case = next(c for c in vectors['cases'] if c['name'] == name)
        nodes = [{'id': n['id'], 'weight': n.get('weight', 1),
                  'params': {f: n[f] for f in fields if f in n}}
                 for n in case['nodes']]
        path = self.write(members(*nodes, ring={'scheme': scheme,
                                                'params': params}))
        ids = [n['id'] for n in case['nodes']]
        self.assertEqual(self.owners(vectors['keys'], '-m', path),
                         [ids[i] for i in case['owner']][:len(vectors['keys'])])

    def test_owners_are_those_of_the_peers(self):
        self.check_case('nginx_hash_consistent', 'consistent_weights_1_2_3_5_8',
                        'nginx-consistent', {})
        self.check_case('twemproxy', 'ketama_named_weights', 'twemproxy-ketama',
                        {'hash': 'fnv1a_64'}, ('host', 'port', 'name'))
        self.check_case('haproxy_consistent', 'consistent_default_function',
                        'haproxy-consistent', {}, ('puid',))

    def test_key_hash_takes_the_peers_names(self):
        nodes = ('--node', 'a:11211', '--node', 'b:11211')
        keys = ['key-%d' % i for i in range(50)]
        for scheme, name, param in (
                ('libmemcached-ketama-weighted', 'murmur', 'hash=murmur'),
                ('envoy-ring-hash', 'murmur_hash_2',
                 'hash_function=murmur_hash_2'),
                ('haproxy-consistent', 'crc32 avalanche',
                 'hash_type=consistent crc32 avalanche')):
            with self.subTest(scheme=scheme):
                self.assertEqual(
                    self.owners(keys, '--scheme', scheme, '--key-hash', name,
                                *nodes),
                    self.owners(keys, '--scheme', scheme, '--param', param,
                                *nodes))

    def test_what_a_scheme_does_not_read_is_refused(self):
        nodes = ('--node', 'a', '--node', 'b')
        self.refused('digest', '--scheme', 'nginx-consistent', '--param', 'x=1',
                     *nodes, code=MISUSE, says=("'x'", 'has none'))
        self.refused('digest', '--scheme', 'groupcache', '--vnodes', '100',
                     *nodes, code=REFUSED, says=('vnodes 100', 'groupcache'))
        self.refused('digest', '--scheme', 'groupcache', '--node', 'a=2',
                     code=REFUSED, says=('weight 2', "'a'"))
        self.refused('digest', '--scheme', 'twemproxy-ketama', '--key-hash',
                     'sha1', *nodes, code=REFUSED, says=("'sha1'", 'twemproxy'))

    def test_schemes_are_listed_with_their_traps(self):
        text = self.ok('schemes').decode()
        for scheme in self.schemes.values():
            self.assertIn(scheme['id'], text)
            self.assertIn(scheme['traps'], text)
        self.assertTrue(self.schemes['clockwise-1']['monotone'])
        self.assertFalse(self.schemes['envoy-ring-hash']['monotone'])

    def test_show_and_explain_name_the_peers_hash(self):
        ring = ('--scheme', 'libmemcached-ketama', '--param', 'hash=md5',
                '--node', 'a', '--node', 'b')
        shown = json.loads(self.ok('show', '--json', *ring))
        self.assertEqual(shown['key_hash'], 'md5-32')
        self.assertEqual(shown['params'], {'hash': 'md5'})
        self.assertNotIn('vnodes', shown)
        self.assertIn(b'md5-32', self.ok('explain', *ring, 'some key'))


if __name__ == '__main__':
    cli_case.main()
