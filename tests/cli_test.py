# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""The command as a whole, and its verbs but `route`."""

import json
import os
import re
import subprocess
import time

import cli_case
from cli_case import ALARM, MISUSE, OK, REFUSED, CommandTest, members


class HelpTest(CommandTest):
    def test_version_and_help_go_to_standard_output(self):
        self.assertRegex(self.ok('--version'), rb'\Aclockwise \d+\.\d+\.\d+\n')
        self.assertIn(b'"schema": 1', self.ok('--help'))

    def test_each_verb_has_help_with_examples(self):
        for verb in ('route', 'explain', 'show', 'check', 'digest',
                     'simulate'):
            with self.subTest(verb=verb):
                text = self.ok(verb, '--help').decode()
                self.assertIn('Example', text)
                self.assertIn('clockwise %s' % verb, text)
                self.assertIn('--members', text)

    def test_no_standard_error_is_no_crash(self):
        result = subprocess.run(['bash', '-c', '"$0" frobnicate 2>&-',
                                 cli_case.COMMAND])
        self.assertEqual(result.returncode, MISUSE)

    def test_misuse_exits_with_2(self):
        path = self.write(members('a'))
        for args in ((), ('frobnicate',), ('digest',), ('digest', '--frob'),
                     ('digest', '-m'), ('digest', '-m', path, '--node', 'b'),
                     ('digest', '-m', path, 'extra'), ('explain', '-m', path),
                     ('route', '-m', path, '--replicas', '-1'),
                     ('route', '-m', path, '--replicas=-1'),
                     ('route', '-m', path, '--replicas', '1.5'),
                     ('route', '-m', path, '--replicas', '1' * 30),
                     ('explain', '-m', path, '--replicas', '0', 'key')):
            with self.subTest(args=args):
                self.refused(*args, code=MISUSE)


class DigestTest(CommandTest):
    def test_the_order_of_nodes_does_not_matter(self):
        ids = ['node-%d' % i for i in range(10)]
        orders = (ids, ids[::-1], ids[5:] + ids[:5])
        self.assertEqual(len({self.digest(members(*o)) for o in orders}), 1)
        routes = {self.ok('route', '-m', self.write(members(*o)), '--replicas',
                          '3', '--key', 'k') for o in orders}
        self.assertEqual(len(routes), 1)

    def test_what_placement_reads_changes_it(self):
        base = members({'id': 'a'}, {'id': 'b'})
        changed = [
            members('a'), members('a', 'c'), members('a', 'b', name='n'),
            members('a', {'id': 'b', 'weight': 2}),
            members('a', {'id': 'b', 'zone': 'z'}),
            members('a', 'b', ring={'seed': 1}),
            members('a', 'b', ring={'vnodes': 511}),
            members('a', 'b', ring={'width': 32}),
            members('a', 'b', ring={'key_hash': 'fnv1a-fmix'}),
        ]
        digests = {self.digest(content) for content in [base, *changed]}
        self.assertEqual(len(digests), 1 + len(changed))

    def test_layout_epoch_and_room_do_not(self):
        expected = self.digest(members('a', 'b'))
        for layout in ('sorted', 'eytzinger', 'splus', 'line'):
            content = members('a', 'b', epoch=9, ring={'layout': layout,
                                                       'max_points': 1024})
            self.assertEqual(self.digest(content), expected)

    def test_an_address_changes_the_records_digest_alone(self):
        shown = [json.loads(self.ok('show', '--json', '-m', self.write(
            members('n1', {'id': 'n2', 'address': address}))))
                 for address in ('10.0.0.1:80', '10.0.0.9:81')]
        self.assertEqual(shown[0]['digest'], shown[1]['digest'])
        self.assertNotEqual(shown[0]['records_digest'],
                            shown[1]['records_digest'])


class ShowTest(CommandTest):
    def test_json_and_text_tell_the_same(self):
        path = self.write(members(
            {'id': 'a', 'weight': 1.5, 'zone': 'z', 'address': '10.0.0.1:1'},
            'b\u0085', name='demo', epoch=7, ring={'vnodes': 100}))
        shown = json.loads(self.ok('show', '-m', path, '--json'))
        text = self.ok('show', '-m', path).decode()
        for field in ('name', 'scheme', 'digest', 'records_digest', 'epoch',
                      'layout', 'bytes', 'points', 'collisions', 'key_hash',
                      'width', 'seed', 'vnodes'):
            self.assertRegex(text, r'(?m)^%s +%s$' % (
                field.replace('_', ' '), re.escape(str(shown[field]))))
        self.assertEqual([n['id'] for n in shown['nodes']], ['a', 'b\u0085'])
        self.assertEqual(shown['nodes'][0]['weight'], 1.5)
        self.assertEqual(shown['nodes'][0]['points'], 150)
        self.assertEqual(shown['nodes'][0]['zone'], 'z')
        self.assertEqual(shown['points'], 250)
        self.assertIn('b\\xc2\\x85', text)
        self.assertIn('%.12f' % shown['nodes'][0]['share'], text)

    def test_shares_fill_the_circle(self):
        for width in ('32', '64'):
            for vnodes in ('1', '7', '512'):
                shown = json.loads(self.ok(
                    'show', '--json', '--width', width, '--vnodes', vnodes,
                    '--node', 'a', '--node', 'b=3', '--node', 'c'))
                total = sum(n['share'] for n in shown['nodes'])
                self.assertAlmostEqual(total, 1, 14)
        one = json.loads(self.ok('show', '--json', '--vnodes', '1',
                                 '--node', 'a'))
        self.assertEqual(one['nodes'][0]['share'], 1)

    def test_shares_are_those_of_many_keys(self):
        args = ('--node', 'a', '--node', 'b=3', '--vnodes', '16')
        keys = b'\n'.join(b'key-%d' % i for i in range(100000))
        out = self.ok('route', *args, stdin=keys)
        nodes = json.loads(self.ok('show', '--json', *args))['nodes']
        self.assertAlmostEqual(out.count(b'\ta\n') / 100000,
                               nodes[0]['share'], delta=0.01)

    def test_an_empty_ring_is_shown(self):
        path = self.write(members())
        self.assertIn(b'points          0', self.ok('show', '-m', path))
        shown = json.loads(self.ok('show', '-m', path, '--json'))
        self.assertEqual((shown['points'], shown['nodes']), (0, []))


class ExplainTest(CommandTest):
    def test_it_tells_what_route_tells(self):
        nodes = [arg for i in range(5) for arg in ('--node', 'n%d' % i)]
        for extra in ((), ('--layout', 'sorted'), ('--exclude', 'n1,n2'),
                      ('--width', '32'), ('--vnodes', '1')):
            for key in ('k', ''):
                text = self.ok('explain', *nodes, *extra, '--replicas', '5',
                               key).decode()
                answer = json.loads(self.ok('route', *nodes, *extra, '--json',
                                            '--replicas', '5', '--key', key))
                met = re.findall(r'(?m)^ +\d+ +(n\d)', text)
                self.assertEqual(met, answer['replicas'])
                self.assertRegex(text,
                                 r'(?m)^owner +%s$' % answer['owner'])
                hash_text = re.search(r'(?m)^hash +([0-9a-f]+),', text)[1]
                self.assertTrue(answer['hash'].startswith(hash_text))
                skipped = re.findall(r'(?m)^ +- +(n\d).*excluded', text)
                self.assertLessEqual(set(skipped), {'n1', 'n2'})

    def test_the_bucket_is_that_of_the_line_layout(self):
        text = self.ok('explain', '--node', 'a', '--layout', 'line',
                       'k').decode()
        line, lines, remainder = re.search(
            r'line +(\d+) of (\d+), remainder ([0-9a-f]{4})', text).groups()
        hash_value = int(re.search(r'hash +([0-9a-f]{16})', text)[1], 16)
        product = hash_value * int(lines)
        self.assertEqual(product >> 64, int(line))
        self.assertEqual(product >> 48 & 0xffff, int(remainder, 16))
        self.assertNotIn('line  ', self.ok(
            'explain', '--node', 'a', '--layout', 'sorted', 'k').decode())

    def test_it_says_why_there_is_no_owner(self):
        path = self.write(members())
        drained = self.write(members({'id': 'a', 'weight': 0}), 'drained')
        for args, why in ((('-m', path), b'no nodes'),
                          (('-m', drained), b'weight 0'),
                          (('--node', 'a', '--exclude', 'a'), b'excluded')):
            out = self.ok('explain', *args, 'k', code=REFUSED)
            self.assertIn(b'owner     - (', out)
            self.assertIn(why, out)

    def test_hex_keys(self):
        self.assertIn(b'\\xff (1 byte)',
                      self.ok('explain', '--node', 'a', '--hex', 'fF'))


class CheckTest(CommandTest):
    def test_similar_names_and_sequential_keys_spread(self):
        nodes = ['http://127.0.0.1:%d' % (9001 + i) for i in range(10)]
        path = self.write(members(*nodes, ring={'vnodes': 160}))
        keys = self.write(b''.join(b'sku-%d\n' % i
                                   for i in range(1, 100001)), 'keys')
        text = self.ok('check', '-m', path, keys).decode()
        peak, low = re.search(
            r'100000 keys: peak ([\d.]+)x .* low ([\d.]+)x', text).groups()
        self.assertLessEqual(float(peak), 1.30)
        self.assertGreaterEqual(float(low), 0.70)
        self.assertIn('\nok', text)
        counts = [line.split()[7] for line in text.splitlines()
                  if line.startswith('http')]
        self.assertEqual(sum(map(int, counts)), 100000)

    def test_ratios_are_shares_over_what_weights_are_due(self):
        args = ('--node', 'a', '--node', 'b=3', '--node', 'z=0')
        nodes = json.loads(self.ok('show', '--json', *args))['nodes']
        text = self.ok('check', *args).decode()
        for node, due in zip(nodes, (0.25, 0.75)):
            ratio = '%.3fx' % (node['share'] / due)
            self.assertRegex(text, r'(?m)^%s .*%s' % (node['id'], ratio))
        self.assertRegex(text, r'(?m)^z +0 +0\.000% +0 +0\.000%$')

    def test_chance_of_equal_nodes_is_as_calculated(self):
        args = [arg for i in range(10) for arg in ('--node', 'n%d' % i)]
        text = self.ok('check', *args, '--vnodes', '160').decode()
        self.assertIn('±%.3f' % ((10 - 1) / (10 * 160 + 1)) ** 0.5, text)

    def test_it_warns_at_1_3_and_alarms_at_1_5(self):
        args = ('--node', 'a', '--node', 'b')
        routed = self.ok('route', *args, stdin=b'\n'.join(
            b'key-%d' % i for i in range(1000))).splitlines()
        keys_of = {node: [line.split(b'\t')[0] for line in routed
                          if line.endswith(b'\t' + node)]
                   for node in (b'a', b'b')}
        for of_a, code, verdict, mark in (
                (64, OK, 'ok', ''), (65, OK, 'warn', 'warn'),
                (74, OK, 'warn', 'warn'), (75, ALARM, 'ALARM', 'ALARM'),
                (36, OK, 'ok', ''), (25, ALARM, 'ALARM', 'ALARM')):
            keys = keys_of[b'a'][:of_a] + keys_of[b'b'][:100 - of_a]
            text = self.ok('check', *args, '-', stdin=b'\n'.join(keys),
                           code=code).decode()
            self.assertRegex(text, r'(?m)^%s: ' % verdict)
            marked = 'a' if of_a > 50 else 'b'
            self.assertRegex(text, r'(?m)^%s .*±\S+ *%s$' % (marked, mark))

    def test_the_circle_alone_can_alarm(self):
        # With one point each, shares differ wildly.
        args = ('--vnodes', '1', '--node', 'a', '--node', 'b', '--node', 'c')
        shares = [node['share'] for node in json.loads(
            self.ok('show', '--json', *args))['nodes']]
        self.assertGreater(max(shares), 0.5)
        self.ok('check', *args, code=ALARM)

    def test_skewed_keys_alarm(self):
        out = self.ok('check', '--node', 'a', '--node', 'b', '-',
                      stdin=b'same\n' * 1000, code=ALARM).decode()
        self.assertIn('1000 keys: peak 2.000x', out)

    def test_there_must_be_something_to_check(self):
        path = self.write(members({'id': 'a', 'weight': 0}))
        self.refused('check', '-m', path, says=(path, 'points'))
        self.refused('check', '--node', 'a', '-', says='no keys')

    def test_one_node_is_fine(self):
        self.assertIn(b'ok: ', self.ok('check', '--node', 'a'))
        self.ok('check', '--node', 'a', '--vnodes', '1', '-', stdin=b'k')


class ProgressTest(CommandTest):
    COUNT = re.compile(rb'\rclockwise: (\d+) keys')

    def shown(self, verb, stdout_too):
        """What a terminal shows while keys come slowly."""
        leader, follower = os.openpty()
        process = subprocess.Popen(
            [cli_case.COMMAND, verb, '--node', 'a', '--node', 'b', '-'],
            stdin=subprocess.PIPE, stderr=follower,
            stdout=follower if stdout_too else subprocess.DEVNULL)
        os.close(follower)
        for _ in range(3):
            process.stdin.write(b'key\n' * 20000)
            process.stdin.flush()
            time.sleep(0.7)
        process.stdin.close()
        process.wait()
        shown = b''
        while True:
            try:
                shown += os.read(leader, 1 << 16)
            except OSError:  # the other end is closed, and all is read
                os.close(leader)
                return shown

    def test_it_counts_up_where_somebody_looks(self):
        for verb, stdout_too in (('check', True), ('check', False),
                                 ('route', False)):
            shown = self.shown(verb, stdout_too)
            counts = [int(n) for n in self.COUNT.findall(shown)]
            self.assertTrue(counts, (verb, stdout_too))
            self.assertEqual(counts, sorted(counts))
            self.assertLessEqual(counts[-1], 60000)


class DemoTest(CommandTest):
    def demo(self, keys):
        path = self.write(members('a', {'id': 'b', 'weight': 2}, 'c'))
        return subprocess.run([cli_case.COMMAND + '-demo', path], input=keys,
                              capture_output=True)

    def test_its_claims_hold(self):
        result = self.demo(b'\0'.join(b'/usr/%d' % i for i in range(3000)))
        self.assertEqual((result.returncode, result.stderr), (OK, b''))
        text = result.stdout.decode()
        self.assertIn('3000 keys over 3 nodes', text)
        self.assertIn('none moved between the others', text)
        self.assertIn('std::lower_bound', text)

    def test_it_needs_keys(self):
        self.assertEqual(self.demo(b'').returncode, REFUSED)


if __name__ == '__main__':
    cli_case.main()
