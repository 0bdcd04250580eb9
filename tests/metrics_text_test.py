#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Reads a page of metrics by the grammar of the text exposition format 0.0.4,
strictly, and holds it against the JSON of the same snapshot. Where the parser of
prometheus_client or promtool is installed, they read it too.

usage: metrics_text_test.py PROGRAM
"""
import json
import re
import shutil
import subprocess
import sys
import unittest

METRIC = r'[a-zA-Z_:][a-zA-Z0-9_:]*'
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')
HELP = re.compile(rf'# HELP ({METRIC}) ((?:[^\\\n]|\\[\\n])+)')
TYPE = re.compile(rf'# TYPE ({METRIC}) (counter|gauge)')
SAMPLE = re.compile(rf'({METRIC})\{{(.*)\}} (\d+(?:\.\d+)?(?:e[+-]\d+)?)')


class Fault(Exception):
    pass


def unescape(text):
    """What the format escapes in the value of a label."""
    return re.sub(r'\\(.)', lambda m: '\n' if m[1] == 'n' else m[1], text)


def id_of(value):
    """The bytes that a label stands for: undoes what metrics_snapshot.h says."""
    out, i = b'', 0
    while i < len(value):
        if value[i] != '\\':
            out, i = out + value[i].encode(), i + 1
        elif value[i + 1] == '\\':
            out, i = out + b'\\', i + 2
        elif match := re.match(r'x([0-9a-f]{2})', value[i + 1:]):
            out, i = out + bytes([int(match[1], 16)]), i + 4
        else:
            raise Fault(f'no such escape: {value[i:]!r}')
    return out


def labels_of(text):
    """Returns ((name, value), ...) of what stands between braces."""
    labels, at = [], 0
    while at < len(text):
        match = LABEL.match(text, at)
        if not match:
            raise Fault(f'not a label: {text[at:]!r}')
        labels.append((match[1], unescape(match[2])))
        at = match.end()
        if at < len(text) and text[at] != ',':
            raise Fault(f'no comma: {text[at:]!r}')
        at += 1
    if text.endswith(','):
        raise Fault('a comma at the end')
    return tuple(labels)


def parse(page):
    """Returns {family: (type, {labels: value})}."""
    text = page.decode()  # strict: UTF-8
    if not text.endswith('\n'):
        raise Fault('the last line does not end')
    families, lines = {}, text[:-1].split('\n')
    while lines:
        help_line, type_line = HELP.fullmatch(lines[0]), None
        if help_line and len(lines) > 1:
            type_line = TYPE.fullmatch(lines[1])
        if not type_line or type_line[1] != help_line[1]:
            raise Fault(f'not HELP and TYPE of one family: {lines[:2]}')
        name, kind = type_line.groups()
        if name in families:
            raise Fault(f'{name} comes twice')
        if (kind == 'counter') != name.endswith('_total'):
            raise Fault(f'{name} is a {kind}')
        families[name] = (kind, samples := {})
        lines = lines[2:]
        while lines and not lines[0].startswith('#'):
            match = SAMPLE.fullmatch(lines.pop(0))
            if not match or match[1] != name:
                raise Fault(f'not a sample of {name}')
            labels = labels_of(match[2])
            if len({key for key, _ in labels}) < len(labels):
                raise Fault(f'a label twice: {labels}')
            if labels in samples:
                raise Fault(f'a sample twice: {labels}')
            samples[labels] = match[3]
        if not samples:
            raise Fault(f'{name} has no samples')
    return families


def text_or_hex(entry, name):
    if name in entry:
        return entry[name].encode()
    return bytes.fromhex(entry[name + '_hex'])


class MetricsTextTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        out = subprocess.run([PROGRAM], check=True, stdout=subprocess.PIPE)
        cls.page, text = out.stdout.split(b'\0')
        cls.snapshot = json.loads(text)
        cls.families = parse(cls.page)

    def by_node(self, family):
        return {id_of(dict(labels)['node']): value
                for labels, value in self.families[family][1].items()}

    def test_ids_are_read_back(self):
        ids = [text_or_hex(node, 'id') for node in self.snapshot['nodes']]
        self.assertEqual(len(ids), 20)
        self.assertEqual(list(self.by_node('clockwise_node_weight')), ids)
        for labels in self.families['clockwise_node_weight'][1]:
            self.assertEqual(id_of(dict(labels)['zone']), b'zone\n"\\\x80')
            self.assertEqual(id_of(dict(labels)['ring']), b'ring "\\\n')

    def test_values_are_those_of_the_json(self):
        nodes = {text_or_hex(node, 'id'): node
                 for node in self.snapshot['nodes']}
        for family, read in {
                'clockwise_node_weight': lambda n: n['weight'],
                'clockwise_node_due_ratio': lambda n: n['due'],
                'clockwise_node_share_ratio': lambda n: n['load']['share'],
                'clockwise_node_load_ratio': lambda n: n['load']['ratio'],
                'clockwise_node_load_deviation_ratio':
                    lambda n: n['load']['deviation'],
                'clockwise_node_load_chance_ratio':
                    lambda n: n['load']['chance'],
                'clockwise_node_health_level_ratio':
                    lambda n: n['health']['level'],
                'clockwise_node_in_flight_requests':
                    lambda n: n['in_flight']['requests'],
                'clockwise_node_in_flight_cap_requests':
                    lambda n: n['in_flight']['cap']}.items():
            self.assertEqual(
                {i: float(v) for i, v in self.by_node(family).items()},
                {i: float(read(n)) for i, n in nodes.items()}, family)
        self.assertEqual(
            {i: int(v)
             for i, v in self.by_node('clockwise_node_requests_total').items()},
            {i: int(n['requests']) for i, n in nodes.items()})
        self.assertIn(str(2**63 - 1),
                      self.by_node('clockwise_node_requests_total').values())

    def test_all_families_are_there(self):
        self.assertEqual(len(self.families), 34)
        for name, (_, samples) in self.families.items():
            self.assertTrue(name.startswith('clockwise_'), name)
            for labels in samples:
                self.assertEqual(labels[0][0], 'ring', name)
        one = {name: list(samples.values())
               for name, (_, samples) in self.families.items()}
        self.assertEqual(one['clockwise_hot_key_requests'], ['40', '30'])
        self.assertEqual(one['clockwise_ring_epoch'], [str(2**53)])
        self.assertEqual(one['clockwise_peer_stamps_total'].count('1'), 1)
        self.assertNotIn(b'hot "', self.page)

    def test_the_parser_refuses_what_the_format_does(self):
        good = '# HELP a_total b\n# TYPE a_total counter\na_total{l="v"} 1\n'
        self.assertEqual(parse(good.encode()),
                         {'a_total': ('counter', {(('l', 'v'),): '1'})})
        for old, new in (('counter', 'gauge'), ('"v"', '"v'), ('"v"', '"\\v"'),
                         ('"v"', '"v""'), ('"v"', '"a\nb"'), (' 1\n', ' 1'),
                         (' 1\n', '\n'), (' 1\n', ' 1\n' + good.split('\n')[2]
                          + '\n'), ('TYPE a_', 'TYPE b_'), ('} 1', '} x'),
                         ('l=', '0='), ('# HELP a_total b\n', '')):
            with self.assertRaises(Fault, msg=new):
                parse(good.replace(old, new, 1).encode())

    def test_prometheus_client_reads_it(self):
        try:
            from prometheus_client.parser import text_string_to_metric_families
        except ImportError:
            self.skipTest('no prometheus_client')
        families = list(text_string_to_metric_families(self.page.decode()))
        self.assertEqual(sum(len(f.samples) for f in families),
                         sum(len(s) for _, s in self.families.values()))

    def test_promtool_reads_it(self):
        if shutil.which('promtool') is None:
            self.skipTest('no promtool')
        found = subprocess.run(['promtool', 'check', 'metrics'],
                               input=self.page, capture_output=True)
        self.assertIn(found.returncode, (0, 3), found.stderr)  # 3: of style


if __name__ == '__main__':
    PROGRAM = sys.argv.pop(1)
    unittest.main()
