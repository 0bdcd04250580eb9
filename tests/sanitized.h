// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// CW_SANITIZED: this is a build with the address or the thread sanitizer, which
// take a multiple of the time and cannot do all that tests do. For C, too.
#pragma once

#if defined(CW_SANITIZED)
// Said by the build: the library is sanitized, this file is not.
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CW_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CW_SANITIZED 1
#endif
#endif
