// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Linking the header tests together shows definitions that are not inline.
int main() { return 0; }
