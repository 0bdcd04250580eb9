#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Writes each ```cpp and ```c block of a page to a file of its own.

usage: readme_example.py PAGE OUTPUT...

The outputs, .cc or .c, are as many as the blocks, in their order.
"""
import pathlib
import re
import sys

LANGUAGES = {'.cc': 'cpp', '.c': 'c'}


def main(page, *names):
    text = pathlib.Path(page).read_text()
    blocks = re.findall(r'^```(cpp|c)\n(.*?)^```$', text, re.M | re.S)
    outputs = [pathlib.Path(name) for name in names]
    found = [language for language, _ in blocks]
    expected = [LANGUAGES[output.suffix] for output in outputs]
    if found != expected:
        sys.exit(f'{page} has blocks of {found}, the build expects {expected}')
    for (_, block), output in zip(blocks, outputs):
        output.write_text(block)


if __name__ == '__main__':
    main(*sys.argv[1:])
