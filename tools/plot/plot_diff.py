# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""The picture of `clockwise diff`: the circle before and after with what
changes hands, and the share of each node on both."""
import matplotlib.pyplot as plt
from matplotlib.patches import PathPatch, Wedge
from matplotlib.path import Path

# Okabe and Ito's colours, which the colour-blind tell apart, without black.
COLOURS = ('#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00',
           '#F0E442')
GREYS = ('#9A9A9A', '#B4B4B4', '#CECECE')
MOVED, NOBODY = '#000000', '#FFFFFF'
MOST_ROWS = 40


def is_new_or_gone(node):
    return node['in_before'] != node['in_after']


def change_of(node):
    return node['gained'] + node['lost']


def colours_of(nodes):
    """One for each node: of few all differ, of many those that come or go, or
    else change most; the others are grey."""
    marked = range(len(nodes))
    if len(nodes) > len(COLOURS):
        marked = sorted(marked, key=lambda i: (-is_new_or_gone(nodes[i]),
                                               -change_of(nodes[i]), i))
        marked = [i for i in marked[:len(COLOURS)] if is_new_or_gone(nodes[i])]
    colours = [GREYS[i % len(GREYS)] for i in range(len(nodes))]
    for colour, i in zip(COLOURS, marked):
        colours[i] = colour
    return colours


def runs(values):
    """(first, count, value) of each run of equal ones."""
    first = 0
    for i in range(1, len(values) + 1):
        if i == len(values) or values[i] != values[first]:
            yield first, i - first, values[first]
            first = i


def draw_band(axes, slices, colour_of, outer, width):
    """Clockwise from the top; one shape for all that has one colour."""
    angle = 360 / len(slices)
    shapes = {}
    for first, count, value in runs(slices):
        wedge = Wedge((0, 0), outer, 90 - (first + count) * angle,
                      90 - first * angle, width=width)
        shapes.setdefault(colour_of(value), []).append(
            wedge.get_path().transformed(wedge.get_patch_transform()))
    for colour, paths in shapes.items():
        axes.add_patch(PathPatch(Path.make_compound_path(*paths), linewidth=0,
                                 facecolor=colour))


def draw_circle(axes, document, colours):
    before, after = document['circle']['before'], document['circle']['after']

    def colour_of(node):
        return NOBODY if node is None else colours[node]

    draw_band(axes, before, colour_of, 0.62, 0.2)
    draw_band(axes, after, colour_of, 0.86, 0.2)
    moved = [a != b for a, b in zip(before, after)]
    draw_band(axes, moved, lambda is_moved: MOVED if is_moved else NOBODY,
              0.96, 0.06)
    axes.set_aspect('equal', anchor='N')
    axes.set_xlim(-1, 1)
    axes.set_ylim(-1, 1)
    axes.axis('off')
    axes.text(0, 0, f'{document["percent_moved"]:.2f} %\nof the circle\nmoves',
              ha='center', va='center', fontsize=10)
    axes.set_title('inner: owners before; outer: after; rim: where they '
                   'differ',
                   fontsize=8.5, y=-0.06)


def rows_of(nodes):
    """Their places: all of few, of many those that change most, as listed."""
    places = range(len(nodes))
    if len(nodes) > MOST_ROWS:
        places = sorted(sorted(places, key=lambda i: -change_of(nodes[i]))
                        [:MOST_ROWS])
    return list(places)


def label_of(node):
    mark = ''
    if is_new_or_gone(node):
        mark = ' (new)' if node['in_after'] else ' (gone)'
    text = node['id'].replace('$', r'\$')
    return (text if len(text) <= 20 else text[:19] + '…') + mark


def draw_shares(axes, document, colours):
    nodes = document['by_node']
    places = rows_of(nodes)
    for y, i in enumerate(places):
        node = nodes[i]
        colour = colours[i] if colours[i] not in GREYS else GREYS[0]
        before, after = node['before'] * 100, node['after'] * 100
        axes.barh(y - 0.2, before, height=0.34, color=colour, alpha=0.45)
        axes.barh(y + 0.2, after, height=0.34, color=colour)
        axes.text(max(before, after), y, f' {before:.2f} → {after:.2f}',
                  va='center', fontsize=6.5)
    axes.set_yticks(range(len(places)),
                    [label_of(nodes[i]) for i in places], fontsize=7.5)
    axes.set_ylim(len(places) - 0.4, -0.6)
    axes.set_xlim(0, axes.get_xlim()[1] * 1.22)
    axes.tick_params(axis='x', labelsize=8)
    what = 'share of the circle'
    if document['replicas'] > 1:
        what += f', as one of {document["replicas"]} replicas'
    axes.set_xlabel(f'{what}, %: before (pale), after', fontsize=9)
    left_out = len(nodes) - len(places)
    if left_out:
        axes.set_title(f'the {len(places)} nodes that change most; {left_out} '
                       'more are not shown', fontsize=8.5, loc='left')
    axes.spines[['top', 'right']].set_visible(False)


def title_of(document):
    def name(side):
        epoch = document[side]['epoch']
        count = document[side]['nodes']
        return f'{count} nodes' + (f' (epoch {epoch})' if epoch else '')
    return f'{name("before")} → {name("after")}'


def draw(document):
    nodes = document['by_node']
    colours = colours_of(nodes)
    height = max(4.6, 1 + 0.3 * min(len(nodes), MOST_ROWS))
    figure = plt.figure(figsize=(10, height))
    circle = figure.add_axes([0.01, 0.06, 0.44, 0.84])
    draw_circle(circle, document, colours)
    shares = figure.add_axes([0.58, 0.6 / height, 0.4, 1 - 1.2 / height])
    draw_shares(shares, document, colours)
    figure.suptitle(title_of(document), fontsize=11, x=0.02, ha='left')
    return figure
