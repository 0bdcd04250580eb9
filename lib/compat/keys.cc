// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "clockwise/compat_keys.h"

namespace clockwise {
namespace {

constexpr std::string_view kBlanks = " \t";

// Without scheme and authority; nothing where there is no path.
std::string_view PathOf(std::string_view target) noexcept {
  if (target.starts_with('/')) return target;
  const size_t scheme = target.find("://");
  const size_t authority = scheme == std::string_view::npos ? 0 : scheme + 3;
  const size_t path = target.find('/', authority);
  return path == std::string_view::npos ? std::string_view()
                                        : target.substr(path);
}

// Where the target ends that has `depth` slashes and no more; at its end if it
// has not as many. 0: no limit.
size_t EndOfDepth(std::string_view target, uint32_t depth) noexcept {
  if (depth == 0) return target.size();
  uint32_t slashes = 0;
  for (size_t i = 0; i < target.size(); ++i) {
    if (target[i] == '/' && ++slashes == depth + 1) return i;
  }
  return target.size();
}

}  // namespace

std::string_view HaproxyUriKey(std::string_view target,
                               const HaproxyUri& options) noexcept {
  if (options.is_path_only) target = PathOf(target);
  if (options.length != 0) target = target.substr(0, options.length);
  size_t end = EndOfDepth(target, options.depth);
  if (!options.is_whole) end = std::min(end, target.find('?'));
  return target.substr(0, end);
}

std::string_view HaproxyUrlParam(std::string_view target,
                                 std::string_view name) noexcept {
  size_t at = target.find('?');
  while (at != std::string_view::npos) {
    std::string_view pair = target.substr(at + 1);
    pair = pair.substr(0, pair.find('&'));
    if (pair.size() > name.size() && pair.starts_with(name) &&
        pair[name.size()] == '=') {
      return pair.substr(name.size() + 1);
    }
    at = target.find('&', at + 1);
  }
  return {};
}

std::string_view HaproxyHeader(std::string_view value) noexcept {
  value = value.substr(0, value.find(','));
  const size_t first = value.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return value.substr(first, value.find_last_not_of(kBlanks) + 1 - first);
}

// HAProxy's loop, which looks at neither the first byte nor, behind the last
// dot it finds, at the one before that.
std::string_view HaproxyDomain(std::string_view value) noexcept {
  size_t begin = value.size();
  size_t end = value.size();
  bool is_inside = false;
  for (; begin > 0; --begin) {
    if (is_inside) {
      if (value[begin - 1] == '.') break;
    } else if (begin < value.size() && value[begin] == '.') {
      end = begin;
      is_inside = true;
    }
  }
  return value.substr(begin, end - begin);
}

std::array<char, 8> HaproxyNumber(uint64_t number) noexcept {
  std::array<char, 8> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(number >> (56 - 8 * i) & 0xFF);
  }
  return bytes;
}

std::string LibmemcachedKey(std::string_view name_space, std::string_view key) {
  std::string text(name_space);
  text += key.substr(0, key.find('\0'));
  text.resize(name_space.size() + key.size(), '\0');
  return text;
}

}  // namespace clockwise
