//===- tests/dialect/lens-opt.cpp - mlir-opt with the dialect `lens` ------===//
//
// `--lens-print-aliases`: for each two ops of a function that carry `probe`,
// what the program states about their memory, as remarks at the function.
//
//===----------------------------------------------------------------------===//

#include "core/dialect/ProjectDialects.h"
#include "core/pipeline/aliasing/AccessSources.h"
#include "core/pipeline/aliasing/FactQuery.h"

#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include <string>
#include <vector>

using namespace memreflens;

namespace {
struct PrintAliases
    : mlir::PassWrapper<PrintAliases, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintAliases)
  llvm::StringRef getArgument() const override { return "lens-print-aliases"; }
  llvm::StringRef getDescription() const override { return "stated facts"; }

  void runOnOperation() override {
    static constexpr const char *facts[] = {"may", "scopes", "distinct",
                                            "none-are"};
    const aliasing::FactQuery query(getOperation());
    llvm::SmallVector<mlir::Operation *> accesses;
    getOperation()->walk([&](mlir::Operation *op) {
      if (op->hasAttr("probe"))
        accesses.push_back(op);
    });
    auto nameOf = [](mlir::Operation *op) {
      return op->getAttrOfType<mlir::StringAttr>("probe").getValue();
    };
    for (size_t i = 0; i < accesses.size(); ++i)
      for (size_t j = i + 1; j < accesses.size(); ++j) {
        const aliasing::Answer answer = query.ask(accesses[i], accesses[j]);
        const aliasing::Answer back = query.ask(accesses[j], accesses[i]);
        if (answer.fact != back.fact || answer.by != back.by)
          getOperation()->emitError("the answer depends on the order");
        llvm::errs() << "@" << getOperation().getSymName() << " "
                     << nameOf(accesses[i]) << " " << nameOf(accesses[j]) << " "
                     << facts[size_t(answer.fact)] << "\n";
      }
  }
};

/// `@f %a %b ours theirs`, where at least one of the two knows something.
struct CompareAliases
    : mlir::PassWrapper<CompareAliases,
                        mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CompareAliases)
  llvm::StringRef getArgument() const override {
    return "lens-compare-aliases";
  }
  llvm::StringRef getDescription() const override { return "both analyses"; }

  static constexpr size_t mostValues = 120;

  /// One of them may be what it was made of instead of new memory.
  static bool mayBeKept(const aliasing::SourceSet &sources) {
    return llvm::any_of(sources, [](mlir::Value source) {
      return isa_and_nonnull<mlir::bufferization::CloneOp,
                             mlir::memref::ReallocOp>(source.getDefiningOp());
    });
  }

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    llvm::SmallVector<mlir::Value> memrefs;
    auto add = [&](mlir::ValueRange values) {
      for (mlir::Value value : values)
        if (mlir::isa<mlir::BaseMemRefType>(value.getType()) &&
            memrefs.size() < mostValues)
          memrefs.push_back(value);
    };
    getOperation()->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      add(op->getResults());
      for (mlir::Region &region : op->getRegions())
        for (mlir::Block &block : region)
          add(block.getArguments());
    });
    aliasing::AccessSources sources(getOperation());
    mlir::AliasAnalysis theirs(getOperation());
    static constexpr const char *ours[] = {"may", "allocations", "older",
                                           "globals", "distinct"};
    for (size_t i = 0; i < memrefs.size(); ++i)
      for (size_t j = i; j < memrefs.size(); ++j) {
        const aliasing::Separation mine =
            sources.separate(memrefs[i], memrefs[j]);
        if (mine != sources.separate(memrefs[j], memrefs[i]))
          getOperation()->emitError("the answer depends on the order");
        const mlir::AliasResult result = theirs.alias(memrefs[i], memrefs[j]);
        const char *answer = ours[size_t(mine)];
        if (mine == aliasing::Separation::none &&
            (mayBeKept(sources.sourcesOf(memrefs[i])) ||
             mayBeKept(sources.sourcesOf(memrefs[j]))))
          answer = "kept";
        llvm::outs() << "@" << getOperation().getSymName() << " " << i << " "
                     << j << " " << answer << " " << result << "\n";
      }
  }
};

/// Names every memref for mlir-opt's --test-alias-analysis, and prints the
/// names in the order of the alias view.
struct TagPointers
    : mlir::PassWrapper<TagPointers, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TagPointers)
  llvm::StringRef getArgument() const override { return "lens-tag-pointers"; }
  llvm::StringRef getDescription() const override { return "test.ptr"; }

  static bool isMemref(mlir::Value value) {
    return mlir::isa<mlir::BaseMemRefType>(value.getType());
  }

  /// The op's memrefs, as the test pass calls them.
  static std::vector<std::string> namesOf(mlir::Operation *op,
                                          const std::string &tag) {
    std::vector<std::string> names;
    for (mlir::OpResult result : op->getResults())
      if (isMemref(result))
        names.push_back(tag + "#" + std::to_string(result.getResultNumber()));
    for (mlir::Region &region : op->getRegions())
      for (auto [number, block] : llvm::enumerate(region))
        for (mlir::BlockArgument argument : block.getArguments())
          if (isMemref(argument))
            names.push_back(
                tag + ".region" + std::to_string(region.getRegionNumber()) +
                (number > 0 ? ".block" + std::to_string(number) : "") + "#" +
                std::to_string(argument.getArgNumber()));
    return names;
  }

  void runOnOperation() override {
    unsigned next = 0;
    llvm::DenseMap<mlir::Operation *, std::vector<std::string>> names;
    getOperation()->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      std::string tag = "p" + std::to_string(next++);
      names[op] = namesOf(op, tag);
      if (!names[op].empty())
        op->setAttr("test.ptr", mlir::StringAttr::get(&getContext(), tag));
    });
    getOperation()->walk([&](mlir::FunctionOpInterface function) {
      llvm::errs() << "@" << function.getName();
      function->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
        for (const std::string &name : names[op])
          llvm::errs() << " " << name;
      });
      llvm::errs() << "\n";
    });
  }
};

struct Instrument
    : mlir::PassWrapper<Instrument, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Instrument)
  Instrument() = default;
  Instrument(const Instrument &other) : PassWrapper(other) {}
  llvm::StringRef getArgument() const override { return "lens-instrument"; }
  llvm::StringRef getDescription() const override { return "claims"; }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::memref::MemRefDialect>();
  }

  void runOnOperation() override {
    std::error_code error;
    llvm::raw_fd_ostream claimed(claims, error);
    llvm::SmallVector<mlir::func::FuncOp> functions(
        getOperation().getOps<mlir::func::FuncOp>());
    int64_t number = 0;
    for (mlir::func::FuncOp function : functions)
      if (!function.isExternal())
        instrument(function, number++, claimed);
    mlir::OpBuilder builder(getOperation().getBodyRegion());
    mlir::Type index = builder.getIndexType();
    for (auto [name, inputs] :
         {std::pair("lensEnter", 1), std::pair("lensSeen", 2),
          std::pair("lensLeave", 0)})
      mlir::func::FuncOp::create(
          builder, builder.getUnknownLoc(), name,
          builder.getFunctionType(llvm::SmallVector<mlir::Type>(inputs, index),
                                  {}))
          .setPrivate();
  }

  void call(mlir::OpBuilder &builder, llvm::StringRef name,
            mlir::ValueRange operands) {
    mlir::func::CallOp::create(builder, builder.getUnknownLoc(), name,
                               mlir::TypeRange{}, operands);
  }

  mlir::Value constant(mlir::OpBuilder &builder, int64_t number) {
    return mlir::arith::ConstantIndexOp::create(
        builder, builder.getUnknownLoc(), number);
  }

  void instrument(mlir::func::FuncOp function, int64_t number,
                  llvm::raw_ostream &claimed) {
    llvm::SmallVector<mlir::Value> memrefs;
    auto add = [&](mlir::ValueRange values) {
      for (mlir::Value value : values)
        if (mlir::isa<mlir::MemRefType>(value.getType()))
          memrefs.push_back(value);
    };
    function->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      add(op->getResults());
      for (mlir::Region &region : op->getRegions())
        for (mlir::Block &block : region)
          add(block.getArguments());
    });
    aliasing::AccessSources sources(function);
    for (size_t i = 0; i < memrefs.size(); ++i)
      for (size_t j = i + 1; j < memrefs.size(); ++j)
        if (sources.areDistinct(memrefs[i], memrefs[j]))
          claimed << number << " " << i << " " << j << "\n";
    for (auto [id, memref] : llvm::enumerate(memrefs)) {
      mlir::OpBuilder builder(function.getContext());
      builder.setInsertionPointAfterValue(memref);
      mlir::Value pointer =
          mlir::memref::ExtractAlignedPointerAsIndexOp::create(
              builder, builder.getUnknownLoc(), memref);
      call(builder, "lensSeen", {constant(builder, int64_t(id)), pointer});
    }
    mlir::OpBuilder start = mlir::OpBuilder::atBlockBegin(&function.front());
    call(start, "lensEnter", {constant(start, number)});
    function->walk([&](mlir::func::ReturnOp end) {
      mlir::OpBuilder builder(end);
      call(builder, "lensLeave", {});
    });
  }

  Option<std::string> claims{*this, "claims", llvm::cl::init("/dev/null")};
};
} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  registerProjectDialects(registry);
  mlir::PassRegistration<PrintAliases>();
  mlir::PassRegistration<CompareAliases>();
  mlir::PassRegistration<TagPointers>();
  mlir::PassRegistration<Instrument>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "mlir-opt with lens\n", registry));
}
