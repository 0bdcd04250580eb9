# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""The verbs `diff` and `plan`: what moves between two members files."""

import json
import os
from fractions import Fraction

import cli_case
from cli_case import MISUSE, REFUSED, CommandTest, members

KEYS = b''.join(b'user:%d\n' % i for i in range(2000))
CIRCLE = 2 ** 64


def cluster(count, **fields):
    return members(*['cache-%d' % i for i in range(1, count + 1)], **fields)


class ChangeTest(CommandTest):
    def files(self, before, after):
        return (self.write(before, 'before.json'),
                self.write(after, 'after.json'))

    def found(self, verb, before, after, *args, **kwargs):
        files = self.files(before, after)
        return json.loads(self.ok(verb, *files, '--json', *args, **kwargs))

    def owners(self, file, *args):
        out = self.ok('route', '-m', self.path(file), *args,
                      stdin=KEYS).decode()
        return [line.split('\t')[1:] for line in out.splitlines()]

    def hashes(self, file):
        out = self.ok('route', '-m', self.path(file), '--json', stdin=KEYS)
        return [int(json.loads(line)['hash'], 16) for line in out.splitlines()]


class DiffTest(ChangeTest):
    def test_shares_are_exact_and_add_up(self):
        found = self.found('diff', cluster(8), cluster(9))
        moved = Fraction(found['share_moved_exact'])
        self.assertEqual(float(moved), found['share_moved'])
        self.assertAlmostEqual(found['percent_moved'], 100 * float(moved))
        for part in ('ranges', 'by_pair'):
            self.assertEqual(
                sum(Fraction(r['share_exact']) for r in found[part]), moved)
        self.assertEqual(
            sum(Fraction(n['gained_exact']) for n in found['by_node']), moved)
        self.assertAlmostEqual(sum(n['before'] for n in found['by_node']), 1)
        for r in found['ranges']:
            width = (int(r['end'], 16) - int(r['begin'], 16)) % CIRCLE
            self.assertEqual(Fraction(r['share_exact']),
                             Fraction(width, CIRCLE))
            self.assertEqual(r['to'], 'cache-9')
        self.assertEqual([r['move'] for r in found['ranges']],
                         list(range(len(found['ranges']))))

    def test_ranges_say_what_route_says(self):
        for replicas in (1, 3):
            ring = {'vnodes': 40}
            found = self.found('diff', cluster(5, ring=ring),
                               cluster(6, ring=ring), '--replicas',
                               str(replicas), '--keys', '-', stdin=KEYS)
            args = ('--replicas', str(replicas))
            lists = zip(self.hashes('before.json'),
                        self.owners('before.json', *args),
                        self.owners('after.json', *args))
            counts = [0] * len(found['ranges'])
            for key, was, now in lists:
                expected = {(now.index(n) + 1, n) for n in now if n not in was}
                moves = [r for r in found['ranges']
                         if (key - int(r['begin'], 16) - 1) % CIRCLE <
                         (int(r['end'], 16) - int(r['begin'], 16)) % CIRCLE]
                self.assertEqual({(r['to_replica'], r['to']) for r in moves},
                                 expected)
                for r in moves:
                    counts[r['move']] += 1
            self.assertEqual([r['keys'] for r in found['ranges']], counts)

    def test_keys_are_counted_by_their_owners(self):
        for scheme in ('clockwise-1', 'maglev', 'jump', 'modulo', 'rendezvous'):
            ring = {'scheme': scheme}
            found = self.found('diff', cluster(5, ring=ring),
                               cluster(6, ring=ring), '--keys', '-',
                               stdin=KEYS)
            was = self.owners('before.json')
            now = self.owners('after.json')
            moved = [(a, b) for (a,), (b,) in zip(was, now) if a != b]
            self.assertEqual(found['keys'], 2000)
            self.assertEqual(found['keys_moved'], len(moved))
            self.assertEqual(
                {(p['from'], p['to']): p['keys']
                 for p in found['keys_by_pair']},
                {pair: moved.count(pair) for pair in moved})
            self.assertEqual('share_moved' in found, scheme == 'clockwise-1')

    def test_nodes_are_compared_by_id(self):
        # Those that stay have other numbers.
        after = members('cache-2', 'cache-3', 'cache-4')
        found = self.found('diff', cluster(3), after, '--keys', '-',
                           stdin=KEYS)
        self.assertEqual({p['from'] for p in found['keys_by_pair']} -
                         {p['to'] for p in found['keys_by_pair']},
                         {'cache-1'})
        for p in found['keys_by_pair']:
            self.assertTrue(p['from'] == 'cache-1' or p['to'] == 'cache-4')

    def test_rings_that_hash_otherwise_are_compared_by_keys(self):
        for field, value, says in (
                ('seed', 7, 'seed (0 and 7)'),
                ('width', 32, 'width (64 and 32)'),
                ('key_hash', 'fnv1a-fmix',
                 'key hash (xxh3-64 and fnv1a-64-fmix)')):
            files = self.files(cluster(3), cluster(3, ring={field: value}))
            for verb in ('diff', 'plan'):
                self.refused(verb, *files,
                             says=(*files, 'the rings differ in ' + says,
                                   '--keys'))
            found = json.loads(self.ok('diff', *files, '--json', '--keys', '-',
                                       stdin=KEYS))
            self.assertNotIn('ranges', found)
            self.refused('plan', *files, '--keys', '-', stdin=KEYS,
                         says='have no plan')

    def test_a_ring_without_nodes(self):
        found = self.found('diff', cluster(0), cluster(2))
        self.assertEqual(found['share_moved'], 1)
        self.assertEqual({r['from'] for r in found['ranges']}, {None})
        found = self.found('diff', cluster(2), cluster(0), '--keys', '-',
                           stdin=KEYS)
        self.assertEqual({r['to'] for r in found['ranges']}, {None})
        self.assertEqual(found['keys_moved'], 2000)
        found = self.found('diff', cluster(0), cluster(0))
        self.assertEqual((found['share_moved'], found['ranges']), (0, []))

    def test_text_has_nodes_pairs_and_ranges(self):
        files = self.files(cluster(2, ring={'vnodes': 2}),
                           cluster(3, ring={'vnodes': 2}))
        text = self.ok('diff', *files).decode()
        self.assertIn('2 nodes become 3\n', text)
        self.assertRegex(text, r'cache-2  cache-3 +\d+\.\d{4}% +\d')
        self.assertNotIn('up to', text)
        ranges = self.ok('diff', *files, '--ranges').decode()
        self.assertIn('up to', ranges)
        self.assertTrue(ranges.startswith(text))
        counted = self.ok('diff', *files, '--keys', '-', stdin=KEYS).decode()
        moved = int(counted.split(' of 2000 keys')[0].split('\n')[-1])
        self.assertRegex(counted, r'cache-2  cache-3 .* %d\n' % moved)
        same = self.ok('diff', files[0], files[0]).decode()
        self.assertIn('0.0000% of the circle moves, in 0 ranges: 0/', same)

    def test_pictures(self):
        few = self.files(cluster(8), cluster(9))
        picture = self.draw('diff', *few)
        self.assertEqual(self.draw('diff', *few), picture)
        self.assertIn(b'cache-9 (new)', picture)
        many = self.files(cluster(60), cluster(59, ring={'width': 64}))
        self.assertIn(b'cache-60 (gone)',
                      self.draw('diff', *many, '--replicas', '3'))
        narrow = self.files(cluster(3, ring={'width': 32}),
                            cluster(0, ring={'width': 32}))
        self.assertIn(b'cache-3 (gone)', self.draw('diff', *narrow))
        self.draw('diff', narrow[1], narrow[1])

    def test_misuse(self):
        files = self.files(cluster(2), cluster(3))
        self.refused('diff', files[0], code=MISUSE)
        self.refused('diff', *files, '--picture', 'x.gif', code=MISUSE,
                     says='x.gif')
        self.refused('diff', *files, '--replicas', '0', code=MISUSE,
                     says='--replicas')
        self.refused('diff', *files, '--replicas', '17', code=MISUSE,
                     says='17 is above 16')
        self.refused('diff', files[0], self.path('none'), says='none')
        self.refused('diff', *files, '--keys', self.write('', 'empty'),
                     says='no keys')
        ring = {'scheme': 'jump'}
        files = self.files(cluster(2, ring=ring), cluster(3, ring=ring))
        self.refused('diff', *files, says=('jump is no ring', '--keys'))
        self.refused('diff', *files, '--keys', '-', '--replicas', '2',
                     code=MISUSE, stdin=KEYS, says='--replicas')
        self.refused('diff', *files, '--keys', '-', '--picture', 'x.svg',
                     code=MISUSE, stdin=KEYS, says='--picture')


class PlanTest(ChangeTest):
    def test_guesses_are_in_proportion(self):
        found = self.found('plan', cluster(8), cluster(9), '--bytes',
                           '1000000000', '--rate', '1000000')
        self.assertEqual((found['schema'], found['order'], found['phases']),
                         (1, 'before-join', ['copy', 'switch', 'drop']))
        self.assertAlmostEqual(found['bytes'], found['share_moved'] * 1e9,
                               delta=1)
        self.assertAlmostEqual(found['seconds'], found['bytes'] / 1e6, delta=1)
        for r in found['ranges']:
            self.assertAlmostEqual(r['bytes'], r['share'] * 1e9, delta=1)
        bare = self.found('plan', cluster(8), cluster(9), '--after-join')
        self.assertEqual((bare['order'], bare['phases']),
                         ('after-join', ['switch', 'warm']))
        self.assertNotIn('bytes', bare['ranges'][0])

    def test_marks_outlive_the_command(self):
        files = self.files(cluster(3), cluster(4))
        progress = self.path('moves.done')
        plan = ('plan', *files, '--progress', progress)

        def done(*args):
            found = json.loads(self.ok(*plan, '--json', *args))
            marked = [r for r in found['ranges'] if r['done']]
            self.assertEqual(found['done'], len(marked))
            self.assertAlmostEqual(found['share_done'],
                                   sum(r['share'] for r in marked))
            return [r['move'] for r in marked]
        self.assertEqual(done(), [])
        self.assertFalse(os.path.exists(progress))
        self.assertEqual(done('--done', '3,7-9'), [3, 7, 8, 9])
        self.assertEqual(done('--done', '0', '--done', '8'), [0, 3, 7, 8, 9])
        self.assertEqual(done(), [0, 3, 7, 8, 9])
        text = self.ok(*plan, '--ranges').decode()
        self.assertIn('5 of ', text)
        self.assertEqual(sum(line.endswith(' done')
                             for line in text.splitlines()), 1 + 5)

    def test_the_progress_of_another_plan_is_refused(self):
        files = self.files(cluster(3), cluster(4))
        progress = self.path('moves.done')
        self.ok('plan', *files, '--progress', progress, '--done', '1')
        other = self.write(cluster(5), 'other.json')
        self.refused('plan', files[0], other, '--progress', progress,
                     says=(progress, 'another plan'))
        self.refused('plan', *files, '--replicas', '2', '--progress', progress,
                     says='another plan')
        self.write('{"schema": 1', 'moves.done')
        self.refused('plan', *files, '--progress', progress,
                     says='no whole progress')

    def test_steps(self):
        found = self.found('plan', cluster(8), cluster(12), '--step', '2')
        steps = found['steps']
        self.assertEqual([s['added'] for s in steps],
                         [['cache-10', 'cache-11'], ['cache-12', 'cache-9']])
        self.assertGreater(sum(s['share_moved'] for s in steps),
                           found['share_moved'])
        self.assertIn(steps[1]['most_in']['id'], ('cache-12', 'cache-9'))
        files = self.files(cluster(8), cluster(12))
        text = self.ok('plan', *files, '--step', '1').decode()
        self.assertIn('+cache-12', text)
        self.refused('plan', files[0],
                     self.write(cluster(9, ring={'vnodes': 64}), 'v.json'),
                     '--step', '1', says='differ in vnodes')

    def test_misuse(self):
        files = self.files(cluster(2), cluster(3))
        progress = self.path('moves.done')
        ranges = json.loads(self.ok('plan', *files, '--json'))['ranges']
        for args, says in (
                (('--progress', progress, '--done', str(len(ranges))),
                 '%d ranges' % len(ranges)),
                (('--before-join', '--after-join'), 'excludes'),
                (('--rate', '5'), '--bytes'),
                (('--bytes', '5', '--rate', '0'), '--rate'),
                (('--bytes', 'x'), '--bytes'),
                (('--step', '0'), '--step'),
                (('--done', '1'), '--progress'),
                (('--progress', progress, '--done', '99999'), '99999'),
                (('--progress', progress, '--done', '9-3'), '9-3'),
                (('--progress', progress, '--done', '4294967295'), 'range'),
                (('--progress', progress, '--done', '1,,2'), '--done')):
            self.refused('plan', *files, *args, code=MISUSE, says=says)
        self.assertFalse(os.path.exists(progress))
        self.refused('plan', *files, '--progress', self.folder,
                     code=REFUSED, says='directory')


if __name__ == '__main__':
    cli_case.main()
