# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Ring files on the command line: pack, and -r in place of -m."""

import json
import os
import unittest

import cli_case
from cli_case import ALARM, MISUSE, REFUSED, CommandTest, members, run

KEYS = b''.join(b'key-%d\n' % i for i in range(500))


class RingFileTest(CommandTest):
    def pack(self, *args, name='ring.cwr', **fields):
        nodes = [{'id': 'a', 'zone': 'x', 'address': '10.0.0.1:80'},
                 {'id': 'b', 'weight': 2}, {'id': 'c', 'weight': 0}]
        self.members = self.write(members(*nodes, epoch=7, **fields))
        self.ring = self.path(name)
        return self.ok('pack', '-m', self.members, '-o', self.ring, *args)

    def test_pack_prints_the_digest(self):
        digest = self.pack()
        self.assertEqual(digest, self.ok('digest', '-m', self.members))
        self.assertEqual(os.listdir(self.folder).count('ring.cwr'), 1)
        self.assertEqual(len(os.listdir(self.folder)), 2)

    def test_every_verb_answers_from_the_file_as_from_the_members(self):
        self.pack(ring={'seed': 5, 'width': 32, 'key_hash': 'murmur3-32'},
                  name='ring.cwr')
        keys = self.write(KEYS, 'keys')
        simulate = ['simulate', '--kill', 'a', keys]
        for verb, codes in ((['digest'], [0]), (['route', keys], [0]),
                            (['route', '--replicas', '2', '--json', keys], [0]),
                            (['explain', 'key-1'], [0]),
                            (['show', '--json'], [0]), (['show'], [0]),
                            (['check', keys], [0, ALARM]),
                            (simulate, [0, ALARM]),
                            (simulate + ['--with-vnodes', '64'], [0, ALARM])):
            there = run(verb[0], '-m', self.members, *verb[1:])
            for how in ([], ['--copy'], ['--trusted'], ['--copy', '--trusted']):
                here = run(verb[0], '-r', self.ring, *how, *verb[1:])
                self.assertIn(here.returncode, codes, (verb, here.stderr))
                self.assertEqual(here.returncode, there.returncode, verb)
                self.assertEqual(here.stdout, there.stdout, verb)

    def test_a_layout_is_changed_and_no_answer(self):
        self.pack()
        before = self.ok('route', '-r', self.ring, stdin=KEYS)
        for layout in ('sorted', 'eytzinger', 'splus', 'line'):
            other = self.path(layout)
            self.ok('pack', '-r', self.ring, '--layout', layout, '-o', other)
            shown = json.loads(self.ok('show', '-r', other, '--json'))
            self.assertEqual(shown['layout'], layout)
            self.assertEqual(shown['epoch'], 7)
            self.assertEqual(self.ok('route', '-r', other, stdin=KEYS), before)
        self.refused('show', '-r', self.ring, '--layout', 'round', code=MISUSE,
                     says="--layout: 'round'")

    def test_packing_a_file_again_gives_the_same_bytes(self):
        self.pack()
        again = self.path('again.cwr')
        self.ok('pack', '-r', self.ring, '-o', again)
        with open(self.ring, 'rb') as a, open(again, 'rb') as b:
            self.assertEqual(a.read(), b.read())
        # And over itself, while it is mapped.
        self.ok('pack', '-r', again, '-o', again)
        self.ok('digest', '-r', again)

    def test_rings_of_other_systems_are_files_too(self):
        schemes = {s['id'] for s in json.loads(self.ok('schemes', '--json'))}
        if 'nginx-consistent' not in schemes:
            self.skipTest('this command was built without clockwise-compat')
        for scheme in ('nginx-consistent', 'libketama', 'twemproxy-ketama',
                       'envoy-ring-hash', 'haproxy-consistent', 'groupcache'):
            self.assertIn(scheme, schemes)
            nodes = ['--scheme', scheme, '--node', '10.0.0.2:80',
                     '--node', '10.0.0.1:80']
            path = self.path(scheme)
            self.ok('pack', *nodes, '-o', path)
            self.assertEqual(self.ok('route', '-r', path, stdin=KEYS),
                             self.ok('route', *nodes, stdin=KEYS), scheme)

    def test_what_is_no_ring_is_no_file(self):
        self.refused('pack', '--scheme', 'jump', '--node', 'a', '-o',
                     self.path('x'), code=MISUSE, says='no ring')
        self.assertEqual(os.listdir(self.folder), [])

    def test_bad_files_are_refused_by_name(self):
        self.pack()
        with open(self.ring, 'rb') as file:
            whole = file.read()
        flipped = bytearray(whole)
        flipped[len(whole) // 2] ^= 1
        for content, fault in ((whole[:-1], 'truncated'),
                               (whole + b'\0', 'trailing_bytes'),
                               (bytes(flipped), '_checksum'),
                               (b'{"schema": 1}', 'not_ring_file')):
            path = self.write(content, 'bad.cwr')
            self.refused('digest', '-r', path, says=(path, fault))
        self.refused('digest', '-r', self.path('none'), says='none')
        self.refused('digest', '-r', self.folder, says=self.folder)

    def test_what_cannot_be_written_leaves_the_old_file(self):
        self.pack()
        with open(self.ring, 'rb') as file:
            before = file.read()
        self.refused('pack', '--node', 'z', '-o', self.path('no/such/folder'),
                     says='no/such/folder')
        # A file may be no larger than this: as a full disk.
        result = run('pack', '--node', 'z', '--vnodes', '60000', '-o',
                     self.ring, preexec_fn=limit_files)
        self.assertEqual(result.returncode, REFUSED)
        self.assertIn(b'cannot be written', result.stderr)
        with open(self.ring, 'rb') as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(len(os.listdir(self.folder)), 2)

    def test_misuse(self):
        self.pack()
        for args in (['-r', self.ring, '-m', self.members],
                     ['-r', self.ring, '--node', 'a'],
                     ['-r', self.ring, '--vnodes', '5'],
                     ['-m', self.members, '--trusted'],
                     ['--node', 'a', '--copy']):
            self.refused('digest', *args, code=MISUSE, says='-r FILE')
        self.refused('pack', '--node', 'a', code=MISUSE, says='--output')


def limit_files():
    """Lets no file grow beyond a few pages, without the signal for it."""
    import resource
    import signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))


if __name__ == '__main__':
    cli_case.main()
