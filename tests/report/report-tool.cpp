//===- tests/report/report-tool.cpp - TRACE.json > REPORT.html ------------===//

#include "core/report/Html.h"
#include "core/trace/Json.h"

#include <fstream>
#include <iostream>
#include <sstream>

int main(int count, char **arguments) {
  if (count != 2)
    return 2;
  std::ifstream file(arguments[1], std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  auto read = memreflens::trace::readJson(text.str());
  if (!read) {
    std::cerr << read.error << "\n";
    return 1;
  }
  memreflens::Lookup lookup(*read.trace);
  std::cout << memreflens::report::htmlReport(lookup, {});
}
