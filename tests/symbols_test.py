#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Looks at the symbols that a file defines.

usage: symbols_test.py exports LIBRARY   only clockwise:: and cw_ are exported
       symbols_test.py no-copies OBJECT  a user's file holds no copy of inline
                                         code of ours, which the linker might
                                         give to files built for lesser CPUs
"""
import re
import subprocess
import sys

OURS = re.compile(r'((typeinfo|typeinfo name|vtable|guard variable) for )?'
                  r'clockwise::|.*[ &*]clockwise::[\w:~]+\(|cw_\w+$')


def symbols(*args):
    """Yields the kind and the demangled name of each defined symbol."""
    out = subprocess.run(['nm', '-C', '--defined-only', *args], check=True,
                         capture_output=True, text=True).stdout
    for line in out.splitlines():
        if match := re.fullmatch(r'[0-9a-f]* (\w) (.+)', line):
            yield match.groups()


def exports(library):
    """The number of names of ours that are exported, and the names that should
    not be: all others but copies of inline parts of the standard library."""
    ours, others = 0, []
    for kind, name in symbols('-D', library):
        if OURS.match(name):
            ours += 1
        elif not (kind in 'WVu' and 'std::' in name and
                  'nlohmann' not in name):
            others.append(name)
    return ours, others


def copies(file):
    """The weak code of ours, and the number of functions."""
    found = list(symbols(file))
    return (sum(kind == 'T' for kind, _ in found),
            [name for kind, name in found if kind == 'W' and OURS.match(name)])


def main(check, file):
    expected, faults = {'exports': exports, 'no-copies': copies}[check](file)
    if expected == 0:
        faults.append('nothing of ours was found')
    for fault in faults:
        print(f'{file}: {fault}')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
