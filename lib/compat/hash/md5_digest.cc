// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/hash/md5_digest.h"

#include <md5.h>

#include "compat/hash/bytes.h"

namespace clockwise::compat_internal {

Md5Digest Md5(std::string_view text) noexcept {
  MD5_CTX context;
  MD5Init(&context);
  if (!text.empty()) MD5Update(&context, Bytes(text), text.size());
  uint8_t bytes[MD5_DIGEST_LENGTH];
  MD5Final(bytes, &context);
  Md5Digest digest;
  for (size_t k = 0; k < 4; ++k) digest.words[k] = LoadLe32(bytes + 4 * k);
  return digest;
}

}  // namespace clockwise::compat_internal
