//===- core/explain/TensorText.h - why a buffer, why a copy ---------------===//
//
// What bufferization decided about tensors, as sentences: verdict first, then
// bytes, then one reason.
//
//   %t is copied here, 4 KiB: tensor.extract (3:10) reads it after this write
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_TENSORTEXT_H
#define MEMREFLENS_EXPLAIN_TENSORTEXT_H

#include "core/explain/Explanation.h"
#include "core/query/Tensors.h"

namespace memreflens {

/// Writes about the tensors of one trace, which must outlive it.
class TensorText {
public:
  explicit TensorText(const Lookup &lookup) : lookup(lookup), tensors(lookup) {}

  const trace::Tensors &facts() const { return tensors; }

  /// About an op: its operands that are not in place, and what was made for it;
  /// where there is nothing of that, that it works in place.
  std::vector<Explanation> aboutOp(trace::Id op) const;
  /// About a tensor where an op uses it.
  std::vector<Explanation> aboutUse(trace::Id op, trace::Id value) const;
  /// About a tensor where it is defined: an argument, or an op's result.
  std::vector<Explanation> aboutValue(trace::Id value) const;

  Explanation aboutOperand(const trace::TensorOperand &decision) const;
  Explanation aboutCost(const trace::TensorCost &cost) const;
  Explanation aboutOverwrite(const trace::TensorOverwrite &overwrite) const;
  /// That threads share what the operand writes; empty where they do not.
  Explanation aboutSharing(const trace::TensorOperand &decision) const;
  /// What the function does that `bufferization.access` does not say; empty
  /// where it says all.
  Explanation aboutAccess(const trace::TensorArgument &argument) const;
  Explanation aboutMadeDense(trace::Id value) const;
  Explanation aboutUntouched(trace::Id function) const;
  /// That a result keeps the buffer that it is a part of; empty where it is a
  /// whole buffer.
  Explanation aboutPart(const trace::TensorResult &result) const;

  /// tensor.empty ops of one type in a function, which have a buffer each.
  struct Empties {
    trace::Id function = trace::none;
    std::vector<const trace::TensorCost *> buffers;
    /// Of all; -1 where one is not known.
    int64_t bytes = 0;
  };
  /// Of three or more; those with most buffers first.
  std::vector<Empties> empties() const;
  Explanation aboutEmpties(const Empties &empties) const;

  //===--- Beside the code ---===//
  struct Hint {
    /// The op that uses the tensor, or `none` where it is defined.
    trace::Id op = trace::none;
    trace::Id value = trace::none;
    /// "copy 4 KiB per iteration".
    std::string words;
    std::string sentence;
  };
  /// Of what the program has at the end, in program order: copies and buffers;
  /// of functions, what is done with arguments, and what results are.
  std::vector<Hint> hints() const;
  /// Operands that are in place, "in place".
  std::vector<Hint> hintsInPlace() const;

  /// "3 tensor operands, 2 in place; 1 buffer, 4 KiB; 1 copy, 4 KiB", and what
  /// the program has as memrefs: "; the program's own: 1 copy, 4 KiB".
  /// Of one function, or of all.
  std::string totals(trace::Id function = trace::none) const;
  /// That upstream's one-shot-bufferize compares so much that it takes seconds,
  /// and which pass does not; empty where that is not so.
  std::string slowAnalysis() const;
  /// That not all pairs were compared in the search for tensors that calls and
  /// loops make one buffer; empty where all were.
  std::string boundedSearch() const;
  /// "17 values are computed in buffers of their own and copied to their
  /// places"; of one, its own sentence.
  std::string sentenceOf(const trace::TensorGroup &group) const;
  /// "17 copies, 8.3 MiB; 17 buffers, 8.3 MiB".
  std::string costsOf(const trace::TensorGroup &group) const;

private:
  std::string reasonWords(const trace::TensorOperand &decision,
                          const trace::TensorReason &reason) const;
  std::string conflictWords(const trace::TensorOperand &decision,
                            const trace::TensorReason &reason) const;
  Explanation aboutNoBuffer(const trace::Value &value) const;
  /// Of what must not be written.
  Explanation aboutReadOnly(const trace::TensorOverwrite &overwrite) const;
  std::string calleeWords(const trace::TensorOperand &decision,
                          const trace::TensorReason &reason,
                          const std::string &what) const;
  bool isInOtherThread(const trace::TensorReason &reason) const;
  std::string joinWords(const trace::TensorReason &reason) const;
  std::string readOnlyWords(const trace::TensorReason &reason) const;
  void addReasons(Explanation &explanation,
                  const trace::TensorOperand &decision) const;
  std::string inPlaceWords(const trace::TensorOperand &decision) const;
  /// The copy, or else the buffer, that a decision led to; null for none.
  const trace::TensorCost *costOf(const trace::TensorOperand &decision) const;
  void addHints(const trace::TensorFunction &function,
                std::vector<Hint> &hints) const;
  std::string layoutWords(const trace::TensorCost &cost) const;
  /// ", 4 KiB in each iteration of scf.for (3:8), x 100".
  std::string amountWords(const trace::TensorCost &cost) const;
  std::string name(trace::Id value) const;

  const Lookup &lookup;
  trace::Tensors tensors;
};

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_TENSORTEXT_H
