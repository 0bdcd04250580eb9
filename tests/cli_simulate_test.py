# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""The verb `simulate`: what happens when nodes die."""

import json
import os
import re
import stat

import cli_case
from cli_case import ALARM, MISUSE, REFUSED, CommandTest, members

EIGHT = [arg for i in range(1, 9) for arg in ('--node', 'cache-%d' % i)]
KEYS = b''.join(b'user:%d\n' % i for i in range(5000))


class SimulateTest(CommandTest):
    def simulate(self, *args, code=cli_case.OK, nodes=EIGHT, **kwargs):
        out = self.ok('simulate', '--json', *nodes, *args, code=code, **kwargs)
        return json.loads(out)

    def stages(self, *args, **kwargs):
        return self.simulate(*args, **kwargs)['runs'][0]['stages']

    def loads(self, stage, field='share'):
        return {node['id']: node[field] for node in stage['nodes']}


class StepsTest(SimulateTest):
    def test_eight_nodes_at_eighty_percent(self):
        found = self.simulate('--kill', 'cache-1,cache-2', code=ALARM)
        means = [s['mean'] for s in found['runs'][0]['stages']]
        self.assertEqual([round(m, 1) for m in means], [80, 91.4, 106.7])
        self.assertTrue(found['alarm'])
        self.assertEqual((found['keys'], found['utilisation']), (None, 80))

    def test_keys_move_as_route_passes_over(self):
        stages = self.stages('--kill', 'cache-3', '--kill', 'cache-5', '-',
                             '--utilisation', '50', stdin=KEYS)
        for down, stage in zip(('', 'cache-3', 'cache-3,cache-5'), stages):
            exclude = ['--exclude', down] if down else []
            out = self.ok('route', *EIGHT, *exclude, stdin=KEYS).decode()
            owners = [line.split('\t')[1] for line in out.splitlines()]
            for node, share in self.loads(stage).items():
                self.assertAlmostEqual(share, owners.count(node) / 5000)

    def test_gains_are_what_the_dead_node_had(self):
        start, after = self.stages('--kill', 'cache-3')
        gained = self.loads(after, 'gained')
        lost = self.loads(start)['cache-3']
        self.assertAlmostEqual(gained.pop('cache-3'), -lost)
        self.assertAlmostEqual(sum(gained.values()), lost)
        self.assertTrue(all(gain >= 0 for gain in gained.values()))

    def test_steps_keep_the_order_they_are_given_in(self):
        def events(*args):
            return [(s['event'], s['node'])
                    for s in self.stages('--utilisation', '20', *args)[1:]]
        self.assertEqual(
            events('--kill', 'cache-1', '--drain', 'cache-2', '--kill',
                   'cache-4,cache-3'),
            [('kill', 'cache-1'), ('half-drain', 'cache-2'),
             ('gone', 'cache-2'), ('kill', 'cache-4'), ('kill', 'cache-3')])
        self.assertEqual(
            events('--drain', 'cache-2', '--kill', 'cache-1'),
            [('half-drain', 'cache-2'), ('gone', 'cache-2'),
             ('kill', 'cache-1')])

    def test_a_drain_gives_half_then_all(self):
        start, half, gone = self.stages('--drain', 'cache-2')
        shares = [self.loads(s)['cache-2'] for s in (start, half, gone)]
        self.assertAlmostEqual(shares[1] / shares[0], 0.5, delta=0.1)
        self.assertEqual(shares[2], 0)
        killed = self.stages('--kill', 'cache-2')[-1]
        self.assertEqual(self.loads(gone), self.loads(killed))

    def test_a_cascade_ends_when_none_is_left(self):
        stages = self.stages('--kill', 'cache-1,cache-2,cache-3', '--cascade',
                             code=ALARM)
        fails = [s for s in stages if s['event'] == 'fail']
        self.assertEqual([s['round'] for s in fails], [1, 2, 3, 4, 5, 6])
        self.assertEqual({s['step'] for s in fails}, {2})
        for before, stage in zip(stages, stages[1:]):
            if stage['event'] == 'fail':
                self.assertEqual(stage['node'], before['peak_node'])
                self.assertEqual(stage['had'], before['peak'])
        self.assertEqual(stages[-1]['event'], 'down-already')
        self.assertEqual(stages[-1]['up'], 0)
        text = self.ok('simulate', *EIGHT, '--kill', 'cache-1,cache-2,cache-3',
                       '--cascade', code=ALARM).decode()
        self.assertIn('ALARM: no node is left; 6 fell in cascades', text)

    def test_fail_at_is_a_cascade_with_another_limit(self):
        stages = self.stages('--kill', 'cache-1,cache-2', '--fail-at', '200',
                             code=ALARM)
        self.assertEqual(stages[-1]['up'], 6)
        self.assertGreater(stages[-1]['above'], 0)
        found = self.simulate('--kill', 'cache-1', '--fail-at', '85',
                              code=ALARM)
        self.assertTrue(found['cascade'])
        self.assertEqual(found['runs'][0]['stages'][-1]['up'], 0)

    def test_all_down_is_an_answer(self):
        ids = ','.join('cache-%d' % i for i in range(1, 9))
        last = self.stages('--kill', ids, code=ALARM)[-1]
        self.assertEqual((last['up'], last['mean'], last['peak_node']),
                         (0, 0, None))

    def test_a_large_cluster_falls_as_well(self):
        path = self.write(members(*('n%d' % i for i in range(1500)),
                                  ring={'vnodes': 4}))
        text = self.ok('simulate', '-m', path, '--kill', 'n1,n2', '--cascade',
                       code=ALARM).decode()
        self.assertIn('ALARM: no node is left; 1500 fell in cascades', text)
        self.assertRegex(text, r'(?m)^0\.1500 +n\d+ fails at 120000\.0% +0 ')
        self.assertRegex(text, r'(?m)^2 +n2 is down already +0 ')

    def test_a_cascade_that_ends_is_an_alarm_too(self):
        # So many nodes that not every round is kept.
        path = self.write(members(*('n%d' % i for i in range(16000)),
                                  ring={'vnodes': 32}))
        text = self.ok('simulate', '-m', path, '--utilisation', '60',
                       '--fail-at', '90', '--kill', 'n1', code=ALARM).decode()
        self.assertRegex(text, r'ALARM: the most loaded of 15\d{3} is at '
                               r'\d\d\.\d%; 1\d\d fell in cascades\n')
        self.assertRegex(text, r'(?m)^ +1\d\d more fail$')
        self.assertRegex(text, r'(?m)^0\.1\d\d +n\d+ fails at 9\d\.\d% ')
        self.assertRegex(text, r'(?m)^1 +n1 is killed +15\d{3} .* 0$')
        self.assertRegex(text, r'(?m)^n\d+ +\d+\.\d% +\d\d\.\d% ')

    def test_text_says_who_inherits(self):
        text = self.ok('simulate', *EIGHT, '--kill', 'cache-1', '--top',
                       '3').decode()
        self.assertIn('8 nodes at 80% of their capacity; the exact circle',
                      text)
        self.assertRegex(text, r'(?m)^1 +cache-1 is killed +7 +91\.4% ')
        self.assertRegex(text, r'step 1: cache-1 is killed and leaves 1\d\.\d%')
        self.assertEqual(len(re.findall(r'(?m)^cache-\d +\d+\.\d% ', text)), 3)
        self.assertIn('and 4 more', text)
        self.assertRegex(text, r'\nok: the most loaded of 7 is at 9\d')


class WhatIfTest(SimulateTest):
    ARGS = ('--kill', 'cache-1,cache-2', '--bounded', '105', '--half-drain',
            '--with-vnodes', '64', '--with-vnodes', '2048')

    def test_runs_stand_side_by_side(self):
        found = self.simulate(*self.ARGS, '-', stdin=KEYS, code=ALARM)
        runs = {run['name']: run for run in found['runs']}
        self.assertEqual(list(runs), ['as it is', 'bounded 105%', 'half-drain',
                                      '64 vnodes', '2048 vnodes'])
        self.assertEqual([run['vnodes'] for run in runs.values()],
                         [512, 512, 512, 64, 2048])
        ends = {name: run['stages'][-1] for name, run in runs.items()}
        bounded = ends['bounded 105%']
        # The cap, rounded up to a whole key.
        self.assertLessEqual(bounded['peak'], bounded['mean'] * 1.05 + 0.2)
        self.assertGreater(bounded['spilled'], 0)
        self.assertGreater(ends['64 vnodes']['peak'],
                           ends['2048 vnodes']['peak'])
        self.assertEqual(self.loads(ends['half-drain']),
                         self.loads(ends['as it is']))
        text = self.ok('simulate', *EIGHT, *self.ARGS, code=ALARM).decode()
        self.assertRegex(text, r'(?m)^peak after +as it is +bounded 105%')
        self.assertRegex(text, r'(?m)^1 half of cache-1 +- +- +\d+\.\d%')
        self.assertRegex(text, r'(?m)^2 cache-2 +1\d\d\.\d%, \d above .*spills')

    def test_the_table_says_when_nodes_fell(self):
        text = self.ok('simulate', *EIGHT, '--kill', 'cache-1', '--cascade',
                       '--utilisation', '86', '--half-drain', code=ALARM)
        self.assertRegex(text.decode(),
                         r'\n1 half of cache-1 +- +\d\d\.\d%\n'
                         r'1 cache-1 +none left, 7 fell +none left, 7 fell\n')

    def test_each_run_is_that_of_its_own_ring(self):
        found = self.simulate(*self.ARGS, '-', stdin=KEYS, code=ALARM)
        alone = self.stages('--kill', 'cache-1,cache-2', '--vnodes', '64', '-',
                            stdin=KEYS, code=ALARM)
        self.assertEqual(found['runs'][3]['stages'], alone)

    def test_what_ifs_do_not_change_the_exit_code(self):
        self.simulate('--kill', 'cache-1', '--with-vnodes', '1',
                      '--utilisation', '60')


class RefusalTest(SimulateTest):
    def no(self, *args, says, code=MISUSE, nodes=EIGHT, **kwargs):
        self.refused('simulate', *nodes, *args, code=code, says=says, **kwargs)

    def test_misuse(self):
        kill = ('--kill', 'cache-1')
        self.no(says='--kill ID')
        self.no('--kill', 'cache-1,cache-1', says="'cache-1' is given twice")
        self.no(*kill, '--drain', 'cache-1', says='--drain')
        for flag, low, high in (('--utilisation', '0', '1001'),
                                ('--fail-at', '0', '10001'),
                                ('--bounded', '99', '65537'),
                                ('--with-vnodes', '0', '65537')):
            self.no(*kill, flag, low, says=flag)
            self.no(*kill, flag, high, says=(flag, high))
            self.no(*kill, flag, '8x', says=(flag, '8x'))
        self.no(*kill, '--top', '0', says='--top')
        self.no(*kill, '--picture', 'x.gif', says=('x.gif', '.svg'))

    def test_data(self):
        self.no('--kill', 'nope', says="no node 'nope'", code=REFUSED)
        self.no('--kill', 'cache-1,', says="no node ''", code=REFUSED)
        self.no('--kill', 'cache-1', '-', says='no keys', code=REFUSED)
        path = self.write(members({'id': 'a', 'weight': 0}))
        self.no('--kill', 'a', nodes=('-m', path), says=(path, 'no node has'),
                code=REFUSED)

    def test_ids_may_hold_commas(self):
        path = self.write(members('x,y', 'z', {'id': 'idle', 'weight': 0}))
        stages = self.stages('--kill', 'x,y', '--drain', 'idle',
                             '--utilisation', '30', nodes=('-m', path))
        self.assertEqual([s['node'] for s in stages],
                         [None, 'x,y', 'idle', 'idle'])

    def test_only_rings_have_a_next_node(self):
        nodes = ('--scheme', 'maglev', '--node', 'a', '--node', 'b')
        self.no('--kill', 'a', nodes=nodes, says='maglev is no ring')

    def test_rings_of_other_systems_are_killed_but_not_halved(self):
        schemes = json.loads(self.ok('schemes', '--json'))
        if 'libketama' not in {scheme['id'] for scheme in schemes}:
            self.skipTest('this command has no scheme libketama')
        nodes = ('--scheme', 'libketama', '--node', '10.0.0.1:11211',
                 '--node', '10.0.0.2:11211')
        kill = ('--kill', '10.0.0.1:11211')
        self.assertEqual(self.stages(*kill, '--utilisation', '40',
                                     nodes=nodes)[-1]['up'], 1)
        self.no('--drain', '10.0.0.1:11211', nodes=nodes,
                says=('--drain', 'libketama'))
        self.no(*kill, '--half-drain', nodes=nodes, says='--half-drain')
        self.no(*kill, '--with-vnodes', '9', nodes=nodes, says='--with-vnodes')


class PictureTest(SimulateTest):
    ARGS = ('simulate', *EIGHT, '--kill', 'cache-1')

    def try_to_draw(self, name, **kwargs):
        path = self.path(name)
        return path, cli_case.run(*self.ARGS, '--picture', path, **kwargs)

    def test_pictures_are_drawn_the_same_each_time(self):
        picture = self.draw(*self.ARGS, '--bounded', '110')
        self.assertEqual(self.draw(*self.ARGS, '--bounded', '110'), picture)
        self.assertIn(b'cache-8', picture)
        self.assertEqual(os.listdir(self.folder), [])

    def test_large_clusters_are_drawn_too(self):
        self.need_matplotlib()
        path = self.write(members(*('n%d' % i for i in range(300))))
        picture = self.path('large.png')
        result = cli_case.run('simulate', '-m', path, '--kill', 'n1,n2',
                              '--fail-at', '300', '--picture', picture)
        self.assertEqual((result.returncode, result.stderr), (0, b''))
        with open(picture, 'rb') as file:
            self.assertTrue(file.read().startswith(b'\x89PNG'))

    def test_what_keeps_the_program_from_drawing_is_said(self):
        script = self.write('#!/bin/sh\necho no ink >&2\nexit 1\n', 'plot')
        os.chmod(script, stat.S_IRWXU)
        for program, says in ((script, b'no ink'),
                              (self.path('absent'), b'needs python3')):
            env = {**os.environ, 'CLOCKWISE_PLOT': program}
            path, result = self.try_to_draw('a.svg', env=env)
            self.assertEqual(result.returncode, REFUSED)
            self.assertIn(b'--picture: ', result.stderr)
            self.assertIn(says, result.stderr)
            self.assertIn(b'91.4%', result.stdout)  # the result is there
            self.assertFalse(os.path.exists(path))

    def test_a_missing_library_is_named(self):
        # An empty package hides the real one, if there is any.
        self.write('raise ImportError\n', 'matplotlib.py')
        env = {**os.environ, 'PYTHONPATH': self.folder}
        path, result = self.try_to_draw('a.svg', env=env)
        self.assertEqual(result.returncode, REFUSED)
        self.assertIn(b'install python3-matplotlib', result.stderr)
        self.assertFalse(os.path.exists(path))

    def test_a_picture_that_cannot_be_written_leaves_nothing(self):
        self.need_matplotlib()
        os.mkdir(self.path('a.svg'))
        _, result = self.try_to_draw('a.svg')
        self.assertEqual(result.returncode, REFUSED)
        self.assertIn(b'a.svg: Is a directory', result.stderr)
        self.assertEqual(os.listdir(self.folder), ['a.svg'])


if __name__ == '__main__':
    cli_case.main()
