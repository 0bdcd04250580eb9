#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Counts the instructions of a lookup through a router and by a bare pointer,
64 lookups a section, and holds the difference against what is promised.

usage: read_cost_test.py READ_COST
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

METHODS = {'bench::Bare': 'bare', '(clockwise::Flavour)0': 'qsbr',
           '(clockwise::Flavour)1': 'memb', '(clockwise::Flavour)2': 'bp'}
LOADS = {'0': 'a load each', '1': 'a load per section'}
COUNTED = re.compile(r'^\s*([\d,]+) .*:unsigned long clockwise::bench::Count<'
                     r'.*?(bench::Bare|\(clockwise::Flavour\)\d).*?, '
                     r'\(clockwise::bench::Load\)(\d)>')
# (method, loads) - (the bare pointer, its loads) <= instructions a lookup
LIMITS = [
    ('qsbr', 'a load per section', 'a load each', 0),
    ('qsbr', 'a load per section', 'a load per section', 1),
    ('qsbr', 'a load each', 'a load each', 2),
    ('memb', 'a load per section', 'a load per section', 1.5),
    ('bp', 'a load per section', 'a load per section', 1.5),
]


def counts(program):
    """Returns {(method, loads): instructions a lookup}."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / 'callgrind.out'
        run = subprocess.run(
            ['valgrind', '-q', '--tool=callgrind', f'--callgrind-out-file={out}',
             program], stdout=subprocess.PIPE, text=True, check=True)
        lookups = int(run.stdout.split('\t')[1])
        table = subprocess.run(
            ['callgrind_annotate', '--inclusive=yes', '--threshold=100', out],
            stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {}
    for match in filter(None, map(COUNTED.match, table.splitlines())):
        total, method, loads = match.groups()
        found[METHODS[method], LOADS[loads]] = (
            int(total.replace(',', '')) / lookups)
    return found


def main():
    if shutil.which('valgrind') is None:
        print('skipped: no valgrind')
        return 77
    found = counts(sys.argv[1])
    for (method, loads), count in sorted(found.items()):
        print(f'{method:5} {loads:18} {count:6.2f} instructions a lookup')
    failures = 0
    for method, loads, bare_loads, limit in LIMITS:
        more = found[method, loads] - found['bare', bare_loads]
        verdict = 'ok' if more <= limit else 'TOO MANY'
        print(f'{method}, {loads}: {more:+.2f} on a bare pointer, '
              f'{bare_loads} (at most {limit}): {verdict}')
        failures += more > limit
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
