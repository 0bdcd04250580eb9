// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The same members under one scheme after the other, and what becomes of each
// placement when a node comes or goes.
#pragma once

#include <cstddef>

#include "clockwise/any_placement.h"
#include "clockwise/members.h"
#include "clockwise/scheme.h"

namespace clockwise::tool {

// The members as `scheme` takes them: under another scheme than their own
// without parameters, and with the options alone that it reads.
Members MembersUnder(const Members& members, const Scheme& scheme);

// What the placement `base` of `members` becomes once `node` is added, or the
// node at a place of the list removed, as the scheme's users would do it:
// `slots` is handed the table that it had, `anchor` keeps places and the order
// of removals; other schemes are built anew.
Result<AnyPlacement> WithAdded(const Members& members, const AnyPlacement& base,
                               const Node& node);
Result<AnyPlacement> WithRemoved(const Members& members,
                                 const AnyPlacement& base, size_t place);

}  // namespace clockwise::tool
