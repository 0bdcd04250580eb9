// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Reads members files: JSON, checked against the schema as it is parsed, so
// that memory is bounded by what the schema allows and each complaint has a
// line, a column and a field.
#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "base/out_of_memory.h"
#include "clockwise/members.h"
#include "clockwise/scheme.h"
#include "members/check_scheme.h"
#include "members/fields.h"
#include "members/json_text.h"

namespace clockwise {
namespace {

using schema::Field;
using schema::Holds;
using schema::Scalar;

// Receives the parser's events. Each answers whether to go on.
class MembersReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  MembersReader(std::string_view text, Members& members)
      : text_(text), members_(members) {}

  Status Read() {
    if (nlohmann::json::sax_parse(text_.begin(), text_.end(), this)) {
      CheckParams();
    }
    return std::move(status_);
  }

  bool null() override { return Take(nullptr); }
  bool boolean(bool value) override { return Take(value); }
  bool number_integer(int64_t value) override { return Take(value); }
  bool number_unsigned(uint64_t value) override { return Take(value); }
  bool number_float(double value, const std::string&) override {
    return Take(value);
  }
  bool string(std::string& value) override {
    return Take(std::string_view(value));
  }
  bool binary(nlohmann::json::binary_t&) override { return false; }
  bool start_object(size_t) override;
  bool key(std::string& name) override;
  bool end_object() override;
  bool start_array(size_t) override;
  bool end_array() override;
  bool parse_error(size_t position, const std::string& token,
                   const nlohmann::json::exception& error) override;

 private:
  // An object or list that is being read.
  struct Frame {
    enum class Kind { kFile, kRing, kNodes, kNode, kParams } kind;
    std::span<const Field> fields;
    std::string path;         // of what it holds: "", "ring.", "nodes[3]."
    size_t begin;             // offset of its first byte
    bool is_of_node = false;  // parameters of one
    size_t param_bytes = 0;   // of those read so far
    uint32_t seen = 0;        // a bit for each field met
  };

  // Refuses the token that was read last, or what lies at `offset`.
  bool Refuse(const std::string& path, std::string_view why) {
    return RefuseAt(text_.token(), path, why);
  }
  bool RefuseAt(size_t offset, const std::string& path, std::string_view why);
  bool RefuseName(const Frame& frame, const std::string& name);
  bool TakeParamName(const Frame& frame, const std::string& name);
  bool Take(const Scalar& value);
  bool TakeId();
  bool TakeParam(const Scalar& value);
  void CheckParams();
  [[nodiscard]] std::string Path() const;
  void Push(Frame::Kind kind, std::span<const Field> fields, std::string path) {
    frames_.push_back({kind, fields, std::move(path), text_.token()});
  }
  [[nodiscard]] bool IsIn(Frame::Kind kind) const {
    return !frames_.empty() && frames_.back().kind == kind;
  }
  bool Require(std::string_view name);

  JsonText text_;
  Members& members_;
  Status status_;
  std::vector<Frame> frames_;
  const Field* field_ = nullptr;  // whose value comes next
  // A parameter: which schemes read it is known at the end of the file only.
  struct Param {
    size_t offset;
    std::string path, name;
    bool is_of_node;
  };
  std::vector<Param> params_;
  std::unordered_map<std::string, size_t> ids_;  // to the offset of each
};

bool MembersReader::RefuseAt(size_t offset, const std::string& path,
                             std::string_view why) {
  status_ = {Code::kBadMembers, members_.source + ':' + text_.Place(offset) +
                                    ": " + path + (path.empty() ? "" : ": ") +
                                    std::string(why)};
  return false;
}

std::string MembersReader::Path() const {
  if (frames_.empty()) return {};
  if (IsIn(Frame::Kind::kNodes)) {
    return "nodes[" + std::to_string(members_.nodes.size()) + ']';
  }
  std::string path = frames_.back().path;
  if (field_ != nullptr) path += field_->name;
  return path;
}

bool MembersReader::TakeParam(const Scalar& value) {
  const Param& param = params_.back();
  Params& params =
      param.is_of_node ? members_.nodes.back().params : members_.options.params;
  const std::string why =
      schema::SetParam(param.name, value, params, frames_.back().param_bytes);
  return why.empty() || Refuse(param.path + param.name, why);
}

// Refuses the first parameter that the scheme does not read.
void MembersReader::CheckParams() {
  const Scheme& scheme = *FindScheme(members_.options.scheme);
  for (const Param& param : params_) {
    const std::string why = RefusalOfParam(
        param.name, scheme.id,
        param.is_of_node ? scheme.node_params : scheme.ring_params);
    if (why.empty()) continue;
    RefuseAt(param.offset, param.path + param.name, why);
    return;
  }
}

bool MembersReader::Take(const Scalar& value) {
  text_.FindToken();
  if (IsIn(Frame::Kind::kParams)) return TakeParam(value);
  if (field_ == nullptr || !field_->IsScalar()) {
    const bool is_list = field_ != nullptr && field_->holds == Holds::kNodes;
    const char* what = is_list ? "a list" : "an object";
    return Refuse(Path(), schema::ToText(value) + "; " + what + " is wanted");
  }
  if (const std::string why = field_->set(value, members_); !why.empty()) {
    return Refuse(Path(), why);
  }
  const bool is_id = IsIn(Frame::Kind::kNode) && field_->name == "id";
  if (is_id && !TakeId()) return false;
  field_ = nullptr;
  return true;
}

bool MembersReader::TakeId() {
  const std::string& id = members_.nodes.back().id;
  const auto [other, is_new] = ids_.try_emplace(id, text_.token());
  if (is_new) return true;
  const auto same_id = [&](const Node& node) { return node.id == id; };
  const auto first =
      std::find_if(members_.nodes.begin(), members_.nodes.end(), same_id) -
      members_.nodes.begin();
  return Refuse(Path(), '\'' + id + "' is the id of nodes[" +
                            std::to_string(first) + "] at " +
                            text_.Place(other->second) + " as well");
}

bool MembersReader::start_object(size_t) {
  text_.FindToken();
  const std::string path = Path();
  if (frames_.empty()) {
    Push(Frame::Kind::kFile, schema::FileFields(), "");
  } else if (IsIn(Frame::Kind::kNodes)) {
    if (members_.nodes.size() == kMaxNodes) {
      return Refuse(path, "at most " + std::to_string(kMaxNodes) + " nodes");
    }
    members_.nodes.emplace_back();
    Push(Frame::Kind::kNode, schema::NodeFields(), path + '.');
  } else if (field_->holds == Holds::kRing) {
    Push(Frame::Kind::kRing, schema::RingFields(), path + '.');
  } else if (field_->holds == Holds::kParams) {
    const bool is_of_node = IsIn(Frame::Kind::kNode);
    Push(Frame::Kind::kParams, {}, path + '.');
    frames_.back().is_of_node = is_of_node;
  } else {
    return Refuse(path, field_->holds == Holds::kNodes
                            ? "an object; a list is wanted"
                            : "an object; a single value is wanted");
  }
  field_ = nullptr;
  return true;
}

bool MembersReader::key(std::string& name) {
  text_.FindToken();
  Frame& frame = frames_.back();
  if (frame.kind == Frame::Kind::kParams) return TakeParamName(frame, name);
  const Field* field = schema::FindField(frame.fields, name);
  if (field == nullptr) return RefuseName(frame, name);
  const uint32_t bit = 1u << (field - frame.fields.data());
  if ((frame.seen & bit) != 0) {
    return Refuse(frame.path + name, "duplicate field");
  }
  frame.seen |= bit;
  field_ = field;
  return true;
}

bool MembersReader::TakeParamName(const Frame& frame, const std::string& name) {
  const Params& params =
      frame.is_of_node ? members_.nodes.back().params : members_.options.params;
  if (params.contains(name)) {
    return Refuse(frame.path + name, "duplicate field");
  }
  params_.push_back({text_.token(), frame.path, name, frame.is_of_node});
  return true;
}

bool MembersReader::RefuseName(const Frame& frame, const std::string& name) {
  std::string known;
  for (const Field& field : frame.fields) {
    known += known.empty() ? "" : ", ";
    known += field.name;
  }
  return Refuse(frame.path + name, "unknown field; known: " + known);
}

// Refuses an object that ends without the field it must have.
bool MembersReader::Require(std::string_view name) {
  const Frame& frame = frames_.back();
  const Field* field = schema::FindField(frame.fields, name);
  if ((frame.seen >> (field - frame.fields.data()) & 1) != 0) return true;
  return RefuseAt(frame.begin, frame.path + std::string(name), "missing");
}

bool MembersReader::end_object() {
  text_.FindToken();
  if (IsIn(Frame::Kind::kFile) && !Require("schema")) return false;
  if (IsIn(Frame::Kind::kNode) && !Require("id")) return false;
  frames_.pop_back();
  return true;
}

bool MembersReader::start_array(size_t) {
  text_.FindToken();
  if (field_ == nullptr || field_->holds != Holds::kNodes) {
    const bool is_scalar = field_ != nullptr && field_->IsScalar();
    return Refuse(Path(), is_scalar ? "a list; a single value is wanted"
                                    : "a list; an object is wanted");
  }
  Push(Frame::Kind::kNodes, {}, "");
  field_ = nullptr;
  return true;
}

bool MembersReader::end_array() {
  text_.FindToken();
  frames_.pop_back();
  return true;
}

bool MembersReader::parse_error(size_t position, const std::string&,
                                const nlohmann::json::exception& error) {
  // "[id] parse error at line 1, column 2: syntax error while …; last read: …"
  std::string_view why = error.what();
  if (const size_t at = why.find(", column "); at != std::string_view::npos) {
    why = why.substr(std::min(why.find(": ", at), why.size() - 2) + 2);
  } else if (const size_t id = why.find("] "); id != std::string_view::npos) {
    why = why.substr(id + 2);
  }
  constexpr size_t kMaxWhy = 200;
  return RefuseAt(std::min(std::max<size_t>(position, 1) - 1, text_.size()), "",
                  why.substr(0, kMaxWhy));
}

}  // namespace

Result<Members> ParseMembers(std::string_view text,
                             std::string_view source) try {
  Members members;
  members.source = source;
  if (text.empty()) {
    return Status(Code::kBadMembers, members.source + ": is empty");
  }
  // Some editors put a byte order mark first; it says nothing in UTF-8.
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  const Status status = MembersReader(text, members).Read();
  if (!status.ok()) return status;
  return members;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
