// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <new>
#include <string_view>

#include "base/out_of_memory.h"
#include "platform/replace_file.h"
#include "wire/file_io.h"
#include "wire/seal.h"

namespace clockwise {

Status SaveRingBy(FileCalls& calls, const Ring& ring,
                  const std::string& path) try {
  const auto file = SealRing(ring);
  if (!file.ok()) return file.status();
  return ReplaceFile(
      calls, path,
      {static_cast<const char*>(file.value().data()), file.value().bytes()});
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Status SaveRing(const Ring& ring, const std::string& path) {
  return SaveRingBy(SystemFileCalls(), ring, path);
}

}  // namespace clockwise
