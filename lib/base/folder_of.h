// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace clockwise {

// The folder that holds what `path` names, by its text alone: "." for a name
// without one, "/" for one in the root. May throw std::bad_alloc.
inline std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace clockwise
