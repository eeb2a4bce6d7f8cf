//===- core/pipeline/bufferize/Globals.cpp --------------------------------===//

#include "core/pipeline/bufferize/Globals.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace memreflens::bufferize {

llvm::StringSet<> globalNames(ModuleOp module) {
  llvm::StringSet<> names;
  for (auto global : module.getOps<memref::GlobalOp>())
    names.insert(global.getSymName());
  return names;
}

/// "__constant_4xf32" of "__constant_4xf32_1": the number tells apart those of
/// one type.
static StringRef withoutNumber(StringRef name) {
  const StringRef shorter = name.rtrim("0123456789");
  return shorter.size() < name.size() && shorter.ends_with("_") &&
                 shorter != "__constant_"
             ? shorter.drop_back()
             : name;
}

/// Uses in a module inside of it are of globals there.
static void forEachUse(ModuleOp module,
                       llvm::function_ref<void(memref::GetGlobalOp)> look) {
  module.walk([&](memref::GetGlobalOp use) {
    if (use->getParentWithTrait<OpTrait::SymbolTable>() == module)
      look(use);
  });
}

/// In the order of their first uses, and whether several functions use some.
static SmallVector<memref::GlobalOp>
madeGlobals(ModuleOp module, const llvm::StringSet<> &before, bool &isOneUser) {
  SymbolTable symbols(module);
  SmallVector<memref::GlobalOp> made;
  Operation *user = nullptr;
  isOneUser = true;
  forEachUse(module, [&](memref::GetGlobalOp use) {
    auto global = symbols.lookup<memref::GlobalOp>(use.getName());
    if (!global || before.contains(global.getSymName()))
      return;
    Operation *function = use->getParentOfType<func::FuncOp>();
    isOneUser &= !user || user == function;
    user = function;
    if (!llvm::is_contained(made, global))
      made.push_back(global);
  });
  return made;
}

void orderGlobals(ModuleOp module, const llvm::StringSet<> &before) {
  bool isOneUser = true;
  SmallVector<memref::GlobalOp> made = madeGlobals(module, before, isOneUser);
  if (isOneUser)
    return;
  SmallVector<std::string> bases;
  llvm::StringMap<std::string> now;
  for (memref::GlobalOp global : made)
    bases.push_back(withoutNumber(global.getSymName()).str());
  SymbolTable symbols(module);
  for (memref::GlobalOp global : made)
    symbols.remove(global);
  for (auto [global, base] : llvm::zip_equal(made, bases)) {
    const std::string old = global.getSymName().str();
    global.setSymName(base);
    now[old] = symbols.insert(global).getValue().str();
    // As upstream, which puts each in front of all.
    global->moveBefore(&module.getBody()->front());
  }
  forEachUse(module, [&](memref::GetGlobalOp use) {
    if (auto name = now.find(use.getName()); name != now.end())
      use.setName(name->second);
  });
}

} // namespace memreflens::bufferize
