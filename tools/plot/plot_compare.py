# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""The picture of `clockwise compare`: by scheme the keys that move when a node
comes or goes, against what fair shares ask for; and the peak."""
import matplotlib.pyplot as plt

# Okabe and Ito's colours, which the colour-blind tell apart.
ADDED, REMOVED, PEAK, LEAST = '#56B4E9', '#009E73', '#0072B2', '#D55E00'


def draw_moves(axes, document):
    """Two bars a scheme, and a line for what fair shares ask for."""
    rows = document['schemes']
    parts = [('moved_by_adding', 'least_moved_by_adding', ADDED, 'a node more')]
    if document['removed']:
        parts.append(('moved_by_removing', 'least_moved_by_removing', REMOVED,
                      'a node less'))
    height = 0.8 / len(parts)
    for i, (field, least, colour, label) in enumerate(parts):
        ys = [y + (i - (len(parts) - 1) / 2) * height for y in range(len(rows))]
        moved = [row[field] * 100 for row in rows]
        axes.barh(ys, moved, height=height * 0.9, color=colour, label=label)
        axes.axvline(document[least] * 100, color=colour, linewidth=1.4,
                     linestyle=(0, (4, 2)), label=f'{label}: for fair shares')
        for y, share in zip(ys, moved):
            axes.text(share + 0.8, y, f'{share:.1f}', va='center', fontsize=7,
                      bbox={'facecolor': 'white', 'edgecolor': 'none',
                            'alpha': 0.85, 'pad': 0.5})
    axes.set_xlim(0, 105)
    axes.set_xlabel('keys that get another owner, %', fontsize=9)
    axes.set_yticks(range(len(rows)), [row['scheme'] for row in rows],
                    fontsize=8)
    axes.legend(fontsize=7, frameon=False, loc='lower right')


def draw_peaks(axes, rows):
    top = min(max(max(row['peak'] for row in rows) * 1.08, 1.2), 4)
    for y, row in enumerate(rows):
        axes.barh(y, min(row['peak'], top), height=0.6, color=PEAK)
        axes.plot([row['by_chance']] * 2, [y - 0.4, y + 0.4], color='black',
                  linewidth=1.2,
                  label=None if y else 'chance explains about this')
        axes.text(0.01 * top, y, f'{row["peak"]:.3f}', va='center', fontsize=7,
                  color='white')
    axes.axvline(1, color=LEAST, linewidth=1, label='each its due')
    axes.set_xlim(0, top)
    axes.set_xlabel('largest share / its due', fontsize=9)
    axes.set_yticks([])
    axes.legend(fontsize=7, frameon=False, loc='upper center',
                bbox_to_anchor=(0.5, 1.1), ncol=2)


def draw(document):
    rows = document['schemes']
    figure, (moves, peaks) = plt.subplots(
        1, 2, figsize=(9, 1.6 + 0.5 * len(rows)),
        gridspec_kw={'width_ratios': [3, 2]})
    draw_moves(moves, document)
    draw_peaks(peaks, rows)
    for axes in (moves, peaks):
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.tick_params(axis='x', labelsize=8)
        axes.spines[['top', 'right']].set_visible(False)
    figure.suptitle(f'{document["keys"]} keys on {document["nodes"]} nodes',
                    fontsize=11, x=0.01, ha='left')
    figure.tight_layout()
    return figure
