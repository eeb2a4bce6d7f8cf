//===- core/execute/jit/Compile.cpp ---------------------------------------===//

#include "core/execute/jit/Compile.h"

#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"

#include <dlfcn.h>

using namespace mlir;

namespace memreflens::execute {

using llvm::orc::LLJIT;

/// Whether libm itself has the symbol, and no library that it needs.
static bool isOfLibm(void *libm, const std::string &name) {
  void *address = dlsym(libm, name.c_str());
  Dl_info where;
  return address && dladdr(address, &where) && where.dli_fname &&
         llvm::StringRef(where.dli_fname).contains("libm.so");
}

static llvm::Error addSymbols(LLJIT &engine,
                              const std::vector<std::string> &libraries) {
  llvm::orc::JITDylib &program = engine.getMainJITDylib();
  llvm::orc::MangleAndInterner mangle(engine.getExecutionSession(),
                                      engine.getDataLayout());
  llvm::orc::SymbolMap symbols;
  for (auto [name, address] : runtimeSymbols())
    symbols[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                             llvm::JITSymbolFlags::Exported};
  if (llvm::Error error = program.define(llvm::orc::absoluteSymbols(symbols)))
    return error;
  const char prefix = engine.getDataLayout().getGlobalPrefix();
  for (const std::string &library : libraries) {
    auto found =
        llvm::orc::DynamicLibrarySearchGenerator::Load(library.c_str(), prefix);
    if (!found)
      return found.takeError();
    program.addGenerator(std::move(*found));
  }
  void *libm = dlopen("libm.so.6", RTLD_NOW);
  if (!libm)
    return llvm::Error::success();
  auto found = llvm::orc::DynamicLibrarySearchGenerator::Load(
      "libm.so.6", prefix, [libm](const llvm::orc::SymbolStringPtr &name) {
        return isOfLibm(libm, (*name).str());
      });
  if (!found)
    return found.takeError();
  program.addGenerator(std::move(*found));
  return llvm::Error::success();
}

/// Instructions in a function beyond which the greedy register allocator takes
/// time that grows with their square.
static constexpr unsigned mostForRegisters = 4000;

static bool hasLargeFunction(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.getInstructionCount() > mostForRegisters;
  });
}

static llvm::Expected<std::unique_ptr<LLJIT>>
makeEngine(llvm::CodeGenOptLevel level) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machine)
    return machine.takeError();
  machine->setCodeGenOptLevel(level);
  return llvm::orc::LLJITBuilder()
      .setJITTargetMachineBuilder(std::move(*machine))
      // Of this process' functions it may call those of the runtime alone.
      .setLinkProcessSymbolsByDefault(false)
      .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
      .create();
}

Compiled compile(ModuleOp module, const std::vector<std::string> &libraries) {
  Compiled result;
  std::string said;
  ScopedDiagnosticHandler capture(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (said.empty())
                                      said = diagnostic.str();
                                    return success();
                                  });
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> lowered =
      translateModuleToLLVMIR(module, *context, "program");
  if (!lowered) {
    result.error = "it cannot be translated to LLVM IR: " + said;
    return result;
  }
  auto fail = [&](llvm::Error error) {
    result.error = llvm::toString(std::move(error));
    return result;
  };
  // Compiling takes longer than most programs run.
  auto engine =
      makeEngine(hasLargeFunction(*lowered) ? llvm::CodeGenOptLevel::None
                                            : llvm::CodeGenOptLevel::Less);
  if (!engine)
    return fail(engine.takeError());
  (*engine)->getExecutionSession().setErrorReporter([&](llvm::Error error) {
    if (said.empty())
      said = llvm::toString(std::move(error));
    else
      llvm::consumeError(std::move(error));
  });
  lowered->setDataLayout((*engine)->getDataLayout());
  lowered->setTargetTriple((*engine)->getTargetTriple());
  if (llvm::Error error = addSymbols(**engine, libraries))
    return fail(std::move(error));
  if (llvm::Error error = (*engine)->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(lowered), std::move(context))))
    return fail(std::move(error));
  auto main = (*engine)->lookup(mainName);
  if (!main) {
    fail(main.takeError());
    // "Symbols not found: [ printF32 ]"
    if (!said.empty())
      result.error = "it calls what no library has: " + said +
                     "; '--load' names one that does";
    return result;
  }
  result.main = main->toPtr<void (*)()>();
  result.engine = std::move(*engine);
  return result;
}

} // namespace memreflens::execute
