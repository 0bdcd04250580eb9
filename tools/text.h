// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Bytes as text that a terminal, a script or a JSON reader takes safely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace clockwise::tool {

// Appends `bytes` with tab, newline and backslash as \t \n \\ and every byte
// of what is not printable UTF-8 as \xNN. One line, one field; reversible.
void AppendEscaped(std::string& out, std::string_view bytes);
std::string Escaped(std::string_view bytes);

// Whether `bytes` are well-formed UTF-8.
bool IsUtf8(std::string_view bytes);

// Returns the count of code points of `text`; of a malformed byte, one each.
size_t CountCodePoints(std::string_view text);

// Appends `text`, which is well-formed UTF-8, as a JSON string in quotes.
void AppendJson(std::string& out, std::string_view text);

// Appends two lower-case hex digits for each byte.
void AppendHex(std::string& out, std::string_view bytes);

// Returns 16 lower-case hex digits.
std::string Hex(uint64_t value);

// The value of a hex digit of either case; -1 for any other character.
int HexDigit(char c);

// Reads decimal digits and nothing else; none where it does not fit.
std::optional<uint64_t> ParseUnsigned(std::string_view text);

}  // namespace clockwise::tool
