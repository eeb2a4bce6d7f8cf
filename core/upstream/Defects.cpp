//===- core/upstream/Defects.cpp ------------------------------------------===//

#include "core/upstream/Defects.h"

#include <algorithm>
#include <iterator>

namespace memreflens::upstream {

static constexpr Defect defects[] = {
    {DefectId::staleLiveness, "llvm/llvm-project#119863", "#184118",
     ", mended by #184118 after LLVM 22"},
    {DefectId::staleOrigins, "llvm/llvm-project#205228", "#210105",
     ", mended by #210105 after LLVM 22"},
    {DefectId::parallelHoist, "llvm/llvm-project#225149", "#225324",
     "; #225324 is to mend it"},
    {DefectId::allocatorMismatch, "llvm/llvm-project#67556 and #67565", "",
     " are open"},
    {DefectId::branchLoop, "llvm/llvm-project#66657 (to accept such loops)", "",
     " is open"},
    {DefectId::unknownEffects, "intended: llvm/llvm-project#75127", "",
     " made the pass reject such ops"},
};

const Defect &defectOf(DefectId id) {
  return *std::find_if(std::begin(defects), std::end(defects),
                       [&](const Defect &defect) { return defect.id == id; });
}

std::string statusText(DefectId id) {
  const Defect &defect = defectOf(id);
  return std::string(defect.thread) + std::string(defect.state);
}

std::string mendedText(DefectId id) {
  const Defect &defect = defectOf(id);
  return std::string(defect.thread) + ", mended after LLVM 22 by " +
         std::string(defect.fix);
}

std::string fixText(DefectId id) {
  return "llvm/llvm-project" + std::string(defectOf(id).fix);
}

} // namespace memreflens::upstream
