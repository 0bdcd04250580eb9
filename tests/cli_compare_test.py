# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""The verbs `tune` and `compare`: vnodes for a wanted peak, and schemes side by
side. Both are held against what `show` and `route` say."""

import json

import cli_case
from cli_case import MISUSE, REFUSED, CommandTest, members

EIGHT = [arg for i in range(1, 9) for arg in ('--node', 'cache-%d' % i)]
KEYS = b''.join(b'user:%d\n' % i for i in range(6000))  # two batches


class VerbTest(CommandTest):
    VERB = ''

    def found(self, *args, nodes=EIGHT, **kwargs):
        return json.loads(self.ok(self.VERB, '--json', *nodes, *args,
                                  **kwargs))

    def no(self, *args, says, code=MISUSE, nodes=EIGHT, **kwargs):
        self.refused(self.VERB, *nodes, *args, code=code, says=says, **kwargs)


class TuneTest(VerbTest):
    VERB = 'tune'

    def peak(self, vnodes, nodes=EIGHT):
        """The peak of the ring of so many vnodes, as `show` has its shares."""
        shown = json.loads(self.ok('show', '--json', *nodes, '--vnodes',
                                   str(vnodes)))
        total = sum(node['weight'] for node in shown['nodes'])
        return max(node['share'] / (node['weight'] / total)
                   for node in shown['nodes'])

    def test_rows_are_what_rings_have(self):
        nodes = ['--node', 'a=2', '--node', 'b', '--node', 'c=0.5']
        for row in self.found('--max-vnodes', '100', nodes=nodes)['sweep']:
            shown = json.loads(self.ok('show', '--json', *nodes, '--vnodes',
                                       str(row['vnodes'])))
            self.assertAlmostEqual(row['peak'],
                                   self.peak(row['vnodes'], nodes))
            self.assertEqual((row['points'], row['bytes']),
                             (shown['points'], shown['bytes']))

    def test_what_is_found_holds(self):
        found = self.found('--peak', '1.15', '--max-vnodes', '300')
        steady, least = found['steady'], found['least']
        self.assertLess(least, steady)
        for vnodes in (least, steady, steady + 1, 300):
            self.assertLessEqual(self.peak(vnodes), 1.15)
        for vnodes in (1, least - 1, steady - 1):
            self.assertGreater(self.peak(vnodes), 1.15)
        rows = {row['vnodes']: row for row in found['sweep']}
        for vnodes in (1, 2, 4, 8, 256, 300, least, steady):
            self.assertIn(vnodes, rows)
        # 1 + sqrt(7 / (8 V + 1)) sqrt(2 ln 8) is 1.15 at about 162.
        self.assertAlmostEqual(found['by_chance'], 162, delta=3)

    def test_text_has_both_advices(self):
        text = self.ok('tune', *EIGHT, '--max-vnodes', '300').decode()
        self.assertRegex(text, r'(?m)^ +64 +512 +\d+ +1\.\d{3}x +0\.\d{3}x ')
        self.assertRegex(text, r'these nodes, this seed: \d+ vnodes, and all '
                               r'others up to 300, keep the peak at 1\.2x')
        self.assertRegex(text, r'memberships to come: 9\d vnodes; ')

    def test_there_may_be_none(self):
        found = self.found('--peak', '1.001', '--max-vnodes', '16')
        self.assertEqual([found[f] for f in ('least', 'steady', 'by_chance')],
                         [None] * 3)
        text = self.ok('tune', *EIGHT, '--peak', '1.001', '--max-vnodes',
                       '16').decode()
        self.assertIn('no vnodes up to 16 keep the peak at 1.001x', text)
        self.assertIn('chance puts the peak of 65536 vnodes above', text)

    def test_the_members_own_vnodes_are_not_read(self):
        args = ('--max-vnodes', '20')
        self.assertEqual(self.found(*args), self.found(*args, '--vnodes', '7'))

    def test_refusals(self):
        for peak in ('1', '0.9', '1.2345', '1e1', 'x', '-2'):
            self.no('--peak', peak, says=('--peak', peak))
        for most in ('0', '65537', '4x'):
            self.no('--max-vnodes', most, says=('--max-vnodes', most))
        self.no(nodes=('--scheme', 'maglev', '--node', 'a'),
                says='scheme maglev has no vnodes')
        self.no('--picture', 'x.gif', says='x.gif')
        path = self.write(members({'id': 'a', 'weight': 0}))
        self.no(nodes=('-m', path), code=REFUSED,
                says=(path, 'no node has a weight'))
        path = self.write(members('a', 'b', ring={'max_points': 100}))
        self.no(nodes=('-m', path), code=REFUSED,
                says=(path, '100', '--max-vnodes'))

    def test_pictures_are_drawn_the_same_each_time(self):
        args = ('tune', *EIGHT, '--max-vnodes', '256')
        self.assertEqual(self.draw(*args), self.draw(*args))


class CompareTest(VerbTest):
    VERB = 'compare'
    NODES = ['--node', 'a', '--node', 'b', '--node', 'c', '--node', 'd']

    def compare(self, *args, nodes=NODES, stdin=KEYS, **kwargs):
        found = self.found('-', *args, nodes=nodes, stdin=stdin, **kwargs)
        return found, {row['scheme']: row for row in found['schemes']}

    def owners(self, *args):
        out = self.ok('route', *args, stdin=KEYS).decode()
        return [line.split('\t')[1] for line in out.splitlines()]

    def moved(self, before, after):
        return sum(a != b for a, b in zip(before, after)) / len(before)

    def test_shares_and_moves_are_those_of_route(self):
        schemes = ('clockwise-1', 'modulo', 'maglev', 'rendezvous',
                   'multi-probe', 'jump')
        found, rows = self.compare('--schemes', ','.join(schemes))
        self.assertEqual(list(rows), list(schemes))
        self.assertEqual((found['keys'], found['nodes'], found['removed']),
                         (6000, 4, 4))
        self.assertAlmostEqual(found['least_moved_by_adding'], 0.2)
        self.assertAlmostEqual(found['least_moved_by_removing'], 0.25)
        for scheme, row in rows.items():
            of = ('--scheme', scheme)
            base = self.owners(*of, *self.NODES)
            counts = [base.count(node) for node in 'abcd']
            self.assertAlmostEqual(row['peak'], max(counts) / 1500)
            self.assertAlmostEqual(row['peak_to_mean'], max(counts) / 1500)
            self.assertAlmostEqual(row['low'], min(counts) / 1500)
            more = self.owners(*of, *self.NODES, '--node', 'new-node')
            self.assertAlmostEqual(row['moved_by_adding'],
                                   self.moved(base, more))
            less = [self.moved(base, self.owners(
                *of, *self.NODES[:2 * i], *self.NODES[2 * i + 2:]))
                for i in range(4)]
            self.assertAlmostEqual(row['moved_by_removing'], sum(less) / 4)

    def test_what_keeps_its_past_moves_the_least(self):
        _, rows = self.compare()
        self.assertEqual(list(rows), ['clockwise-1', 'modulo', 'jump', 'maglev',
                                      'rendezvous', 'slots', 'multi-probe',
                                      'anchor'])
        for scheme in ('clockwise-1', 'rendezvous', 'slots', 'multi-probe',
                       'anchor'):
            # Every key of the node that leaves, and no other.
            self.assertAlmostEqual(rows[scheme]['moved_by_removing'], 0.25)
        for scheme in ('slots', 'anchor', 'rendezvous', 'jump'):
            self.assertAlmostEqual(rows[scheme]['moved_by_adding'], 0.2,
                                   delta=0.03)
        self.assertGreater(rows['modulo']['moved_by_adding'], 0.7)
        self.assertGreater(rows['jump']['moved_by_removing'], 0.3)
        for row in rows.values():
            self.assertGreater(row['ns'], 0)
            self.assertGreater(row['ns_in_batches'], 0)
            self.assertGreater(row['bytes'], 0)

    def test_anchor_takes_the_place_that_was_left_last(self):
        path = self.write(members('a', 'b', 'c', 'd', {'id': 'e', 'weight': 0},
                                  ring={'scheme': 'anchor',
                                        'params': {'capacity': '8'}}))
        _, rows = self.compare('--schemes', 'anchor', nodes=('-m', path))
        self.assertAlmostEqual(rows['anchor']['moved_by_adding'], 0.2,
                               delta=0.03)
        self.assertAlmostEqual(rows['anchor']['moved_by_removing'], 0.25)

    def test_weights(self):
        nodes = ('--node', 'a=3', '--node', 'b=1', '--node', 'c=2')
        found, rows = self.compare(nodes=nodes)
        self.assertEqual([each['scheme'] for each in found['left_out']],
                         ['modulo', 'jump', 'multi-probe', 'anchor'])
        self.assertIn('weight 3', found['left_out'][0]['why'])
        self.assertAlmostEqual(found['least_moved_by_adding'], 0.25)
        self.assertAlmostEqual(found['least_moved_by_removing'], 1 / 3)
        base = self.owners('--scheme', 'slots', *nodes)
        self.assertAlmostEqual(
            rows['slots']['peak'],
            max(base.count(n) / 6000 / (w / 6)
                for n, w in (('a', 3), ('b', 1), ('c', 2))))
        self.assertAlmostEqual(rows['slots']['peak_to_mean'],
                               base.count('a') / 2000)
        text = self.ok('compare', *nodes, '-', stdin=KEYS).decode()
        self.assertRegex(text, r"(?m)^left out: jump: .*'a': weight 3")
        self.no('--schemes', 'slots,jump', nodes=nodes, code=REFUSED,
                says=('scheme jump', 'weight 3'))

    def test_of_many_nodes_the_last_is_removed(self):
        nodes = [arg for i in range(9) for arg in ('--node', 'n%d' % i)]
        found, rows = self.compare('--schemes', 'jump', nodes=nodes)
        self.assertEqual(found['removed'], 1)
        base = self.owners('--scheme', 'jump', *nodes)
        self.assertAlmostEqual(rows['jump']['moved_by_removing'],
                               base.count('n8') / 6000)

    def test_one_node_cannot_go(self):
        found, rows = self.compare(nodes=('--node', 'a'))
        self.assertIsNone(found['least_moved_by_removing'])
        self.assertIsNone(rows['modulo']['moved_by_removing'])
        self.assertAlmostEqual(found['least_moved_by_adding'], 0.5)

    def test_views(self):
        first = self.write(members('a', 'b', 'c'), 'first.json')
        second = self.write(members('a', 'b', 'd'), 'second.json')
        found, rows = self.compare('--schemes', 'clockwise-1,modulo',
                                   '--views', first + ',' + second)
        self.assertEqual(found['views'], 3)
        for scheme, row in rows.items():
            of = ('--scheme', scheme)
            views = [self.owners(*of, *(arg for node in ids
                                        for arg in ('--node', node)))
                     for ids in ('abcd', 'abc', 'abd')]
            owners = [len(set(each)) for each in zip(*views)]
            self.assertAlmostEqual(row['owners_mean'], sum(owners) / 6000)
            self.assertEqual(row['owners_max'], max(owners))
            self.assertAlmostEqual(row['disagreement'],
                                   sum(n > 1 for n in owners) / 6000)
        text = self.ok('compare', *self.NODES, '--views', first, '--keys-made',
                       '1000').decode()
        self.assertIn('2 views of the members:', text)
        self.no('--views', self.path('absent'), nodes=self.NODES, code=REFUSED,
                says='absent')

    def test_made_keys_are_those_of_a_file(self):
        def without_times(found):
            for row in found['schemes']:
                del row['ns'], row['ns_in_batches']
            del found['made']
            return found
        made = self.found('--keys-made', '5000', nodes=self.NODES)
        self.assertTrue(made['made'])
        keys = b''.join(b'user:%d\n' % i for i in range(5000))
        given, _ = self.compare(stdin=keys)
        self.assertFalse(given['made'])
        self.assertEqual(without_times(made), without_times(given))

    def test_schemes_of_other_systems(self):
        schemes = json.loads(self.ok('schemes', '--json'))
        if 'libketama' not in {scheme['id'] for scheme in schemes}:
            self.skipTest('this command has no scheme libketama')
        nodes = [arg for i in range(1, 4)
                 for arg in ('--node', '10.0.0.%d:11211' % i)]
        added = ('--new-node', '10.0.0.4:11211')
        _, rows = self.compare('--schemes', 'libketama,mcrouter-ch3', *added,
                               nodes=nodes)
        of = ('--scheme', 'libketama')
        self.assertAlmostEqual(
            rows['libketama']['moved_by_adding'],
            self.moved(self.owners(*of, *nodes),
                       self.owners(*of, *nodes, '--node', added[1])))
        _, rows = self.compare(*added, nodes=[*of, *nodes])
        self.assertEqual(list(rows)[:2], ['libketama', 'clockwise-1'])

    def test_text(self):
        text = self.ok('compare', *self.NODES, '-', stdin=KEYS).decode()
        self.assertIn('6000 keys on 4 nodes; one more of mean weight, and one '
                      'less (the mean of 4)', text)
        self.assertRegex(text, r'(?m)^for fair shares +1\.000x +1\.000x +'
                               r'20\.00% +25\.00%$')
        self.assertRegex(text, r'(?m)^slots +1\.\d{3}x .* 25\.\d\d% +\d+ +'
                               r'\d+\.\d +\d+\.\d$')
        self.assertIn('of this machine and this run', text)

    def test_refusals(self):
        self.no('--schemes', 'nope', says="no scheme 'nope'")
        self.no('--schemes', 'jump,jump', says="'jump' is given twice")
        self.no('--keys-made', '0', says='--keys-made')
        self.no('--keys-made', '9', '-', says='--keys-made excludes')
        self.no('--new-node', 'cache-1', says=('--new-node', 'cache-1'))
        self.no('--new-node', '', says='--new-node')
        self.no('-', code=REFUSED, says='no keys')
        self.no('--picture', 'x.gif', says='x.gif')
        path = self.write(members({'id': 'a', 'weight': 0}))
        self.no(nodes=('-m', path), code=REFUSED, says='no node has a weight')

    def test_pictures(self):
        self.assertIn(b'rendezvous', self.draw('compare', *EIGHT,
                                               '--keys-made', '1000'))


if __name__ == '__main__':
    cli_case.main()
