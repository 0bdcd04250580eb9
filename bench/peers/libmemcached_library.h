// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// libmemcached itself, asked for the server of a key. Nothing connects.
#pragma once

#include <libmemcached/memcached.h>

#include <memory>
#include <string_view>

#include "../rounds.h"
#include "members.h"

namespace clockwise::bench {

class LibmemcachedLibrary {
 public:
  explicit LibmemcachedLibrary(const Members& members)
      : client_(memcached_create(nullptr), memcached_free) {
    Do(memcached_behavior_set(client_.get(), MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED,
                              1));
    for (NodeIndex i = 0; i < members.nodes.size(); ++i) {
      Do(memcached_server_add(client_.get(), PeerHost(i).c_str(), 11211));
    }
  }

  [[nodiscard]] NodeIndex Owner(std::string_view key) const {
    return memcached_generate_hash(client_.get(), key.data(), key.size());
  }

 private:
  static void Do(memcached_return_t result) {
    Require(result == MEMCACHED_SUCCESS, memcached_strerror(nullptr, result));
  }

  std::unique_ptr<memcached_st, void (*)(memcached_st*)> client_;
};

}  // namespace clockwise::bench
