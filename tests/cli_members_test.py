# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Members from a file, and from options: what is taken and what refused."""

import json
import os

import cli_case
from cli_case import MISUSE, CommandTest, members


class MembersFileTest(CommandTest):
    def test_only_schema_and_ids_are_required(self):
        full = members(
            {'id': 'a', 'weight': 1, 'region': '', 'zone': '', 'rack': '',
             'address': '', 'params': {}},
            name='', epoch=0,
            ring={'scheme': 'clockwise-1', 'vnodes': 512, 'width': 64,
                  'seed': 0, 'key_hash': 'xxh3', 'layout': 'line',
                  'max_points': 16777216, 'params': {}})
        self.assertEqual(self.digest(full), self.digest(members('a')))
        self.ok('digest', '-m', self.write({'schema': 1}))

    def test_digest_is_32_hex_digits_and_a_newline(self):
        self.assertRegex(self.digest(members('a')), r'\A[0-9a-f]{32}\n\Z')

    def test_missing_fields_are_refused(self):
        self.refused_members('{"nodes": []}', ':1:1:', 'schema')
        self.refused_members('{"schema": 1,\n "nodes": [{"id": "a"},\n  {}]}',
                             ':3:3:', 'nodes[1].id')

    def test_unknown_fields_are_refused(self):
        self.refused_members('{"schema": 1, "ring": {"vnode": 1}}', ':1:24:',
                             'ring.vnode', 'vnodes')
        self.refused_members('{"schema": 1, "nodes": [{"Id": "a"}]}',
                             'nodes[0].Id')
        self.refused_members('{"schema": 1, "note": {"a": []}}', 'note')

    def test_duplicate_fields_are_refused(self):
        self.refused_members('{"schema": 1, "schema": 1}', ':1:15:', 'schema')
        self.refused_members('{"schema": 1, "ring": {}, "ring": {}}', 'ring')
        self.refused_members(
            '{"schema": 1, "nodes": [{"id": "a", "weight": 1, "weight": 1}]}',
            'nodes[0].weight', 'duplicate')

    def test_any_parameter_is_unknown(self):
        self.refused_members('{"schema": 1, "ring": {"params": {"x": 1}}}',
                             'unknown parameter', "'x'")
        self.refused_members(
            '{"schema": 1, "nodes": [{"id": "a", "params": {"port": 1}}]}',
            'nodes[0].params.port', 'unknown parameter')
        self.refused_members('{"schema": 1, "ring": {"params": []}}',
                             'ring.params', 'object')

    def test_values_of_a_wrong_kind_are_refused(self):
        for text, path in (
                ('[]', ':1:1:'), ('1', ':1:1:'), ('"a"', ':1:1:'),
                ('{"schema": 2}', 'schema'), ('{"schema": "1"}', 'schema'),
                ('{"schema": 1.0}', 'schema'),
                ('{"schema": 1, "name": 1}', 'name'),
                ('{"schema": 1, "name": null}', 'name'),
                ('{"schema": 1, "name": {}}', 'name'),
                ('{"schema": 1, "name": []}', 'name'),
                ('{"schema": 1, "ring": []}', 'ring'),
                ('{"schema": 1, "ring": null}', 'ring'),
                ('{"schema": 1, "nodes": {}}', 'nodes'),
                ('{"schema": 1, "nodes": "a"}', 'nodes'),
                ('{"schema": 1, "nodes": ["a"]}', 'nodes[0]'),
                ('{"schema": 1, "nodes": [{"id": "a"}, []]}', 'nodes[1]'),
                ('{"schema": 1, "nodes": [{"id": 1}]}', 'nodes[0].id'),
                ('{"schema": 1, "nodes": [{"id": true}]}', 'true'),
                ('{"schema": 1, "ring": {"vnodes": "512"}}', 'ring.vnodes'),
                ('{"schema": 1, "ring": {"vnodes": 1.5}}', 'ring.vnodes')):
            with self.subTest(text=text):
                self.refused_members(text, path)

    def test_values_out_of_range_are_refused_with_their_limit(self):
        for field, value, limit in (
                ('vnodes', 0, '65536'), ('vnodes', 65537, '65536'),
                ('vnodes', -1, 'whole'), ('vnodes', 2**40, '65536'),
                ('width', 16, '32 or 64'), ('max_points', 2**27 + 1, '1342177'),
                ('max_points', 0, '1 to'), ('seed', -1, '2^64'),
                ('seed', 2**53, '2^53'), ('seed', str(2**64), '2^64'),
                ('seed', '0x10', '2^64'), ('seed', '', '2^64')):
            with self.subTest(field=field, value=value):
                message = self.refused_members(
                    members('a', ring={field: value}), 'ring.' + field)
                if field != 'seed' or value != -1:
                    self.assertIn(limit, message)
        self.refused_members(members('a', name='n' * 256), 'name', '255')
        self.refused_members(members('a', epoch=2**53), 'epoch')
        for label in ('region', 'zone', 'rack'):
            self.refused_members(members({'id': 'a', label: 'z' * 256}),
                                 'nodes[0].' + label, '255')
        self.refused_members(members({'id': 'a', 'address': 'z' * 1024}),
                             'nodes[0].address', '1023')

    def test_unknown_names_are_refused_with_the_known_ones(self):
        for field, known in (('scheme', 'clockwise-1'),
                             ('layout', 'sorted, eytzinger, splus, line'),
                             ('key_hash', 'xxh3, fnv1a-fmix, murmur3-32')):
            with self.subTest(field=field):
                self.refused_members(members('a', ring={field: 'frob'}),
                                     'ring.' + field, "'frob'", known)

    def test_large_seeds_and_epochs_are_texts(self):
        content = members('a', epoch=str(2**64 - 1),
                          ring={'seed': str(2**64 - 1)})
        path = self.write(content)
        shown = json.loads(self.ok('show', '-m', path, '--json'))
        self.assertEqual(shown['seed'], str(2**64 - 1))
        self.assertEqual(shown['epoch'], str(2**64 - 1))
        small = self.digest(members('a', ring={'seed': 7}))
        self.assertEqual(self.digest(members('a', ring={'seed': '7'})), small)
        self.assertNotEqual(self.digest(members('a')), small)

    def test_the_library_s_reasons_are_passed_on(self):
        self.refused_members(members('a', ring={'key_hash': 'murmur3-32'}),
                             'width 32')
        self.refused_members(
            members({'id': 'a', 'weight': 1000000}, 'b'), 'points', '16777216')

    def test_ids_are_checked(self):
        self.refused_members(members(''), 'nodes[0].id', 'empty')
        self.refused_members(members('a' * 256), 'nodes[0].id', '255')
        self.refused_members(members('a\x07'), 'nodes[0].id', '\\x07')
        self.refused_members(members('a\x00b'), 'nodes[0].id', '\\x00')
        self.refused_members(members('a\x7f'), 'nodes[0].id', '\\x7f')
        self.digest(members('a' * 255))
        self.digest(members('узел @=,"\\'))

    def test_a_duplicate_id_is_refused_naming_both_places(self):
        self.refused_members(
            '{"schema": 1, "nodes": [\n  {"id": "a"},\n  {"id": "b"},\n'
            '  {"id": "a"}]}', ':4:10:', 'nodes[2].id', 'nodes[0]', '2:10')
        self.refused_members(members('a', {'id': 'a', 'weight': 2}), 'nodes[1]')

    def test_broken_json_is_refused_with_line_and_column(self):
        for text, place in (
                ('{"schema": 1,\n  oops}', ':2:3:'), ('{"schema": 1', ':1:13:'),
                ('{"schema": 1}\n\n x', ':3:2:'), ('{"schema": NaN}', ':1:12:'),
                ('{"schema": 1, "name": "\xe9', ':1:'), (' ', ':1:2:'),
                ('{"schema": 1e999}', ':1:'), ('{"schema": 01}', ':1:'),
                ('{"schema": 1,}', ':1:14:'), ('// x\n{"schema": 1}', ':1:'),
                ('["' + 'x' * 100000, ':1:1:')):
            with self.subTest(text=text[:40]):
                message = self.refused_members(text, place)
                self.assertLess(len(message), 1000)
        self.refused_members(b'{"schema": 1, "nodes": [{"id": "\xff"}]}',
                             'UTF-8')
        self.refused_members(b'{"schema": 1, "name": "\xed\xa0\x80"}', 'UTF-8')
        self.refused_members('{"schema": 1, "name": "\\ud800"}', ':1:')

    def test_columns_count_characters(self):
        self.refused_members('{"schema": 1, "name": "äöü", "x": 1}', ':1:30:')

    def test_deep_nesting_is_refused_at_once(self):
        for opening in ('[', '{"nodes":[', '{"a":'):
            with self.subTest(opening=opening):
                self.refused_members(opening * 1000000)

    def test_a_byte_order_mark_is_skipped(self):
        self.assertEqual(
            self.digest(b'\xef\xbb\xbf' + json.dumps(members('a')).encode()),
            self.digest(members('a')))
        self.refused_members(b'\xef\xbb\xbf{"x": 1}', ':1:2:')
        self.refused_members(b'\xef\xbb\xbf', ':1:1:')

    def test_files_that_are_none_are_refused_by_name(self):
        self.refused('digest', '-m', self.path('none'),
                     says=(self.path('none'), 'No such file'))
        self.refused('digest', '-m', self.folder,
                     says=(self.folder, 'directory'))
        self.refused('digest', '-m', '/dev/null',
                     says=('/dev/null', 'regular'))
        os.mkfifo(self.path('fifo'))
        self.refused('digest', '-m', self.path('fifo'), says='regular')
        self.refused_members(b'', 'empty')
        path = self.write(b'x')
        os.truncate(path, (256 << 20) + 1)
        self.refused('digest', '-m', path, says=(path, '256 MiB'))


class WeightTest(CommandTest):
    def points(self, weight, vnodes=1000):
        path = self.write('{"schema": 1, "ring": {"vnodes": %d}, "nodes": '
                          '[{"id": "a", "weight": %s}]}' % (vnodes, weight))
        shown = json.loads(self.ok('show', '-m', path, '--json'))
        return shown['nodes'][0]['points']

    def test_any_json_number_of_thousandths_is_a_weight(self):
        for weight, points in (('1', 1000), ('1.5', 1500), ('2.0', 2000),
                               ('1e0', 1000), ('15E-1', 1500), ('0.1', 100),
                               ('0.001', 1), ('0', 0), ('0.0', 0), ('-0', 0),
                               ('1.0010', 1001), ('12.345', 12345)):
            with self.subTest(weight=weight):
                self.assertEqual(self.points(weight), points)
        self.assertEqual(self.points('1000000', vnodes=1), 1000000)
        self.assertEqual(self.points('1e6', vnodes=1), 1000000)

    def test_every_thousandth_is_read_exactly(self):
        path = self.write(members(*({'id': str(i), 'weight': i / 1000}
                                    for i in range(3000)),
                                  ring={'vnodes': 1000}))
        shown = json.loads(self.ok('show', '-m', path, '--json'))
        points = {node['id']: node['points'] for node in shown['nodes']}
        self.assertEqual(points, {str(i): i for i in range(3000)})

    def test_other_weights_are_refused_with_their_place(self):
        for weight in ('-1', '-0.001', '1.0005', '0.0001', '1000000.001',
                       '1000001', '1e7', '1e18', '5e-324', '"1"', 'null',
                       'true', '0.30000000000000004', '18446744073709551616'):
            with self.subTest(weight=weight):
                self.refused_members(
                    '{"schema": 1, "nodes": [{"id": "a"},\n'
                    ' {"id": "b", "weight": %s}]}' % weight,
                    ':2:24:', 'nodes[1].weight', '1000000')

    def test_a_tiny_weight_has_a_point_and_a_true_share(self):
        args = ('--node', 'a=1024', '--node', 'b=1024', '--node', 'c=5')
        for vnodes in ('1', '160'):
            nodes = json.loads(self.ok('show', '--json', '--vnodes', vnodes,
                                       *args))['nodes']
            by_id = {node['id']: node for node in nodes}
            self.assertGreaterEqual(by_id['c']['points'], 1)
            self.assertGreater(by_id['c']['share'], 0)
            self.assertAlmostEqual(sum(n['share'] for n in nodes), 1, 12)
        self.assertLess(abs(by_id['c']['share'] / 0.00244 - 1), 1)
        keys = b''.join(b'key-%d\n' % i for i in range(1000))
        lines = self.ok('route', '--replicas', '3', *args, stdin=keys)
        for line in lines.splitlines():
            self.assertEqual(set(line.split(b'\t')[1:]), {b'a', b'b', b'c'})

    def test_a_node_of_weight_0_is_shown_and_never_met(self):
        args = ('--node', 'a', '--node', 'b=0')
        nodes = json.loads(self.ok('show', '--json', *args))['nodes']
        self.assertEqual([(n['id'], n['points'], n['share']) for n in nodes],
                         [('a', 512, 1), ('b', 0, 0)])
        self.assertRegex(self.ok('show', *args).decode(), r'\nb +0 +0 +0\.0')
        line = self.ok('route', '--key', 'k', '--replicas', '9', *args)
        self.assertEqual(line, b'k\ta\n')
        self.assertEqual(self.ok('digest', *args),
                         self.ok('digest', '--node', 'a'))


class InlineMembersTest(CommandTest):
    def test_options_mean_what_the_file_means(self):
        content = members({'id': 'a', 'weight': 1.5, 'zone': 'z'}, 'b@c',
                          name='n', ring={
                              'vnodes': 64, 'width': 32, 'seed': 5,
                              'key_hash': 'murmur3-32', 'layout': 'sorted'})
        content['nodes'][1] = {'id': 'b@c', 'weight': 2, 'zone': ''}
        inline = ('--name', 'n', '--scheme', 'clockwise-1', '--vnodes', '64',
                  '--width', '32', '--seed', '5', '--key-hash', 'murmur3-32',
                  '--layout', 'sorted', '--node', 'a=1.5@z', '--node',
                  'b@c=2@')
        self.assertEqual(self.ok('show', *inline),
                         self.ok('show', '-m', self.write(content)))

    def test_what_follows_the_last_equals_sign_must_be_a_weight(self):
        for weight in ('-1', 'nan', 'inf', '1e3', '1,5', '1000001', '', '+1',
                       '1.0005', '0x1', ' 1', '1.', '.5', '99999999999999999'):
            with self.subTest(weight=weight):
                self.refused('digest', '--node', 'a=' + weight, code=MISUSE,
                             says=('--node', "'a=%s'" % weight, '1000000'))

    def test_bad_nodes_are_refused(self):
        for node, says in (('', 'empty'), ('=1', 'empty'), ('@z', 'empty'),
                           ('a@z=2', 'zone'), ('a\x01', 'control'),
                           ('a' * 256, '255'), ('a@' + 'z' * 256, '255'),
                           (b'\xff', 'UTF-8')):
            with self.subTest(node=node):
                self.refused('digest', '--node', node, code=MISUSE, says=says)
        self.refused('digest', '--node', 'a', '--node', 'a=2', code=MISUSE,
                     says=("'a'", 'twice'))

    def test_bad_options_are_refused(self):
        for option, value, says in (
                ('--scheme', 'ketama', 'clockwise-1'),
                ('--layout', 'round', 'eytzinger'),
                ('--key-hash', 'md5', 'fnv1a-fmix'),
                ('--vnodes', '0', '65536'), ('--vnodes', '010x', '010x'),
                ('--vnodes', '', "''"), ('--vnodes', '-5', '-5'),
                ('--width', '48', '32 or 64'), ('--seed', '-1', '-1'),
                ('--seed', str(2**64), '2^64'), ('--name', 'n' * 256, '255'),
                ('--param', 'x=1', 'unknown parameter'),
                ('--param', 'x', 'NAME=VALUE')):
            with self.subTest(option=option, value=value):
                self.refused('digest', '--node', 'a', option, value,
                             code=MISUSE, says=(option, says))
        self.refused('digest', '--node', 'a', '--vnodes=', code=MISUSE,
                     says='--vnodes')
        self.refused('digest', '--node', 'a', '--vnodes', '1', '--vnodes', '2',
                     code=MISUSE)


if __name__ == '__main__':
    cli_case.main()
