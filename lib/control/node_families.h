// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#pragma once

#include "clockwise/metrics_snapshot.h"
#include "control/exposition.h"

namespace clockwise {

// Writes what there is of nodes: families with a sample for each that has one.
void WriteNodeFamilies(Exposition& page, const MetricsSnapshot& snapshot);

}  // namespace clockwise
