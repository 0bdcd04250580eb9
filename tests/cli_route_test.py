# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""The verb `route`: keys in, owners out."""

import json
import os
import pty
import re
import select
import subprocess
import unittest

import cli_case
from cli_case import OK, REFUSED, CommandTest, members


class RouteTest(CommandTest):
    NODES = ('--node', 'a', '--node', 'b')

    def route(self, *args, **kwargs):
        return self.ok('route', *self.NODES, *args, **kwargs)

    def keys_of(self, output):
        return [line.split(b'\t')[0] for line in output.splitlines()]

    def test_keys_come_from_arguments_files_and_standard_input(self):
        expected = self.route(stdin=b'k1\nk2\nk3\n')
        self.assertEqual(self.route('--key', 'k1', '--key=k2', '--key', 'k3'),
                         expected)
        one = self.write(b'k1\n', 'one')
        two = self.write(b'k3', 'two')
        self.assertEqual(self.route(one, '-', two, stdin=b'k2\n'), expected)
        self.assertEqual(self.route('--key', 'k1', '-', two, stdin=b'k2'),
                         expected)
        self.assertEqual(self.keys_of(expected), [b'k1', b'k2', b'k3'])

    def test_keys_that_look_like_options_are_keys(self):
        keys = ['{}', '[a,b]', '%%', '', 'a b', 'show', 'route', '--', '=']
        args = [arg for key in keys for arg in ('--key', key)]
        self.assertEqual(self.keys_of(self.route(*args)),
                         [key.encode() for key in keys])
        self.assertEqual(self.keys_of(self.route('--key=', '--key=-x')),
                         [b'', b'-x'])
        for key in ('show', '-1', '{}'):
            self.assertIn(key.encode(), self.ok('explain', *self.NODES, key))
        self.assertIn(b'-x', self.ok('explain', *self.NODES, '--', '-x'))
        # A file, of which there is none, and not another verb.
        self.refused('route', *self.NODES, 'show', says='show: ')

    def test_lines_are_keys_byte_for_byte(self):
        data = b'\nk\r\n\xff\xfe\na\x00b\n\t\\\n last'
        self.assertEqual(self.keys_of(self.route(stdin=data)),
                         [b'', b'k\\x0d', b'\\xff\\xfe', b'a\\x00b',
                          b'\\t\\\\', b' last'])
        self.assertEqual(self.route(stdin=b''), b'')
        self.assertEqual(self.keys_of(self.route(stdin=b'\n')), [b''])
        self.assertEqual(self.keys_of(self.route(stdin=b'\xef\xbb\xbfk')),
                         [b'\\xef\\xbb\\xbfk'])

    def test_nul_separates_with_0(self):
        out = self.route('-0', stdin=b'a\nb\0\0c')
        self.assertEqual(self.keys_of(out), [b'a\\nb', b'', b'c'])

    def test_hex_keys_are_decoded(self):
        hashes = [json.loads(line)['hash'] for line in self.route(
            '--json', '--hex', stdin=b'6B31\n\nff').splitlines()]
        raw = [json.loads(line)['hash'] for line in self.route(
            '--json', stdin=b'k1\n\n\xff').splitlines()]
        self.assertEqual(hashes, raw)

    def test_bad_hex_is_refused_with_its_line(self):
        for data, line in ((b'zz', 1), (b'00\n0', 2), (b'00\n00\r\n', 2)):
            path = self.write(data, 'keys')
            self.refused('route', *self.NODES, '--hex', path,
                         says='%s:%d:' % (path, line))
        self.refused('route', *self.NODES, '--hex', '--key', 'xy', says='xy')
        self.refused('explain', *self.NODES, '--hex', 'xy', says='xy')
        data = b'00\n' * 10000 + b'g0\n'
        result = cli_case.run('route', *self.NODES, '--hex', stdin=data)
        self.assertEqual(result.returncode, REFUSED)
        self.assertIn(b'standard input:10001:', result.stderr)

    def test_text_escapes_what_does_not_print(self):
        keys = ['a\tb', 'ключ', 'x\u0085y', 'x\u202ey', 'x\u200by',
                '\U0001f600']
        data = b''.join(k.encode() + b'\0' for k in keys)
        self.assertEqual(
            self.keys_of(self.route('-0', stdin=data)),
            [b'a\\tb', 'ключ'.encode(), b'x\\xc2\\x85y', b'x\\xe2\\x80\\xaey',
             b'x\\xe2\\x80\\x8by', '\U0001f600'.encode()])
        # Overlong, surrogate, above 10FFFF, cut short.
        for bad in (b'\xc0\x80', b'\xed\xa0\x80', b'\xf4\x90\x80\x80',
                    b'\xe2\x82', b'\x80'):
            escaped = b''.join(b'\\x%02x' % byte for byte in bad)
            self.assertEqual(self.keys_of(self.route(stdin=bad)), [escaped])

    def test_json_is_an_object_a_line(self):
        out = self.route('--json', '--replicas', '3', '-0',
                         stdin=b'"q"\\\n\0\xff\0' + 'ключ'.encode())
        lines = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(lines[0]['key'], '"q"\\\n')
        self.assertEqual(lines[1]['key_hex'], 'ff')
        self.assertNotIn('key', lines[1])
        self.assertEqual(lines[2]['key'], 'ключ')
        for line in lines:
            self.assertRegex(line['hash'], r'\A[0-9a-f]{16}\Z')
            self.assertEqual(line['owner'], line['replicas'][0])
            self.assertEqual(sorted(line['replicas']), ['a', 'b'])
            self.assertEqual(line['short_by'], 1)
        empty = json.loads(self.route('--json', '--key', ''))
        self.assertEqual(empty['hash'], '2d06800538d394c2')

    def test_replica_lists_end_where_the_nodes_do(self):
        for wanted, length in ((0, 0), (1, 1), (2, 2), (3, 2), (1000000, 2)):
            with self.subTest(wanted=wanted):
                args = ('--replicas', str(wanted), '--key', '14')
                text = self.route(*args).rstrip(b'\n').split(b'\t')
                self.assertEqual(len(text), 1 + length)
                self.assertEqual(len(set(text)), 1 + length)
                answer = json.loads(self.route('--json', *args))
                self.assertEqual(len(answer['replicas']), length)
                self.assertEqual(answer['short_by'], wanted - length)
                self.assertIn(answer['owner'], ('a', 'b'))

    ZONED = [arg for node in ('a1@A', 'a2@A', 'b1@B', 'b2@B', 'c1@C', 'c2@C')
             for arg in ('--node', node)]

    def spread(self, *args, **kwargs):
        out = self.ok('route', *self.ZONED, '--spread', '--json', *args,
                      stdin=b''.join(b'key-%d\n' % i for i in range(300)),
                      **kwargs)
        return [json.loads(line) for line in out.splitlines()]

    def zones_of(self, answer):
        zones = [node[0] for node in answer['replicas']]
        return sorted((zones.count(z) for z in set(zones)), reverse=True)

    def test_spread_puts_replicas_into_zones(self):
        for wanted, zones, relaxed in ((0, [], False), (1, [1], False),
                                       (3, [1, 1, 1], False),
                                       (4, [2, 1, 1], True),
                                       (6, [2, 2, 2], True),
                                       (1000000, [2, 2, 2], True)):
            with self.subTest(wanted=wanted):
                for answer in self.spread('--replicas', str(wanted)):
                    self.assertEqual(self.zones_of(answer), zones)
                    self.assertIs(answer['relaxed'], relaxed)
                    self.assertEqual(answer['short_by'], max(0, wanted - 6))
        plain = self.ok('route', *self.ZONED, '--key', 'k').split()
        text = self.ok('route', *self.ZONED, '--key', 'k', '--spread',
                       '--replicas', '3').split()
        self.assertEqual(text[:2], plain)
        self.assertEqual(len(text), 4)
        self.assertNotIn(b'relaxed', self.ok('route', *self.ZONED, '--json',
                                             '--replicas', '3', '--key', 'k'))

    def test_spread_passes_over_excluded_nodes(self):
        for answer in self.spread('--replicas', '3', '--exclude', 'c1,c2'):
            self.assertEqual(self.zones_of(answer), [2, 1])
            self.assertTrue(answer['relaxed'])
        for answer in self.spread('--replicas', '3', '--exclude',
                                  'a1,a2,b1,b2,c1,c2', code=REFUSED):
            self.assertEqual(answer['replicas'], [])
            self.assertEqual(answer['short_by'], 3)
            self.assertIsNone(answer['owner'])

    def test_zone_counts_are_kept(self):
        for answer in self.spread('--zone-counts', 'A=2,C=1'):
            self.assertEqual(sorted(n[0] for n in answer['replicas']),
                             ['a', 'a', 'c'])
            self.assertEqual(answer['owner'], answer['replicas'][0])
            self.assertFalse(answer['relaxed'])
        for answer in self.spread('--zone-counts', 'A=3'):
            self.assertEqual(self.zones_of(answer), [2, 1])
            self.assertTrue(answer['relaxed'])

    def test_near_replicas_come_first(self):
        far = self.spread('--replicas', '4')
        near = self.spread('--replicas', '4', '--near', 'B')
        for one, other in zip(far, near):
            self.assertEqual(one['owner'], other['owner'])
            nodes = one['replicas']
            self.assertEqual(other['replicas'],
                             [n for n in nodes if n[0] == 'b'] +
                             [n for n in nodes if n[0] != 'b'])
        self.assertEqual(near, self.spread('--replicas', '4', '--near', '/B'))

    def test_strict_answers_nothing_rather_than_something_else(self):
        for wanted, code in (('3', OK), ('4', REFUSED), ('7', REFUSED)):
            for answer in self.spread('--replicas', wanted, '--strict',
                                      code=code):
                self.assertEqual(answer['owner'] is None, code == REFUSED)
                self.assertEqual(len(answer['replicas']),
                                 3 if code == OK else 0)

    def test_misuse_of_spread_is_told(self):
        def misuse(*args, says, nodes=self.ZONED, code=cli_case.MISUSE):
            result = cli_case.run('route', *nodes, '--key', 'k', *args)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertEqual(result.stdout, b'')
            self.assertIn(says.encode(), result.stderr)

        misuse('--zone-counts', 'A=1', says='--spread')
        misuse('--near', 'A', says='--spread')
        misuse('--strict', says='--spread')
        for bad in ('A', 'A=', 'A=0', 'A=x', '', 'A=1,A=2', 'A=1,'):
            misuse('--spread', '--zone-counts', bad, says='--zone-counts')
        misuse('--spread', '--zone-counts', 'A=2', '--replicas', '3',
               says='--replicas 3')
        misuse('--spread', '--near', 'D', says="'D'", code=REFUSED)
        misuse('--spread', '--near', 'eu/A', says="'eu'", code=REFUSED)
        misuse('--spread', '--scheme', 'rendezvous', nodes=self.NODES,
               says='rendezvous is no ring')
        regions = self.write(members(
            {'id': 'a', 'region': 'eu', 'zone': 'z'},
            {'id': 'b', 'region': 'us', 'zone': 'z'}))
        for option in (('--near', 'z'), ('--zone-counts', 'z=1')):
            misuse('--spread', *option, nodes=('-m', regions),
                   says="'eu' and 'us'", code=REFUSED)

    def test_explain_says_why_replicas_spread(self):
        text = self.ok('explain', *self.ZONED, '--spread', '--replicas', '4',
                       '--exclude', 'a1', 'k').decode()
        rows = re.findall(r'(?m)^ +([1-4])  (\w+)  +([ABC])', text)
        self.assertEqual(len(rows), 4)
        self.assertEqual({row[2] for row in rows[:3]}, {'A', 'B', 'C'})
        routed = self.ok('route', *self.ZONED, '--spread', '--replicas', '4',
                         '--exclude', 'a1', '--key', 'k').decode().split()
        self.assertEqual([row[1] for row in rows], routed[1:])
        self.assertIn('its zone 1', text)
        self.assertIn('relaxed: replicas share a zone', text)

    def test_excluded_nodes_are_passed_over_in_order(self):
        nodes = [arg for i in range(6) for arg in ('--node', 'n%d' % i)]
        keys = b''.join(b'key-%d\n' % i for i in range(500))
        full = self.ok('route', *nodes, '--replicas', '6', stdin=keys)
        for excluded in ({b'n0'}, {b'n1', b'n4'}):
            out = self.ok('route', *nodes, '--replicas', '6', '--exclude',
                          b','.join(excluded), stdin=keys)
            expected = [[f for f in line.split(b'\t') if f not in excluded]
                        for line in full.splitlines()]
            self.assertEqual([line.split(b'\t') for line in out.splitlines()],
                             expected)
        self.refused('route', *nodes, '--exclude', 'n0,nope', says="'nope'")

    def test_a_retry_without_the_owner_finds_the_other_node(self):
        keys = b''.join(b'key-%d\n' % i for i in range(200))
        for dead, alive in ((b'a', b'b'), (b'b', b'a')):
            out = self.route('--exclude', dead, stdin=keys)
            self.assertEqual({line.split(b'\t')[1] for line in
                              out.splitlines()}, {alive})

    def test_excluded_ids_may_hold_commas(self):
        path = self.write(members('x,y', 'z'))
        self.assertEqual(self.ok('route', '-m', path, '--key', 'k',
                                 '--exclude', 'x,y'), b'k\tz\n')

    def test_no_owner_is_a_dash_and_exit_1(self):
        empty = self.write(members())
        drained = self.write(members({'id': 'a', 'weight': 0}), 'drained')
        for path in (empty, drained):
            for extra in ((), ('--replicas', '3')):
                out = self.ok('route', '-m', path, '--key', 'k', *extra,
                              code=REFUSED)
                self.assertEqual(out, b'k\t-\n')
            out = self.ok('route', '-m', path, '--key', 'k', '--json',
                          code=REFUSED)
            answer = json.loads(out)
            self.assertIsNone(answer['owner'])
            self.assertEqual((answer['replicas'], answer['short_by']), ([], 1))
        out = self.ok('route', *self.NODES, '--exclude', 'a,b', '--key', 'k',
                      code=REFUSED)
        self.assertEqual(out, b'k\t-\n')

    def test_files_are_opened_before_anything_is_written(self):
        good = self.write(b'k\n', 'good')
        self.refused('route', *self.NODES, good, self.path('none'),
                     says=(self.path('none'), 'No such file'))
        self.refused('route', *self.NODES, good, self.folder,
                     says=(self.folder, 'directory'))
        self.refused('check', *self.NODES, self.folder, says='directory')

    def test_long_lines_are_keys(self):
        long = b'x' * (20 << 20)
        out = self.route(stdin=b'k1\n' + long + b'\nk2\n' + long)
        lines = out.splitlines()
        self.assertEqual([len(line) for line in lines],
                         [4, (20 << 20) + 2, 4, (20 << 20) + 2])
        self.assertEqual(lines[1], lines[3])

    def test_lines_across_chunks_are_whole(self):
        keys = [b'%d' % i + b'y' * (i % 300) for i in range(20000)]
        self.assertEqual(self.keys_of(self.route(stdin=b'\n'.join(keys))), keys)

    def test_batches_and_single_keys_agree(self):
        keys = [b'key-%d' % i for i in range(9000)]
        batch = self.route(stdin=b'\n'.join(keys)).splitlines()
        for i in (0, 1, 4095, 4096, 8999):
            self.assertEqual(self.route('--key', keys[i]).rstrip(), batch[i])

    def test_memory_is_bounded(self):
        # 2 * 10^6 lines, 160 MB, in an address space that cannot hold them.
        limit = 'ulimit -v 150000; exec "$0" route --node a --node b'
        with open(cli_case.COMMAND, 'rb') as file:
            if b'__asan' in file.read():
                self.skipTest('the sanitizer reserves terabytes')
        command = subprocess.Popen(['bash', '-c', limit, cli_case.COMMAND],
                                   stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL)
        block = (b'k' * 79 + b'\n') * 100000
        for _ in range(20):
            command.stdin.write(block)
        command.stdin.close()
        self.assertEqual(command.wait(), OK)

    def test_keys_from_a_pipe_are_answered_as_they_come(self):
        command = subprocess.Popen([cli_case.COMMAND, 'route', *self.NODES],
                                   stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, bufsize=0)
        for i in range(3):
            command.stdin.write(b'key-%d\n' % i)
            ready, _, _ = select.select([command.stdout], [], [], 60)
            self.assertTrue(ready)
            self.assertIn(b'key-%d\t' % i, command.stdout.read(100))
        command.stdin.close()
        self.assertEqual(command.wait(), OK)
        command.stdout.close()

    @unittest.skipUnless(os.path.exists('/dev/full'), 'no /dev/full')
    def test_a_full_disk_is_reported(self):
        for args in (('route', '--key', 'k'), ('show',), ('digest',)):
            with open('/dev/full', 'wb') as full:
                result = subprocess.run([cli_case.COMMAND, *args, *self.NODES],
                                        stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(result.returncode, REFUSED)
            self.assertRegex(result.stderr, rb'standard output: No space')

    def test_a_closed_pipe_is_reported(self):
        reader, writer = os.pipe()
        os.close(reader)
        result = subprocess.run([cli_case.COMMAND, 'digest', *self.NODES],
                                stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        self.assertEqual(result.returncode, REFUSED)
        self.assertIn(b'standard output: Broken pipe', result.stderr)

    def test_progress_shows_on_a_terminal_only(self):
        master, slave = pty.openpty()
        command = subprocess.Popen([cli_case.COMMAND, 'route', *self.NODES],
                                   stdin=subprocess.PIPE, stderr=slave,
                                   stdout=subprocess.DEVNULL, bufsize=0)
        os.close(slave)
        shown = b''
        for _ in range(600):
            command.stdin.write(b'k\n')
            if select.select([master], [], [], 0.05)[0]:
                shown += os.read(master, 1000)
                break
        command.stdin.close()
        self.assertEqual(command.wait(), OK)
        os.close(master)
        self.assertRegex(shown, rb'\d+ keys')


if __name__ == '__main__':
    cli_case.main()
