//===- core/report/HtmlColors.h - the palette as variables of a page ------===//
//
// One drawing serves both themes: each colour of the light theme in an SVG is
// replaced by the variable of its role, which the page sets by theme.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REPORT_HTMLCOLORS_H
#define MEMREFLENS_REPORT_HTMLCOLORS_H

#include "core/graph/Theme.h"

#include <string>

namespace memreflens::report {

/// "--node:#ffffff;--owned-line:#0072b2;...".
std::string themeVariables(graph::ThemeName theme);

/// A light SVG with variables for its colours, from its `<svg` on. A colour
/// that two roles share takes the first one's variable.
std::string recolorable(std::string_view svg);

} // namespace memreflens::report

#endif // MEMREFLENS_REPORT_HTMLCOLORS_H
