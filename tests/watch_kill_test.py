#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Kills a process that follows a members file, again and again, while the file
is replaced: what serves after each start is a ring that was given, and its epoch
is never below one that served before.

usage: watch_kill_test.py VICTIM [KILLS]
"""
import json
import os
import pathlib
import random
import select
import signal
import subprocess
import sys
import tempfile
import time

# The most time that a start may take until a ring serves; the bar is 200 ms on
# an idle machine.
LONGEST_START = 5.0


class Members:
    """A members file, replaced as its owner does, or torn as others might."""

    def __init__(self, path, draw):
        self.path = path
        self.draw = draw
        self.epoch = 0

    def text(self, epoch):
        nodes = [{'id': f'n{i}'} for i in range(8 + epoch % 5)]
        return json.dumps({'schema': 1, 'epoch': epoch, 'nodes': nodes,
                           'ring': {'vnodes': 64}})

    def replace(self, text):
        new = self.path.with_suffix('.new')
        new.write_text(text)
        os.rename(new, self.path)

    def change(self):
        kind = self.draw.randrange(10)
        if kind == 0:
            text = self.text(self.epoch + 1)
            self.replace(text[:self.draw.randrange(len(text))])
        elif kind == 1 and self.epoch > 1:
            self.replace(self.text(self.draw.randrange(1, self.epoch)))
        elif kind == 2:
            self.path.unlink(missing_ok=True)
        else:
            self.epoch += 1
            self.replace(self.text(self.epoch))


def epochs_in(text):
    return [int(line) for line in text.split() if line != b'state']


def epochs(process, seconds):
    """What the process prints in this time."""
    end = time.monotonic() + seconds
    text = b''
    while (left := end - time.monotonic()) > 0:
        if not select.select([process.stdout], [], [], left)[0]:
            break
        some = os.read(process.stdout.fileno(), 4096)
        if not some:
            break
        text += some
    return epochs_in(text)


def first_epoch(process):
    began = time.monotonic()
    while time.monotonic() - began < LONGEST_START:
        if some := epochs(process, 0.001):
            return some, time.monotonic() - began
        if process.poll() is not None:
            break
    raise SystemExit(f'no ring served in {LONGEST_START} s after a start')


def main():
    victim, kills = sys.argv[1], int((sys.argv[2:] or [100])[0])
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        state = folder / 'state.ring'
        members = Members(folder / 'members.json', draw)
        members.change()
        while not members.path.exists() or members.epoch == 0:
            members.change()
        highest, served, starts = 0, 0, []
        for _ in range(kills):
            process = subprocess.Popen(
                [victim, members.path, state], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE)
            try:
                seen, took = first_epoch(process)
                starts.append(took)
                end = time.monotonic() + draw.random() * 0.03
                while time.monotonic() < end:
                    members.change()
                    seen += epochs(process, draw.random() * 0.004)
            finally:
                process.send_signal(signal.SIGKILL)
                process.wait()
            seen += epochs_in(process.stdout.read())
            for epoch in seen:
                if epoch < highest:
                    raise SystemExit(f'epoch {epoch} after {highest}')
                if epoch > members.epoch:
                    raise SystemExit(f'epoch {epoch}, which nobody gave')
                highest = epoch
            served += len(seen)
            left = [name for name in os.listdir(folder)
                    if name not in ('state.ring', 'members.json')]
            if len(left) > 2:
                raise SystemExit(f'left behind: {left}')
    starts.sort()
    print(f'{kills} kills, {served} rings served, epoch {highest} of '
          f'{members.epoch}; a start took {starts[len(starts) // 2]:.3f} s, '
          f'{starts[-1]:.3f} s at most')


main()
