// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The two macros that public declarations need.
#pragma once

// CW_API marks what the shared library exports; all else in it is hidden.
#define CW_API __attribute__((visibility("default")))

// CW_INLINE marks the hot path. It must be inlined in the caller: a copy of it
// that another file built with other CPU flags could otherwise be linked in.
#define CW_INLINE [[gnu::always_inline]] inline
