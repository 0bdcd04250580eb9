#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Writes each ```cpp block of a page to a file of its own.

usage: readme_example.py PAGE OUTPUT...

There must be as many blocks as outputs.
"""
import pathlib
import re
import sys


def main(page, *outputs):
    text = pathlib.Path(page).read_text()
    blocks = re.findall(r'^```cpp\n(.*?)^```$', text, re.M | re.S)
    if len(blocks) != len(outputs):
        sys.exit(f'{page} has {len(blocks)} blocks of C++, the build expects '
                 f'{len(outputs)}')
    for block, output in zip(blocks, outputs):
        pathlib.Path(output).write_text(block)


if __name__ == '__main__':
    main(*sys.argv[1:])
