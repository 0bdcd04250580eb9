# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""The picture of `clockwise simulate`: a panel for each run, in it a group for
each stage, in that a bar for each node. Clusters with too many bars for that
get the peak and the mean of each stage, and where most nodes lie."""
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

# Okabe and Ito's colours, which the colour-blind tell apart.
FINE, ABOVE, MEAN, BAND = '#56B4E9', '#D55E00', '#000000', '#B3DDF5'
MOST_BARS = 160  # of a panel
HIGHEST = 250  # percent; what is above says so
GAP = 1.6  # between groups, in bars


def what_happens(stage):
    words = {'kill': 'killed', 'half-drain': 'half drained', 'gone': 'drained',
             'fail': 'fails', 'down-already': 'down already'}
    if stage['event'] == 'start':
        return 'start'
    return f'{shortened(stage["node"])}\n{words[stage["event"]]}'


def shortened(text, most=16):
    text = text.replace('$', r'\$')
    return text if len(text) <= most else text[:most - 1] + '…'


def number(stage):
    if stage['event'] == 'fail':
        return f'{stage["step"]}, round {stage["round"]}'
    return f'step {stage["step"]}' if stage['step'] else ''


def top_of(runs):
    peak = max(stage['peak'] for run in runs for stage in run['stages'])
    return min(max(peak * 1.2, 130), HIGHEST)


def is_drawn_in_bars(run):
    bars = sum(len(stage['nodes'] or []) for stage in run['stages'])
    return (bars <= MOST_BARS and
            all(stage['nodes'] is not None for stage in run['stages']))


def shade_cascade(axes, left, right):
    axes.axvspan(left, right, color='#F0E442', alpha=0.25, linewidth=0)


def draw_group(axes, stage, left, top, down):
    """A stage's bars from `left` on; a cross for each node that is down."""
    for i, node in enumerate(stage['nodes']):
        x = left + i
        load = node['load']
        axes.text(x, -top * 0.02, shortened(node['id']), rotation=90,
                  ha='center', va='top', fontsize=6.5,
                  color='#999999' if node['id'] in down else 'black')
        if node['id'] in down:
            axes.text(x, top * 0.01, '×', ha='center', va='bottom', fontsize=8,
                      color='#999999')
            continue
        axes.bar(x, min(load, top), width=0.85,
                 color=ABOVE if load > 100 else FINE,
                 hatch='////' if load > 100 else None, edgecolor='white',
                 linewidth=0.4)
    if stage['up'] == 0:
        axes.text(left + (len(stage['nodes']) - 1) / 2, top * 0.3, 'none\nleft',
                  ha='center', va='center', fontsize=9, color=ABOVE,
                  fontweight='bold')
        return
    if stage['mean'] <= top:
        right = left + len(stage['nodes'])
        axes.plot([left - 0.5, right - 0.5], [stage['mean']] * 2, color=MEAN,
                  linestyle=(0, (4, 2)), linewidth=1.1)
    label_peak(axes, stage, left, top)


def label_peak(axes, stage, left, top):
    """Over its bar; a bar that leaves the panel has it inside."""
    ids = [node['id'] for node in stage['nodes']]
    is_inside = stage['peak'] > top * 0.94
    axes.text(left + ids.index(stage['peak_node']),
              top * 0.93 if is_inside else stage['peak'] + top * 0.02,
              f'{stage["peak"]:.0f}%', ha='center',
              va='center' if is_inside else 'bottom', fontsize=7.5,
              fontweight='bold', zorder=5,
              bbox={'facecolor': 'white', 'edgecolor': 'none', 'alpha': 0.85,
                    'pad': 0.8})


def nodes_down(stage, down):
    """A stage's own change of who is down."""
    if stage['event'] in ('kill', 'gone', 'fail'):
        return down | {stage['node']}
    return down


def draw_bars(axes, run, top):
    down = {node['id'] for node in run['stages'][0]['nodes']
            if node['load'] == 0}
    width = len(run['stages'][0]['nodes'])
    centres = []
    for i, stage in enumerate(run['stages']):
        left = i * (width + GAP)
        down = nodes_down(stage, down)
        if stage['event'] == 'fail':
            shade_cascade(axes, left - 0.5 - GAP / 2, left + width - 0.5 + GAP / 2)
        draw_group(axes, stage, left, top, down)
        centres.append(left + (width - 1) / 2)
    labels = ['\n'.join(filter(None, (number(s), what_happens(s))))
              for s in run['stages']]
    for x, label in zip(centres, labels):
        axes.annotate(label, (x, 1), xycoords=('data', 'axes fraction'),
                      xytext=(0, 4), textcoords='offset points', ha='center',
                      va='bottom', fontsize=7.5)
    axes.set_xticks([])
    axes.set_xlim(-1 - GAP / 2, len(centres) * (width + GAP) - GAP / 2)


def band(stage):
    """Between which loads nine of ten nodes that are up lie."""
    loads = sorted(node['load'] for node in stage['nodes'] or []
                   if node['load'] > 0)
    if not loads:
        return None
    return loads[len(loads) // 20], loads[-1 - len(loads) // 20]


def label_steps(axes, stages):
    """Under each stage that is a step; of those too near the first alone."""
    nearest = len(stages) / 70
    shown = []
    for x, stage in enumerate(stages):
        is_far = not shown or x - shown[-1] >= nearest
        if stage['event'] not in ('fail', 'down-already') and is_far:
            shown.append(x)
    axes.set_xticks(shown)
    axes.set_xticklabels(
        [what_happens(stages[x]).replace('\n', ' ') for x in shown],
        fontsize=7, rotation=90)


def draw_lines(axes, run, top):
    stages = [s for s in run['stages'] if s['up'] > 0]
    for x, stage in enumerate(run['stages']):
        if stage['event'] == 'fail':
            shade_cascade(axes, x - 0.5, x + 0.5)
    for x, stage in enumerate(stages):
        if edges := band(stage):
            axes.bar(x, edges[1] - edges[0], bottom=edges[0], width=0.6,
                     color=BAND)
    xs = range(len(stages))
    axes.plot(xs, [s['peak'] for s in stages], color=ABOVE, linewidth=1.2,
              marker='o' if len(stages) <= 40 else None, markersize=4)
    axes.plot(xs, [s['mean'] for s in stages], color=MEAN,
              linestyle=(0, (4, 2)), linewidth=1.1)
    label_steps(axes, run['stages'])
    axes.set_xlim(-0.7, len(run['stages']) - 0.3)
    if run['stages'][-1]['up'] == 0:
        axes.annotate('none left', (1, 0.5), xycoords='axes fraction',
                      xytext=(-6, 0), textcoords='offset points', ha='right',
                      fontsize=9, color=ABOVE, fontweight='bold')


def legend(figure, runs):
    entries = [Patch(color=FINE, label='within its capacity'),
               Patch(facecolor=ABOVE, edgecolor='white', hatch='////',
                     label='above 100 %')]
    if not all(map(is_drawn_in_bars, runs)):
        entries += [Line2D([], [], color=ABOVE, marker='o', markersize=4,
                           label='peak'),
                    Patch(color=BAND, label='nine of ten nodes')]
    if not any(map(is_drawn_in_bars, runs)):
        entries = entries[2:]
    entries.append(Line2D([], [], color=MEAN, linestyle=(0, (4, 2)),
                          label='mean of the survivors'))
    if any(run['fell'] for run in runs):
        entries.append(Patch(color='#F0E442', alpha=0.4, label='cascade'))
    figure.legend(handles=entries, loc='lower center', ncol=len(entries),
                  fontsize=8, frameon=False)


def size_of(runs):
    bars = [sum(len(s['nodes']) + GAP for s in run['stages'])
            for run in runs if is_drawn_in_bars(run)]
    return min(max([7.5] + [count * 0.16 + 1.2 for count in bars]), 24)


def draw(document):
    runs = document['runs']
    figure, panels = plt.subplots(
        len(runs), 1, squeeze=False,
        figsize=(size_of(runs), 3.3 * len(runs) + 0.9))
    top = top_of(runs)
    for axes, run in zip(panels[:, 0], runs):
        axes.axhline(100, color=ABOVE, linewidth=1, zorder=0)
        is_bars = is_drawn_in_bars(run)
        (draw_bars if is_bars else draw_lines)(axes, run, top)
        axes.set_ylim(0, top)
        axes.set_ylabel('load, % of capacity', fontsize=8)
        axes.tick_params(axis='y', labelsize=8)
        axes.set_title(run['name'], loc='left', fontsize=10, fontweight='bold',
                       pad=40 if is_bars else 8)
        axes.spines[['top', 'right']].set_visible(False)
    keys = document['keys']
    what = 'the exact circle' if keys is None else f'{keys} keys'
    figure.suptitle('What happens when nodes die: load '
                    f'{document["utilisation"]} % of all capacity at first; '
                    f'{what}', fontsize=11, y=0.995)
    legend(figure, runs)
    figure.tight_layout(rect=(0, 0.35 / figure.get_figheight(), 1, 1),
                        h_pad=1.5)
    return figure
