// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/scheme.h"

#include <map>
#include <mutex>
#include <new>
#include <string>

#include "base/out_of_memory.h"
#include "members/native_schemes.h"

namespace clockwise {
namespace {

constexpr Scheme kNative = {
    kNativeScheme,
    "XXH3-64 of each node's id and a counter; weights in thousandths",
    "",
    true,
    false,
    {},
    {},
    nullptr,
    nullptr,
    true};

struct Registry {
  std::mutex mutex;
  std::map<std::string_view, const Scheme*> schemes;
};

// One of this library.
const Scheme* FindOwn(std::string_view id) noexcept {
  if (id == kNative.id) return &kNative;
  for (const Scheme& scheme : NativeSchemes()) {
    if (scheme.id == id) return &scheme;
  }
  return nullptr;
}

Status RefuseTaken(std::string_view id) {
  return {Code::kInvalidArgument,
          "scheme '" + std::string(id) + "' is there already"};
}

// Never destroyed: libraries may register as the process ends.
Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

}  // namespace

Status RegisterScheme(const Scheme& scheme) try {
  if (scheme.id.empty() || scheme.id.size() > 255) {
    return {Code::kInvalidArgument, "a scheme's id has " +
                                        std::to_string(scheme.id.size()) +
                                        " bytes; 1 to 255"};
  }
  if (FindOwn(scheme.id) != nullptr) return RefuseTaken(scheme.id);
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const auto [there, is_new] = registry.schemes.try_emplace(scheme.id, &scheme);
  if (is_new || there->second == &scheme) return {};
  return RefuseTaken(scheme.id);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

const Scheme* FindScheme(std::string_view id) noexcept {
  if (const Scheme* own = FindOwn(id)) return own;
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.schemes.find(id);
  return found != registry.schemes.end() ? found->second : nullptr;
}

std::vector<const Scheme*> Schemes() {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  std::map<std::string_view, const Scheme*> all = registry.schemes;
  all.emplace(kNative.id, &kNative);
  for (const Scheme& own : NativeSchemes()) all.emplace(own.id, &own);
  std::vector<const Scheme*> schemes;
  for (const auto& [id, scheme] : all) schemes.push_back(scheme);
  return schemes;
}

}  // namespace clockwise
