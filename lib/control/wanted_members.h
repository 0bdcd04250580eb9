// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Which members may follow which, and single changes of them.
#pragma once

#include <cstdint>
#include <string_view>

#include "clockwise/members.h"
#include "clockwise/membership.h"
#include "clockwise/node.h"
#include "clockwise/status.h"

namespace clockwise {

// "members 'sessions'", or where they come from: for messages.
std::string TitleOf(const Members& members);

// Whether both say the same of the ring and of each node; not whether in the
// same order, nor under which epoch.
bool HaveSameContent(const Members& a, const Members& b);

// Refuses members that no ring should be built of, whatever served before.
Status CheckMembers(const Members& members, const MembershipOptions& options);

// kSuspiciousChange if more than `max_drop_percent` of the weight that the
// nodes of `serving` have would be gone with `wanted`.
Status CheckDrop(const Members& serving, const Members& wanted,
                 uint32_t max_drop_percent);

// kDuplicateNode, kUnknownNode, or what is wrong with the node. Adding a node
// that is there with the same record changes nothing.
Status AddTo(Members& members, const Node& node);
Status UpdateIn(Members& members, const Node& node);
Status RemoveFrom(Members& members, std::string_view id);

}  // namespace clockwise
