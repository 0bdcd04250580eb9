#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Makes each call to the system fail in turn that a process makes which follows a
members file: it serves the rings that were given, in their order, and the
newest in the end. Where its state could not be written, it says so, and only
then may a restart begin with an older ring.

Faults are injected by strace. Without it, or where it may not trace, the test
is skipped.

usage: watch_fault_test.py VICTIM
"""
import concurrent.futures
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
LONGEST = 20  # seconds, of strace on a busy machine
# Calls that the victim makes for these files alone, and those by which only the
# watcher waits or writes. Lines are printed by writev.
OF_FILES = ('openat', 'newfstatat', 'fstat', 'read', 'pread64', 'mmap',
            'readlink')
OF_THE_WATCHER = ('write', 'fsync', 'rename', 'unlink', 'getdents64',
                  'inotify_init1', 'inotify_add_watch', 'poll')
ERRORS = {'write': 'ENOSPC', 'poll': 'EINTR'}
MOST = 12  # of one call; those that look for changes go on for ever


def members(epoch):
    nodes = [{'id': f'n{i}'} for i in range(8 + epoch)]
    return json.dumps({'schema': 1, 'epoch': epoch, 'nodes': nodes})


class Run:
    """A victim in a folder of its own."""

    def __init__(self, victim, folder):
        self.victim = victim
        self.path = folder / 'members.json'
        self.state = folder / 'state.ring'
        self.lines = []
        self.give(1)

    def give(self, epoch):
        new = self.path.with_suffix('.new')
        new.write_text(members(epoch))
        os.rename(new, self.path)

    def start(self, *tracer):
        self.process = subprocess.Popen(
            [*tracer, self.victim, self.path, self.state],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)

    def await_epoch(self, epoch):
        """Reads on until a ring of this epoch serves."""
        end = time.monotonic() + LONGEST
        while str(epoch) not in self.lines:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [],
                                              left)[0]:
                return False
            some = os.read(self.process.stdout.fileno(), 4096)
            if not some:
                return False
            self.lines += some.decode().split()
        return True

    def end(self):
        self.process.stdin.close()
        self.lines += self.process.stdout.read().decode().split()
        self.process.stdout.close()
        self.process.wait()

    def take_epochs(self):
        """What served, and whether the state was always written."""
        lines, self.lines = self.lines, []
        return [int(x) for x in lines if x != 'state'], 'state' not in lines


def fault_of(run):
    """What went wrong in a life of two rings, and one after it."""
    if not run.await_epoch(1):
        return 'epoch 1 was never served'
    run.give(2)
    if not run.await_epoch(2):
        return 'epoch 2 was never served'
    run.end()
    first_life, is_safe = run.take_epochs()
    run.start()
    if not run.await_epoch(2):
        return 'epoch 2 was never served after a restart'
    run.end()
    second_life, is_whole = run.take_epochs()
    if is_safe and not is_whole:
        return 'the state was written without a word, and is broken'
    epochs = first_life + second_life
    if any(epoch not in (1, 2) for epoch in epochs):
        return f'rings that nobody gave: {epochs}'
    lives = [epochs] if is_safe else [first_life, second_life]
    if any(life != sorted(life) for life in lives):
        return f'an epoch fell: {epochs}'
    return None


def try_fault(victim, call, when):
    """Whether the call was made and failed, and what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        run = Run(victim, folder)
        log = folder / 'log'
        error = ERRORS.get(call, 'EIO')
        tracer = ['strace', '-f', '-qq', '-o', log, '-e', f'trace={call}', '-e',
                  f'inject={call}:error={error}:when={when}']
        if call in OF_FILES:
            tracer += ['-P', run.path, '-P', run.state]
        run.start(*tracer)
        try:
            fault = fault_of(run)
        finally:
            if run.process.poll() is None:
                run.process.kill()
                run.process.wait()
        was_made = 'INJECTED' in log.read_text(errors='replace')
    return was_made, fault


def can_trace():
    if shutil.which('strace') is None:
        return False
    return subprocess.run(
        ['strace', '-qq', '-o', '/dev/null', '-e', 'trace=fsync', '-e',
         'inject=fsync:error=EIO', 'true'], stderr=subprocess.DEVNULL,
        check=False).returncode == 0


def sweep(victim, call):
    """Every call of this name that is made, and what went wrong with each."""
    faults = []
    for when in range(1, MOST + 1):
        was_made, fault = try_fault(victim, call, when)
        if fault is not None:
            faults.append(f'{call}, call {when}: {fault}')
        if not was_made:
            return when - 1, faults
    return MOST, faults


def main(victim):
    if not can_trace():
        print('skipped: no strace that may inject faults')
        return SKIPPED
    calls = OF_FILES + OF_THE_WATCHER
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda call: sweep(victim, call), calls))
    faults = [fault for _, some in results for fault in some]
    counts = ', '.join(f'{call} {made}'
                       for call, (made, _) in zip(calls, results))
    print('\n'.join(faults + [f'calls that failed: {counts}']))
    for call in ('openat', 'read', 'write', 'fsync', 'rename', 'poll'):
        if results[calls.index(call)][0] == 0:
            print(f'{call} was never made: nothing was tried')
            return 1
    return 1 if faults else 0


sys.exit(main(sys.argv[1]))
