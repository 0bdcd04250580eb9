// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// All of the C++ interface.
#pragma once

#include "clockwise/anchor.h"
#include "clockwise/block_source.h"
#include "clockwise/domain.h"
#include "clockwise/hash.h"
#include "clockwise/jump.h"
#include "clockwise/key_hasher.h"
#include "clockwise/maglev.h"
#include "clockwise/members.h"
#include "clockwise/modulo.h"
#include "clockwise/multi_probe.h"
#include "clockwise/node.h"
#include "clockwise/params.h"
#include "clockwise/placement.h"
#include "clockwise/rendezvous.h"
#include "clockwise/replicas.h"
#include "clockwise/ring.h"
#include "clockwise/ring_builder.h"
#include "clockwise/router.h"
#include "clockwise/scheme.h"
#include "clockwise/slots.h"
#include "clockwise/status.h"
#include "clockwise/steer.h"
#include "clockwise/topology.h"
