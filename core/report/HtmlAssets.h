//===- core/report/HtmlAssets.h - the files of assets/, built in ----------===//

#ifndef MEMREFLENS_REPORT_HTMLASSETS_H
#define MEMREFLENS_REPORT_HTMLASSETS_H

#include <span>
#include <string_view>

namespace memreflens::report::assets {

extern const std::string_view style;
extern const std::string_view body;
/// In the order in which they run, as one script.
extern const std::span<const std::string_view> scripts;

} // namespace memreflens::report::assets

#endif // MEMREFLENS_REPORT_HTMLASSETS_H
