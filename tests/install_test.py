#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Installs into a scratch folder, then builds and runs a program against it as
a user does, through pkg-config.

usage: install_test.py BUILD VERSION COMPILER...
"""
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = r'''
#include <clockwise/clockwise.h>
#include <cstdio>

int main() {
  auto builder = clockwise::RingBuilder::Create({}).value();
  clockwise::Node node;
  node.id = "only";
  if (!builder.Add(node).ok()) return 1;
  const clockwise::Ring ring = builder.Build().value();
  std::printf("%s\n", std::string(ring.node(ring.Owner("key")).id).c_str());
}
'''


def run(*args, **variables):
    result = subprocess.run(args, env={**os.environ, **variables}, text=True,
                            capture_output=True)
    if result.returncode != 0:
        sys.exit(f'{" ".join(args)}\n{result.stdout}{result.stderr}')
    return result.stdout.strip()


def main(build, version, *compiler):
    with tempfile.TemporaryDirectory(dir=build) as root:
        run('meson', 'install', '-C', build, '--no-rebuild', DESTDIR=root)
        pc, = pathlib.Path(root).rglob('clockwise.pc')
        variables = {'PKG_CONFIG_PATH': str(pc.parent),
                     'PKG_CONFIG_SYSROOT_DIR': root}
        found = run('pkg-config', '--modversion', 'clockwise', **variables)
        if found != version:
            sys.exit(f'clockwise.pc says {found}, not {version}')
        flags = run('pkg-config', '--cflags', '--libs', 'clockwise',
                    **variables).split()
        source = pathlib.Path(root) / 'program.cc'
        source.write_text(PROGRAM)
        run(*compiler, '-std=c++20', '-Wall', '-Wextra', '-Wpedantic',
            '-Werror', '-o', root + '/program', str(source), *flags)
        answer = run(root + '/program', LD_LIBRARY_PATH=str(pc.parent.parent))
        if answer != 'only':
            sys.exit(f'the program answered {answer!r}')


if __name__ == '__main__':
    main(*sys.argv[1:])
