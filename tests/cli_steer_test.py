# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""The program clockwise-steer, on a capture whose flows are known."""

import json
import os
import pathlib
import struct
import subprocess
import unittest

import cli_case
import make_capture
from cli_case import MISUSE, CommandTest
from make_capture import ETHERNET, capture, packets

CAPTURE = str(pathlib.Path(__file__).parent / 'capture' / 'flows.pcap')
CORES = ('--cores', '8')
ALL = [*packets(), *make_capture.not_ip()]


def key_text(packet, is_symmetric=False):
    return packet.flow.key(is_symmetric).hex() if packet.flow else None


class SteerTest(CommandTest):
    def list(self, *args, **kwargs):
        """(core, key) of each packet; what cannot be read has core None."""
        out = self.ok(*CORES, '--list', *args, **kwargs).decode()
        rows = [line.split('\t') for line in out.splitlines()]
        self.assertEqual([int(row[0]) for row in rows],
                         list(range(1, len(rows) + 1)))
        return [(None, why) if core == '-' else (int(core), why)
                for _, core, why in rows]

    def report(self, *args, **kwargs):
        return json.loads(self.ok(*CORES, '--json', *args, **kwargs))


class CaptureTest(SteerTest):
    def test_the_capture_is_what_its_script_makes(self):
        self.assertEqual(pathlib.Path(CAPTURE).read_bytes(),
                         capture(ETHERNET, ALL))

    def test_keys_are_those_of_the_flows(self):
        for flags, is_symmetric in (((), False), (('--symmetric',), True)):
            rows = self.list(CAPTURE, *flags)
            self.assertEqual(len(rows), len(ALL))
            for packet, (core, key) in zip(ALL, rows):
                with self.subTest(what=packet.what, flow=packet.flow):
                    if packet.flow:
                        self.assertEqual(key, key_text(packet, is_symmetric))
                        self.assertIn(core, range(8))
                    else:
                        self.assertIsNone(core)
        self.assertEqual(rows[-1], (None, 'not IP'))
        self.assertEqual(sum(key == 'too short' for _, key in rows), 9)

    def test_directions_and_errors_meet_if_symmetric(self):
        cores = {}
        for packet, (core, _) in zip(ALL, self.list(CAPTURE, '--symmetric')):
            if packet.flow:
                ends = packet.flow.key(is_symmetric=True)
                cores.setdefault(ends, []).append(core)
        for flow in make_capture.flows():
            met = cores[flow.key(is_symmetric=True)]
            self.assertEqual(len(met), 3)  # there, back, error
        self.assertTrue(all(len(set(met)) == 1 for met in cores.values()))
        self.assertGreater(len({met[0] for met in cores.values()}), 4)

    def test_errors_go_with_the_answers_if_not(self):
        cores = {}
        directions_apart = 0
        for packet, (core, key) in zip(ALL, self.list(CAPTURE)):
            if packet.what in ('there', 'back', 'error'):
                self.assertEqual(cores.setdefault(key, core), core)
        for flow in make_capture.flows():
            directions_apart += cores[flow.key().hex()] != \
                cores[flow.reversed().key().hex()]
        self.assertGreater(directions_apart, 16)

    def test_fragments_of_a_packet_meet(self):
        rows = self.list(CAPTURE)
        for is_v6 in (False, True):
            cores = {core for packet, (core, _) in zip(ALL, rows)
                     if packet.what == 'fragment'
                     and packet.flow.is_v6() == is_v6}
            self.assertEqual(len(cores), 1)

    def test_every_link_type_gives_the_same(self):
        expected = self.list(CAPTURE)[:-1]
        for name in ('RAW', 'COOKED', 'COOKED2', 'NULL', 'LOOP'):
            with self.subTest(link=name):
                link = getattr(make_capture, name)
                path = self.write(capture(link, packets()), name)
                self.assertEqual(self.list(path), expected)
                if name != 'RAW':
                    path = self.write(capture(link, ALL), name)
                    self.assertEqual(self.list(path)[-1], (None, 'not IP'))

    def test_headers_of_a_link_may_be_cut(self):
        for name in ('ETHERNET', 'COOKED', 'COOKED2', 'NULL', 'LOOP'):
            link = getattr(make_capture, name)
            size = len(make_capture.link_header(ALL[0], link))
            packet = make_capture.Packet('', b'', None, make_capture.IPV4)
            whole = capture(link, [packet])
            for cut in range(1, size + 1):
                head, data = whole[:32], whole[40:40 + size - cut]
                path = self.write(head + struct.pack('<II', len(data), size)
                                  + data, name)
                self.assertEqual(self.list(path), [(None, 'too short')])

    def test_an_ordinary_ring_of_the_same_ids_gives_the_same(self):
        keys = [key for core, key in self.list(CAPTURE) if core is not None]
        nodes = [arg for i in range(8) for arg in ('--node', 'core-%05d' % i)]
        command = cli_case.COMMAND.removesuffix('-steer')
        routed = subprocess.run(
            [command, 'route', '--hex', '--vnodes', '2048', *nodes],
            input='\n'.join(keys).encode(), capture_output=True, check=True)
        owners = [line.split(b'\t')[1].decode()
                  for line in routed.stdout.splitlines()]
        cores = [core for core, _ in self.list(CAPTURE) if core is not None]
        self.assertEqual(owners, ['core-%05d' % core for core in cores])


class ReportTest(SteerTest):
    def test_counts_are_those_of_the_list(self):
        for flags in ((), ('--symmetric',)):
            rows = self.list(CAPTURE, *flags)
            steered = [(core, key) for core, key in rows if core is not None]
            report = self.report(CAPTURE, *flags)
            self.assertEqual(report['source'], CAPTURE)
            self.assertEqual(report['symmetric'], bool(flags))
            self.assertEqual(report['packets'], len(steered))
            self.assertEqual(report['flows'], len(set(steered)))
            self.assertEqual(report['not_ip'], 1)
            self.assertEqual(report['too_short'], 9)
            for core in report['cores']:
                mine = [row for row in steered if row[0] == core['core']]
                self.assertEqual(core['packets'], len(mine))
                self.assertEqual(core['flows'], len(set(mine)))
                self.assertAlmostEqual(core['share'],
                                       len(mine) / len(steered))
            peak = max(core['packets'] for core in report['cores'])
            self.assertAlmostEqual(report['packets_peak_to_mean'],
                                   peak * 8 / len(steered))
            self.assertGreater(report['packets_per_second'], 0)

    def test_text_tells_the_same(self):
        report = self.report(CAPTURE)
        text = self.ok(*CORES, CAPTURE).decode()
        self.assertIn('%d packets of %d flows; 1 not IP, 9 too short' % (
            report['packets'], report['flows']), text)
        for core in report['cores']:
            self.assertRegex(text, r'(?m)^ +%d +%d +%d +%.2f%%$' % (
                core['core'], core['packets'], core['flows'],
                100 * core['share']))
        self.assertIn('peak over mean: packets %.3f, flows %.3f' % (
            report['packets_peak_to_mean'], report['flows_peak_to_mean']),
            text)
        self.assertIn('without reading and parsing', text)

    def test_random_flows(self):
        for extra, size in (((), 13), (('--ipv6',), 37)):
            args = ('--flows', '3000', *extra)
            rows = self.list(*args)
            self.assertEqual({len(key) for _, key in rows}, {2 * size})
            self.assertEqual(len(set(rows)), 3000)
            self.assertEqual(rows, self.list(*args, '--seed', '0'))
            self.assertNotEqual(rows, self.list(*args, '--seed', '1'))
            report = self.report(*args)
            self.assertEqual(report['packets'], 3000)
            self.assertLess(report['packets_peak_to_mean'], 1.2)

    def test_a_drained_core_leaves_the_others_as_they_were(self):
        flows = ('--flows', '20000')
        before = self.list(*flows)
        after = self.list(*flows, '--drain', '3')
        self.assertNotIn(3, {core for core, _ in after})
        self.assertTrue(all(old == new or old[0] == 3
                            for old, new in zip(before, after)))
        report = self.report(*flows, '--drain', '3', '--drain', '0')
        drained = [core['core'] for core in report['cores']
                   if core['drained']]
        self.assertEqual(drained, [0, 3])
        self.assertLess(report['packets_peak_to_mean'], 1.2)
        self.assertRegex(self.ok(*CORES, *flows, '--drain', '3').decode(),
                         r'(?m)^ +3 +0 +0 +0\.00%  drained$')

    def test_a_capture_may_come_from_standard_input(self):
        with open(CAPTURE, 'rb') as file:
            data = file.read()
        self.assertEqual(self.list('-', stdin=data), self.list(CAPTURE))


class RefusalTest(SteerTest):
    def test_misuse(self):
        for args, says in (
                ((), '--cores'), (CORES, 'FILE'),
                ((CAPTURE,), '--cores'),
                ((*CORES, CAPTURE, '--flows', '5'), '--flows'),
                ((*CORES, CAPTURE, '--seed', '5'), '--flows'),
                ((*CORES, CAPTURE, '--ipv6'), '--flows'),
                ((*CORES, CAPTURE, '--list', '--json'), '--list'),
                (('--cores', '0', CAPTURE), '--cores'),
                (('--cores', '65537', CAPTURE), 'from 1 to 65536'),
                (('--cores', '65536', CAPTURE), 'points'),
                (('--cores', 'x', CAPTURE), "'x'"),
                ((*CORES, '--flows', '0'), '--flows'),
                ((*CORES, '--flows', '1' * 9), '--flows'),
                ((*CORES, '--flows', '5', '--seed', '-1'), '--seed'),
                ((*CORES, '--drain', '8', CAPTURE), 'no core 8'),
                ((*CORES, '--drain', 'a', CAPTURE), '--drain'),
                (('--cores', '1', '--drain', '0', CAPTURE), 'no core'),
                ((*CORES, '--frob', CAPTURE), '--frob')):
            with self.subTest(args=args):
                self.refused(*args, code=MISUSE, says=says)

    def test_files_that_are_no_captures(self):
        with open(CAPTURE, 'rb') as file:
            data = file.read()
        cases = [
            (self.path('absent'), 'No such file'), (self.folder, 'directory'),
            (self.write(b'', 'empty'), 'truncated'),
            (self.write(b'#!/bin/sh\n' * 9, 'script'), 'format'),
            (self.write(data[:20], 'head'), 'truncated'),
            (self.write(capture(105, packets()), 'wifi'), 'IEEE802_11'),
            (self.write(capture(ETHERNET, make_capture.not_ip()), 'other'),
             'no packet has a flow'),
        ]
        for path, says in cases:
            with self.subTest(path=os.path.basename(path)):
                self.refused(*CORES, path, says=(path, says))

    def test_a_file_that_breaks_off_is_refused_by_packet(self):
        with open(CAPTURE, 'rb') as file:
            data = file.read()
        path = self.write(data[:-5], 'broken')
        for flags in ((), ('--list',), ('--json',)):
            self.refused(*CORES, path, *flags,
                         says=(path, 'packet %d' % len(ALL)))

    def test_help_and_version(self):
        self.assertRegex(self.ok('--version'),
                         rb'\Aclockwise-steer \d+\.\d+\.\d+\n')
        self.assertIn(b'--symmetric', self.ok('--help'))


if __name__ == '__main__':
    cli_case.main()
