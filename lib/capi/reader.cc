// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "capi/reader.h"

#include "capi/guard.h"
#include "capi/handles.h"

using clockwise::Status;
using clockwise::capi::Guarded;
using clockwise::capi::IsNull;

cw_status cw_reader_create(const cw_domain* domain, const char* name,
                           cw_reader** reader, cw_error* error) {
  return Guarded(reader, error, [&]() -> Status {
    if (domain == nullptr) return IsNull("domain");
    auto made = domain->domain.Register(name != nullptr ? name : "");
    if (!made.ok()) return made.status();
    *reader = new cw_reader(std::move(made).value(),
                            clockwise::DomainAccess::CoreOf(domain->domain));
    return {};
  });
}

void cw_reader_free(cw_reader* reader) { delete reader; }

void cw_reader_pin(cw_reader* reader) { reader->Enter(); }

cw_status cw_reader_unpin(cw_reader* reader) {
  return reader != nullptr && reader->Leave() ? CW_OK : CW_INVALID_ARGUMENT;
}

void cw_reader_quiescent(cw_reader* reader) { reader->reader.Quiescent(); }

void cw_reader_offline(cw_reader* reader) { reader->reader.Offline(); }

void cw_reader_rebind(cw_reader* reader) { reader->reader.Rebind(); }

cw_status cw_reader_rebind_to_node(cw_reader* reader, unsigned os_index,
                                   cw_error* error) {
  return Guarded(error, [&]() -> Status {
    if (reader == nullptr) return IsNull("reader");
    return reader->reader.RebindToNode(os_index);
  });
}

uint32_t cw_reader_copy(const cw_reader* reader) {
  return reader->reader.copy();
}
