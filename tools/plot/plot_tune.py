# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""The picture of `clockwise tune`: the peak of these nodes, and what chance
explains, against vnodes."""
import matplotlib.pyplot as plt

# Okabe and Ito's colours, which the colour-blind tell apart.
PEAK, CHANCE, WANTED = '#0072B2', '#E69F00', '#D55E00'


def mark(axes, vnodes, peak, text, colour):
    """A line from the axis to a count that was found."""
    axes.plot([vnodes, vnodes], [1, peak], color=colour, linewidth=1,
              linestyle=':')
    axes.annotate(f'{vnodes}\n{text}', (vnodes, peak), xytext=(4, 6),
                  textcoords='offset points', fontsize=8, color=colour)


def draw(document):
    vnodes, peaks, chance = zip(*document['curve'])
    wanted = document['wanted']
    figure, axes = plt.subplots(figsize=(7.5, 4.2))
    axes.plot(vnodes, peaks, color=PEAK, linewidth=1.3,
              label='peak, these nodes and this seed')
    axes.plot(vnodes, chance, color=CHANCE, linewidth=1.6,
              linestyle=(0, (5, 2)), label='peak that chance explains')
    axes.axhline(wanted, color=WANTED, linewidth=1,
                 label=f'wanted: at most {wanted:g}')
    axes.set_xscale('log', base=2)
    axes.set_ylim(1, min(max(max(peaks), wanted * 1.1), 4))
    if document['steady']:
        mark(axes, document['steady'], wanted, 'these nodes', PEAK)
    if document['by_chance'] and document['by_chance'] <= vnodes[-1]:
        mark(axes, document['by_chance'], wanted + (axes.get_ylim()[1] - 1) / 8,
             'by chance', CHANCE)
    ticks = [v for v in (2 ** i for i in range(17)) if v <= vnodes[-1]]
    axes.set_xticks(ticks, [str(v) for v in ticks], fontsize=8)
    axes.minorticks_off()
    axes.set_xlabel('vnodes of weight 1', fontsize=9)
    axes.set_ylabel('largest share / its due', fontsize=9)
    axes.set_title('How many vnodes keep shares near their due', loc='left',
                   fontsize=11)
    axes.spines[['top', 'right']].set_visible(False)
    axes.legend(fontsize=8, frameon=False)
    figure.tight_layout()
    return figure
