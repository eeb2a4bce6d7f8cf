//===- core/symexec/OpPart.h - a part of the executor that runs ops -------===//
//
// Sees the values of a path and says to the observer what happens.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_OPPART_H
#define MEMREFLENS_SYMEXEC_OPPART_H

#include "core/symexec/Observer.h"
#include "core/symexec/Values.h"

namespace memreflens::symexec {

class OpPart : protected Part {
protected:
  OpPart(Context &context, Values &values, Observer &observer)
      : Part(context), values(values), observer(observer) {}

  Values &values;
  Observer &observer;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_OPPART_H
