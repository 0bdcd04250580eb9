#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Passes if a program ends with a given status, and with no other.

usage: exit_status.py STATUS PROGRAM [ARGUMENT...]
"""
import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
print(f'exit status {status}, wanted {sys.argv[1]}')
sys.exit(status != int(sys.argv[1]))
