#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Holds the code against the drawing in floor_plan.txt, and files to the few
rules of form that clang-format does not know.

usage: floor_plan.py ROOT
"""
import fnmatch
import pathlib
import re
import sys

STANDARD = re.compile(r'[a-z_0-9]+'
                      r'|(assert|errno|inttypes|limits|locale|math|signal'
                      r'|stdbool|stddef|stdint|stdio|stdlib|string|time)\.h')
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
CPU_FLAG = re.compile(r"'(-m[^']+)'")
FOLDERS = ('include', 'lib', 'bench', 'tools', 'tests', '.ci')
PUBLIC = 'include/clockwise/'
MAX_LINES = 600
MAX_COLUMNS = 80


def tables(text):
    """Yields each table of the drawing as rows of three lists of words. A row
    that begins with an empty cell continues the one above."""
    table = []
    for line in text.splitlines() + ['']:
        cells = [cell.split() for cell in line.split('|')]
        if len(cells) != 3:
            if table:
                yield table[1:]  # without its heading
            table = []
        elif cells[0]:
            table.append(cells)
        else:
            for cell, more in zip(table[-1], cells):
                cell += more


class Drawing:
    def __init__(self, text):
        floors, outside = tables(re.sub(r'(?m)^-+\+[-+]+\n', '', text))
        self.below = {floor: set(below) for (floor,), below, _ in floors}
        self.public = {PUBLIC + h: f for (f,), _, hs in floors for h in hs}
        self.outside = outside

    def floor_of(self, path):
        """The floor of a file, or none."""
        if path.startswith(PUBLIC):
            return self.public.get(path)
        parts = path.split('/')
        floor = parts[1] if parts[0] == 'lib' and len(parts) > 2 else parts[0]
        return floor if floor in self.below else None

    def may_include(self, floor, other):
        return floor == other or any(
            self.may_include(below, other) for below in self.below[floor])

    def refuses_outside(self, path, floor, header):
        """Says why `path` may not use a header (or flag) that is not ours."""
        for name, headers, doorways in self.outside:
            if any(fnmatch.fnmatch(header, h) for h in headers):
                is_public = path.startswith(PUBLIC)
                if (floor in doorways and not is_public) or any(
                        fnmatch.fnmatch(path, d) for d in doorways):
                    return None
                return f'({" ".join(name)}) belongs in {" ".join(doorways)}'
        if STANDARD.fullmatch(header):
            return None
        return 'is not in the drawing'


def resolve(root, path, header):
    """The file of ours that an include names, or none."""
    for base in ('include', 'lib', '.', str(pathlib.Path(path).parent)):
        candidate = root / base / header
        if candidate.is_file():
            return candidate.resolve().relative_to(root).as_posix()
    return None


def check_includes(root, drawing, path, lines):
    floor = drawing.floor_of(path)
    if floor is None:
        yield 1, 'stands on no floor of the drawing'
        return
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        bracket, header = match.groups()
        target = resolve(root, path, header) if bracket == '"' else None
        if target is not None:
            other = drawing.floor_of(target)
            if other is None or not drawing.may_include(floor, other):
                yield number, f'{floor} may not include {header} ({other})'
        elif bracket == '"':
            yield number, f'{header}: no such file of ours'
        elif reason := drawing.refuses_outside(path, floor, header):
            yield number, f'<{header}> {reason}'


def check_form(path, lines):
    head = lines[1:3] if lines and lines[0].startswith('#!') else lines[:2]
    for line, tag in zip(head + ['', ''], ('FileCopyrightText', 'License')):
        if f'SPDX-{tag}' not in line:
            yield 1, f'does not begin with SPDX-{tag}'
    if len(lines) > MAX_LINES:
        yield len(lines), f'is longer than {MAX_LINES} lines'
    # What is compiled by itself, as the lists in pch/ are, is no header to GCC.
    is_header = path.endswith('.h') and not path.endswith('-inl.h')
    if is_header and '/pch/' not in path:
        if '#pragma once' not in lines:
            yield 1, 'has no #pragma once'
    if path.endswith(('.h', '.cc', '.c', '.in')):
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_COLUMNS:
                yield number, f'is wider than {MAX_COLUMNS} columns'


def check_flags(drawing, path, lines):
    for number, line in enumerate(lines, 1):
        for flag in CPU_FLAG.findall(line):
            if reason := drawing.refuses_outside(path, None, flag):
                yield number, f'{flag} {reason}'


def check_file(root, drawing, path):
    lines = (root / path).read_text().splitlines()
    yield from check_form(path, lines)
    if path.endswith(('.h', '.cc', '.c')):
        yield from check_includes(root, drawing, path, lines)
    if path.endswith('meson.build'):
        yield from check_flags(drawing, path, lines)


def is_source(path):
    if path.suffix in ('.h', '.cc', '.c', '.in', '.py', '.build'):
        return True
    return path.suffix == '' and path.read_bytes()[:2] == b'#!'


def main(root):
    root = pathlib.Path(root).resolve()
    drawing = Drawing((root / 'tests/floor_plan.txt').read_text())
    files = [root / 'meson.build', root / 'meson_options.txt'] + [
        f for folder in FOLDERS for f in sorted((root / folder).rglob('*'))
        if f.is_file() and is_source(f)]
    faults = [f'{path}:{number}: {fault}'
              for path in (f.relative_to(root).as_posix() for f in files)
              for number, fault in check_file(root, drawing, path)]
    print('\n'.join(faults) or f'{len(files)} files stand as drawn')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
