// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Reads members files: JSON, checked against the schema as it is parsed, so
// that memory is bounded by what the schema allows and each complaint has a
// line, a column and a field.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "failure.h"
#include "fields.h"
#include "file.h"
#include "json_text.h"

namespace clockwise::tool {
namespace {

// Receives the parser's events.
class MembersReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  MembersReader(std::string_view text, Members& members)
      : text_(text), members_(members) {}

  void Read() { nlohmann::json::sax_parse(text_.begin(), text_.end(), this); }

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
    std::string path;   // of what it holds: "", "ring.", "nodes[3]."
    size_t begin;       // offset of its first byte
    uint32_t seen = 0;  // a bit for each field met
  };

  // Refuses the token that was read last, or what lies at `offset`.
  [[noreturn]] void Refuse(const std::string& path, std::string_view why) {
    RefuseAt(text_.token(), path, why);
  }
  [[noreturn]] void RefuseAt(size_t offset, const std::string& path,
                             std::string_view why);
  bool Take(const Scalar& value);
  void TakeId();
  [[nodiscard]] std::string Path() const;
  void Push(Frame::Kind kind, std::span<const Field> fields, std::string path) {
    frames_.push_back({kind, fields, std::move(path), text_.token()});
  }
  [[nodiscard]] bool IsIn(Frame::Kind kind) const {
    return !frames_.empty() && frames_.back().kind == kind;
  }
  void Require(std::string_view name);

  JsonText text_;
  Members& members_;
  std::vector<Frame> frames_;
  const Field* field_ = nullptr;                 // whose value comes next
  std::unordered_map<std::string, size_t> ids_;  // to the offset of each
};

void MembersReader::RefuseAt(size_t offset, const std::string& path,
                             std::string_view why) {
  throw Failure(Exit::kRefused, fmt::format("{}:{}: {}{}{}", members_.source,
                                            text_.Place(offset), path,
                                            path.empty() ? "" : ": ", why));
}

std::string MembersReader::Path() const {
  if (frames_.empty()) return {};
  if (IsIn(Frame::Kind::kNodes)) {
    return fmt::format("nodes[{}]", members_.nodes.size());
  }
  return fmt::format("{}{}", frames_.back().path,
                     field_ != nullptr ? field_->name : "");
}

bool MembersReader::Take(const Scalar& value) {
  text_.FindToken();
  if (field_ == nullptr || field_->holds != Holds::kScalar) {
    const bool is_list = field_ != nullptr && field_->holds == Holds::kNodes;
    Refuse(Path(), fmt::format("{}; {} is wanted", ToText(value),
                               is_list ? "a list" : "an object"));
  }
  if (const std::string why = field_->set(value, members_); !why.empty()) {
    Refuse(Path(), why);
  }
  if (IsIn(Frame::Kind::kNode) && field_->name == "id") TakeId();
  field_ = nullptr;
  return true;
}

void MembersReader::TakeId() {
  const std::string& id = members_.nodes.back().id;
  const auto [other, is_new] = ids_.try_emplace(id, text_.token());
  if (is_new) return;
  const auto same_id = [&](const Node& node) { return node.id == id; };
  const auto first =
      std::find_if(members_.nodes.begin(), members_.nodes.end(), same_id) -
      members_.nodes.begin();
  Refuse(Path(), fmt::format("'{}' is the id of nodes[{}] at {} as well", id,
                             first, text_.Place(other->second)));
}

bool MembersReader::start_object(size_t) {
  text_.FindToken();
  const std::string path = Path();
  if (frames_.empty()) {
    Push(Frame::Kind::kFile, FileFields(), "");
  } else if (IsIn(Frame::Kind::kNodes)) {
    if (members_.nodes.size() == kMaxNodes) {
      Refuse(path, fmt::format("at most {} nodes", kMaxNodes));
    }
    members_.nodes.emplace_back();
    Push(Frame::Kind::kNode, NodeFields(), path + '.');
  } else if (field_->holds == Holds::kRing) {
    Push(Frame::Kind::kRing, RingFields(), path + '.');
  } else if (field_->holds == Holds::kParams) {
    Push(Frame::Kind::kParams, {}, path + '.');
  } else {
    Refuse(path, field_->holds == Holds::kNodes
                     ? "an object; a list is wanted"
                     : "an object; a single value is wanted");
  }
  field_ = nullptr;
  return true;
}

bool MembersReader::key(std::string& name) {
  text_.FindToken();
  Frame& frame = frames_.back();
  const auto found =
      std::find_if(frame.fields.begin(), frame.fields.end(),
                   [&](const Field& field) { return field.name == name; });
  if (found == frame.fields.end()) {
    if (frame.kind == Frame::Kind::kParams) {
      Refuse(frame.path + name, UnknownParameter(name));
    }
    std::string known;
    for (const Field& field : frame.fields) {
      known += known.empty() ? "" : ", ";
      known += field.name;
    }
    Refuse(frame.path + name, "unknown field; known: " + known);
  }
  const uint32_t bit = 1u << (found - frame.fields.begin());
  if ((frame.seen & bit) != 0) Refuse(frame.path + name, "duplicate field");
  frame.seen |= bit;
  field_ = &*found;
  return true;
}

// Refuses an object that ends without the field it must have.
void MembersReader::Require(std::string_view name) {
  const Frame& frame = frames_.back();
  for (size_t i = 0; i < frame.fields.size(); ++i) {
    if (frame.fields[i].name == name && (frame.seen >> i & 1) == 0) {
      RefuseAt(frame.begin, fmt::format("{}{}", frame.path, name), "missing");
    }
  }
}

bool MembersReader::end_object() {
  text_.FindToken();
  if (IsIn(Frame::Kind::kFile)) Require("schema");
  if (IsIn(Frame::Kind::kNode)) Require("id");
  frames_.pop_back();
  return true;
}

bool MembersReader::start_array(size_t) {
  text_.FindToken();
  if (field_ == nullptr || field_->holds != Holds::kNodes) {
    const bool is_scalar = field_ != nullptr && field_->holds == Holds::kScalar;
    Refuse(Path(), is_scalar ? "a list; a single value is wanted"
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
  RefuseAt(std::min(std::max<size_t>(position, 1) - 1, text_.size()), "",
           why.substr(0, kMaxWhy));
}

}  // namespace

Members ReadMembersFile(const std::string& path) {
  Members members{.source = path, .options = {}, .epoch = 0, .nodes = {}};
  const std::string bytes = ReadWholeFile(path);
  std::string_view text = bytes;
  // Some editors put a byte order mark first; it says nothing in UTF-8.
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  MembersReader(text, members).Read();
  return members;
}

}  // namespace clockwise::tool
