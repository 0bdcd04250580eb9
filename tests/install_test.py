#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Installs into a scratch folder, then builds and runs programs against it as
users of C++ and C do, through pkg-config.

usage: install_test.py BUILD VERSION 'C++ COMPILER' 'C COMPILER' compat|''
"""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

CPP_PROGRAM = r'''
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

C_PROGRAM = r'''
#include <clockwise/clockwise_c.h>
#include <stdio.h>

int main(void) {
  cw_builder* builder;
  cw_ring* ring;
  cw_node node;
  if (cw_builder_create(NULL, &builder, NULL) != CW_OK) return 1;
  cw_node_init(&node);
  node.id = cw_text("only");
  if (cw_builder_add(builder, &node, NULL) != CW_OK) return 1;
  if (cw_builder_build(builder, 1, &ring, NULL) != CW_OK) return 1;
  puts(cw_ring_node_id(ring, cw_ring_owner(ring, "key", 3)).size == 4
           ? "only" : "?");
  cw_ring_free(ring);
  cw_builder_free(builder);
  return 0;
}
'''

COMPAT_PROGRAM = r'''
#include <clockwise/clockwise.h>
#include <clockwise/compat_hash.h>
#include <cstdio>

int main() {
  using namespace clockwise;
  const uint64_t slot = PeerHashOf(PeerHash::kRedisSlot, "123456789") >> 32;
  const bool is_core_there = Fnv1a32("a") == 0xe40c292c;
  std::puts(slot == 12739 && is_core_there ? "only" : "?");
}
'''


def run(*args, **variables):
    result = subprocess.run(args, env={**os.environ, **variables}, text=True,
                            capture_output=True)
    if result.returncode != 0:
        sys.exit(f'{" ".join(args)}\n{result.stdout}{result.stderr}')
    return result.stdout.strip()


def check(root, variables, package, source, text, *compiler):
    """Compiles and runs a program, which must answer "only"."""
    flags = run('pkg-config', '--cflags', '--libs', package,
                **variables).split()
    (root / source).write_text(text)
    run(*compiler, '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-o',
        str(root / 'program'), str(root / source), *flags)
    libraries = pathlib.Path(variables['PKG_CONFIG_PATH']).parent
    answer = run(str(root / 'program'), LD_LIBRARY_PATH=str(libraries))
    if answer != 'only':
        sys.exit(f'{source} answered {answer!r}')


def main(build, version, cpp, c, compat):
    with tempfile.TemporaryDirectory(dir=build) as root:
        run('meson', 'install', '-C', build, '--no-rebuild', DESTDIR=root)
        pc, = pathlib.Path(root).rglob('clockwise.pc')
        variables = {'PKG_CONFIG_PATH': str(pc.parent),
                     'PKG_CONFIG_SYSROOT_DIR': root}
        found = run('pkg-config', '--modversion', 'clockwise', **variables)
        if found != version:
            sys.exit(f'clockwise.pc says {found}, not {version}')
        check(pathlib.Path(root), variables, 'clockwise', 'program.cc',
              CPP_PROGRAM, *shlex.split(cpp), '-std=c++20')
        check(pathlib.Path(root), variables, 'clockwise', 'program.c',
              C_PROGRAM, *shlex.split(c), '-std=c99')
        if compat:
            check(pathlib.Path(root), variables, 'clockwise-compat',
                  'compat.cc', COMPAT_PROGRAM, *shlex.split(cpp), '-std=c++20')


if __name__ == '__main__':
    main(*sys.argv[1:])
