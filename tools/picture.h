// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Pictures of what a verb found, drawn by clockwise-plot (tools/plot/).
#pragma once

#include <string>

namespace clockwise::tool {

// Throws Failure (kMisuse) for a name that ends neither in .svg nor in .png.
void CheckPictureName(const std::string& path);

// Has `json`, an object whose field `picture` names its kind, drawn to `path`.
// Runs the program that the variable CLOCKWISE_PLOT names or else, beside this
// one, the installed one or that of the build. Throws Failure, with what it
// complained of: python3 or matplotlib may be missing.
void DrawPicture(const std::string& json, const std::string& path);

}  // namespace clockwise::tool
