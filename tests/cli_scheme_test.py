# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Schemes of other systems on the command line, against their own answers."""

import hashlib
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

    def members_of(self, scheme):
        """A members file of three nodes, with what the scheme has to be told."""
        told = {'hash': lambda i: str(i + 1), 'tokens': lambda i: str(i << 60)}
        nodes = [{'id': '10.0.0.%d:11211' % i,
                  'params': {name: told[name](i)
                             for name in self.schemes[scheme]['node_params']
                             if name in told}} for i in range(3)]
        return self.write(members(*nodes, ring={'scheme': scheme}))

    def test_every_verb_takes_every_scheme(self):
        keys = ['key-%d' % i for i in range(20)]
        for scheme in self.schemes:
            with self.subTest(scheme=scheme):
                path = self.members_of(scheme)
                owners = self.owners(keys, '-m', path)
                explained = self.ok('explain', '-m', path, keys[0]).decode()
                self.assertRegex(explained, r'owner +%s\n' % owners[0])
                shown = json.loads(self.ok('show', '-m', path, '--json'))
                self.assertEqual(shown['scheme'], scheme)
                self.assertAlmostEqual(
                    sum(n['share'] for n in shown['nodes']), 1)
                self.assertEqual(self.ok('digest', '-m', path).decode().strip(),
                                 shown['digest'])

    def test_show_and_check_take_every_kind(self):
        for scheme in ('nginx-consistent', 'redis-slots', 'mcrouter-wch3'):
            path = self.members_of(scheme)
            self.assertIn('scheme          %s\n' % scheme,
                          self.ok('show', '-m', path).decode())
            checked = cli_case.run('check', '-m', path)
            self.assertIn(checked.returncode, (cli_case.OK, cli_case.ALARM))
            self.assertIn(b'peak', checked.stdout)

    def test_owners_are_those_that_libmemcached_listed(self):
        with open(os.path.join(GOLDEN, 'public_cases.json')) as stream:
            pools = json.load(stream)['ketama_weighted']
        keys = ['key-%d' % i for i in range(20000)]
        for name, pool in pools.items():
            ids = ['%s:%d' % (host, port) for host, port, _ in pool['servers']]
            nodes = [('--node', '%s=%d' % (i, server[2]))
                     for i, server in zip(ids, pool['servers'])]
            owners = self.owners(keys, '--scheme', 'libmemcached-ketama-weighted',
                                 *sum(nodes, ()))
            lines = ''.join('%d\n' % ids.index(owner) for owner in owners)
            self.assertEqual(hashlib.sha256(lines.encode()).hexdigest(),
                             pool['sha256_of_20000_lines'], name)

    def test_nodes_after_the_owner_are_for_schemes_that_have_them(self):
        nodes = ('--node', 'a', '--node', 'b', '--node', 'c')
        for scheme in ('jump', 'maglev', 'redis-slots'):
            for option in (('--replicas', '2'), ('--exclude', 'a')):
                self.refused('route', '--scheme', scheme, *option, *nodes,
                             '--key', 'k', code=MISUSE,
                             says=(option[0], scheme, 'after the owner'))
        for scheme in ('rendezvous', 'slots', 'mcrouter-rendezvous'):
            args = ('--scheme', scheme, *nodes, '--key', 'k')
            order = self.ok('route', '--replicas', '3', *args).decode().split()
            self.assertEqual(sorted(order), ['a', 'b', 'c', 'k'])
            rest = self.ok('route', '--replicas', '2', '--exclude', order[1],
                           *args).decode().split()
            self.assertEqual(rest, ['k', *order[2:]])
            self.ok('route', *args, '--exclude', 'a,b,c', code=REFUSED)

    def test_check_warns_of_traps(self):
        nodes = ('--node', '10.0.1.1=1024', '--node', '10.0.1.2=1024', '--node',
                 '10.0.1.3=5')
        said = self.ok('check', '--scheme', 'libmemcached-ketama-weighted',
                       *nodes).decode()
        self.assertIn("warn: libmemcached-ketama-weighted: node '10.0.1.3': "
                      'weight 5, but gets no points: no key reaches it\n', said)
        self.assertNotIn('warn:', self.ok('check', '--scheme', 'nginx-consistent',
                                          '--node', 'a', '--node', 'b').decode())
        path = self.write(members({'id': 'a', 'params': {'slots': '0-16382'}},
                                  ring={'scheme': 'redis-slots'}))
        self.assertIn('1 slot has no master', self.ok(
            'check', '-m', path).decode())
        # Key "6ZJ" is in slot 16383, which nobody has.
        self.ok('route', '-m', path, '--key', '6ZJ', code=REFUSED)

    def test_parameters_of_schemes_that_are_no_rings(self):
        nodes = ('--node', 'a', '--node', 'b')
        self.refused('digest', '--scheme', 'maglev', '--param', 'table_size=6',
                     *nodes, says=('table_size 6', 'prime'))
        self.refused('digest', '--scheme', 'jump', '--layout', 'sorted', *nodes,
                     says=('layout sorted', 'jump'))
        self.refused('digest', '--scheme', 'nginx-hash', '--seed', '3', *nodes,
                     says=('seed 3', 'nginx-hash'))
        self.assertNotEqual(
            self.ok('digest', '--scheme', 'maglev', '--seed', '3', *nodes),
            self.ok('digest', '--scheme', 'maglev', *nodes))
        self.assertEqual(
            self.owners(['x', 'y'], '--scheme', 'haproxy-map', '--key-hash',
                        'crc32 avalanche', *nodes),
            self.owners(['x', 'y'], '--scheme', 'haproxy-map', '--param',
                        'hash_type=map-based crc32 avalanche', *nodes))

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
