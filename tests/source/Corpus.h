//===- tests/source/Corpus.h - the files that tests run over --------------===//

#ifndef MEMREFLENS_TESTS_SOURCE_CORPUS_H
#define MEMREFLENS_TESTS_SOURCE_CORPUS_H

#include <string>
#include <vector>

namespace memreflens::test {

/// The `.mlir` files of a folder of the corpus, sorted; none without a corpus.
std::vector<std::string> corpusFiles(const std::string &folder);
/// Whether a missing corpus is a failure (CI=true) and no reason to skip.
bool corpusIsRequired();
std::string readFile(const std::string &path);

} // namespace memreflens::test

#endif // MEMREFLENS_TESTS_SOURCE_CORPUS_H
