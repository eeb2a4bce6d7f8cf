//===- core/report/Sha256.h - the digest that a page's policy names -------===//

#ifndef MEMREFLENS_REPORT_SHA256_H
#define MEMREFLENS_REPORT_SHA256_H

#include <string>
#include <string_view>

namespace memreflens::report {

/// SHA-256 of the text, in base64: what `'sha256-...'` names in a policy.
std::string sha256Base64(std::string_view text);

} // namespace memreflens::report

#endif // MEMREFLENS_REPORT_SHA256_H
