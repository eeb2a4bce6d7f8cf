//===- cli/driver/AbsentGenerators.cpp - code generators left out ---------===//
//
// In place of what starts LLVM's code generators for other machines than this
// one, which are then linked into no program (core/process/CodeGenerators.h). A
// pass that asks for one all the same fails as it does where LLVM was built
// without that target.
//
//===----------------------------------------------------------------------===//

#define ABSENT_PART(name)                                                      \
  extern "C" void LLVMInitialize##name() {}
#define ABSENT(target)                                                         \
  ABSENT_PART(target##TargetInfo)                                              \
  ABSENT_PART(target##Target)                                                  \
  ABSENT_PART(target##TargetMC)                                                \
  ABSENT_PART(target##AsmPrinter)                                              \
  ABSENT_PART(target##AsmParser)
// ABSENT(...) of each of LLVM's targets but that of this machine.
MEMREF_LENS_ABSENT_GENERATORS
