#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""The files that .clang-format-include names are formatted, and the scripts
pass shellcheck. Tools that are not there are passed over: releases of
clang-format differ, so it must be 14.

usage: format_test.py ROOT
"""
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77


def files_to_format(root):
    patterns = (root / '.clang-format-include').read_text().split()
    return sorted(str(f) for p in patterns for f in root.glob(p))


def is_script(file):
    return file.is_file() and file.read_bytes().startswith(
        b'#!/usr/bin/env bash\n')


def scripts(root):
    return sorted(str(f) for folder in ('tools', '.ci')
                  for f in (root / folder).iterdir() if is_script(f))


def main(root):
    root = pathlib.Path(root)
    commands = [
        ['clang-format-14', '--dry-run', '-Werror', *files_to_format(root)],
        ['shellcheck', *scripts(root)],
    ]
    found = [c for c in commands if shutil.which(c[0])]
    if not found:
        return SKIPPED
    # All of them run, so that one run shows every fault.
    return 1 if any([subprocess.run(c).returncode for c in found]) else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
