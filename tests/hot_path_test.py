#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Reads what lookups on a published ring, and counting them, were compiled to: no
lock prefix, no system call, no shared store, no call but to what is named below.

usage: hot_path_test.py CODEGEN_LIBRARY
"""
import re
import shutil
import subprocess
import sys

# Calls that a usual lookup does not make: a crowded line, other layouts, a
# thread that comes online, flavours with sections; and the end of a turn.
COLD = re.compile(r'EscapeOwner|RingView::OwnerElsewhere|detail::EnterRead'
                  r'|detail::LeaveRead|Reader::Quiescent')
LABEL = re.compile(r'^[0-9a-f]+ <(.*)>:$')
LINE = re.compile(r'^\s*([0-9a-f]+):\s+(.*?)\s*$')
RELOCATION = re.compile(r'^\s+[0-9a-f]+: R_X86_64_(\w+)\s+(.*)$')
ORDERING = re.compile(r'\block\b|\bxchg\b.*\[|[lms]fence|\bsyscall\b'
                      r'|\bsysenter\b|\bint\b')
STORE = re.compile(r'^(?!cmp|test|nop|bt )\w+\s+[^,\[]*\[([^\]]+)\]'
                   r'(?:,|$)')
READ_ONLY = re.compile(r'^(?:j\w+|call|push|mul|imul|div)\b')
SEARCH = 'pcmpgtw'  # the compare of a line's keys
JUMP = re.compile(r'^j\w+\s+([0-9a-f]+)\b')


class Instruction:
    def __init__(self, at, text):
        self.at, self.text = int(at, 16), text.split(' <')[0]
        self.callee = ''  # of a call, or of a jump out of the function

    @property
    def is_call(self):
        return self.text.startswith('call')

    @property
    def store(self):
        """The address that it writes to, or none."""
        match = STORE.match(self.text)
        return match and not READ_ONLY.match(self.text) and match.group(1)


def functions(library):
    """Returns {function: its instructions, those of its cold part too}."""
    text = subprocess.run(
        ['objdump', '-dr', '--no-show-raw-insn', '-M', 'intel', '-C', library],
        stdout=subprocess.PIPE, text=True, check=True).stdout
    found, body = {}, []
    for line in text.splitlines():
        if match := LABEL.match(line):
            body = found.setdefault(match.group(1), [])
        elif match := RELOCATION.match(line):
            if match.group(1) == 'PLT32':
                body[-1].callee = match.group(2)
        elif match := LINE.match(line):
            body.append(Instruction(*match.groups()))
    return found


def of(found, name):
    """The usual part and the cold one of a function."""
    hot = [b for f, b in found.items()
           if f'codegen::{name}(' in f and '[clone' not in f]
    cold = [b for f, b in found.items()
            if f'codegen::{name}(' in f and '[clone' in f]
    assert len(hot) == 1, f'{name}: {len(hot)} of it'
    return hot[0], sum(cold, [])


def loops(body):
    """The instructions from the target of each backward jump to it."""
    for jump in body:
        match = JUMP.match(jump.text)
        if match and int(match.group(1), 16) < jump.at and not jump.callee:
            begin = int(match.group(1), 16)
            yield [i for i in body if begin <= i.at <= jump.at]


class Faults(list):
    def check(self, name, body, is_wrong, what):
        self += [f'{name}: {what}: {i.text}' for i in body if is_wrong(i)]


def faults_of(found):
    faults = Faults()
    for name in ('RouterOwner', 'RouterTurn'):
        hot, cold = of(found, name)
        faults.check(name, hot + cold, lambda i: ORDERING.search(i.text),
                     'orders or leaves the program')
        faults.check(name, hot + cold,
                     lambda i: (i.is_call or i.callee)
                     and not COLD.search(i.callee), 'calls what is not cold')
    # To count is to add to a word of the thread's own.
    for name in ('CountOne', 'CountBatch'):
        hot, cold = of(found, name)
        faults.check(name, hot + cold,
                     lambda i: ORDERING.search(i.text) or i.is_call
                     or i.callee, 'orders or calls')
    stores = [i.store for i in of(found, 'CountOne')[0]
              if i.store and ' nop ' not in i.text]
    if len(stores) != 1:
        faults.append(f'CountOne: stores to {stores}')
    # A single lookup writes nothing but registers.
    hot, _ = of(found, 'RouterOwner')
    faults.check('RouterOwner', hot, lambda i: i.store, 'stores')
    faults.check('RouterOwner', hot, lambda i: i.is_call, 'calls')
    # A turn writes the answers, and its own word as it begins and ends.
    hot, _ = of(found, 'RouterTurn')
    stores = {i.store for i in hot if i.store and 'rsp' not in i.store}
    if len(stores) != 2:
        faults.append(f'RouterTurn: stores to {sorted(stores)}')
    shortest = min((l for l in loops(hot) if any(SEARCH in i.text for i in l)),
                   key=len, default=[])
    faults.check('RouterTurn', shortest, lambda i: i.is_call,
                 'calls in its loop')
    in_loop = [i.store for i in shortest if i.store]
    if len(in_loop) != 1:
        faults.append(f'RouterTurn: stores in its loop to {in_loop}')
    return faults


def main():
    if shutil.which('objdump') is None:
        print('skipped: no objdump')
        return 77
    faults = faults_of(functions(sys.argv[1]))
    print('\n'.join(faults) or 'lookups and their turn: as they should be')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
