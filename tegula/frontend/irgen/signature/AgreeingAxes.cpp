// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/signature/AgreeingAxes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace tegula;

using Axis = std::pair<unsigned, unsigned>;

/// True if nothing but a comparison with other extents depends on the extent.
static bool isOnlyCompared(mlir::Value extent) {
  return llvm::all_of(extent.getUsers(), [](mlir::Operation *user) {
    auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(user);
    if (!compare)
      return llvm::isa<pl::RequireOp>(user);
    return compare.getPredicate() == mlir::arith::CmpIPredicate::eq &&
           llvm::all_of(compare->getUsers(), [](mlir::Operation *checker) {
             return llvm::isa<pl::RequireOp>(checker);
           });
  });
}

/// True if the tensor is only ever stored to as a whole, and its extent only
/// compared: then an extent of 1 is like any other, for nothing is repeated to
/// fit what it is stored to by another extent than 1.
static bool isOnlyStored(mlir::Value tensor, unsigned axis) {
  return llvm::all_of(tensor.getUses(), [&](mlir::OpOperand &use) {
    if (auto bind = llvm::dyn_cast<pl::BindOp>(use.getOwner()))
      return bind.getAxes()[use.getOperandNumber()] !=
                 static_cast<int64_t>(axis) ||
             isOnlyCompared(bind.getResult());
    auto store = llvm::dyn_cast<pl::StoreOp>(use.getOwner());
    return store && store.getTarget() == tensor && store.getTile() != tensor;
  });
}

namespace {

/// Generates the entry with some axes open and sees what they must agree with.
class AgreementTrial {
public:
  AgreementTrial(mlir::MLIRContext &context, const KernelFunction &entry,
                 EntryCall call, const std::vector<AxisSymbol> &symbols)
      : context(context), entry(entry), call(call), symbols(symbols) {}

  /// The axes among those opened that must agree with one that has a symbol;
  /// nothing if the program cannot be generated like this.
  std::optional<std::vector<AxisSymbol>> run(llvm::ArrayRef<Axis> opened);

private:
  const AxisSymbol *findSymbol(Axis axis) const {
    for (const AxisSymbol &known : symbols)
      if (Axis(known.parameter, known.axis) == axis)
        return &known;
    return nullptr;
  }

  mlir::MLIRContext &context;
  const KernelFunction &entry;
  EntryCall call;
  const std::vector<AxisSymbol> &symbols;
};

} // namespace

std::optional<std::vector<AxisSymbol>>
AgreementTrial::run(llvm::ArrayRef<Axis> opened) {
  std::vector<ArgumentSpec> specs = call.specs.vec();
  for (auto [parameter, axis] : opened)
    specs[parameter].shape[axis] = std::nullopt;
  Reporter silent;
  silent.isSilent = true;
  mlir::OwningOpRef<mlir::ModuleOp> module(
      mlir::ModuleOp::create(entry.getLoc()));
  ModuleGenerator generator(&context, *module, call.parts, silent);
  generator.notesGroups = true;
  generator.cascaded = symbols;
  generator.fixed = call.fixed.vec();
  if (!generator.generateEntry(entry, specs))
    return std::nullopt;
  generator.eraseUnused();
  llvm::EquivalenceClasses<Axis> classes;
  for (const DynamicGroup &group : generator.entryGroups)
    for (Axis axis : group.axes)
      classes.unionSets(group.axes.front(), axis);
  auto function = module->lookupSymbol<mlir::func::FuncOp>(entry.getName());
  std::vector<AxisSymbol> found;
  for (Axis axis : opened) {
    if (classes.findLeader(axis) == classes.member_end())
      continue;
    const AxisSymbol *other = nullptr;
    for (auto member = classes.findLeader(axis);
         member != classes.member_end() && !other; ++member)
      other = findSymbol(*member);
    if (!other)
      continue;
    AxisSymbol agreeing = {axis.first, axis.second, other->symbol, other->loc};
    agreeing.mayBeOne =
        isOnlyStored(function.getArgument(axis.first), axis.second);
    if (agreeing.mayBeOne || call.specs[axis.first].shape[axis.second] != 1)
      found.push_back(std::move(agreeing));
  }
  return found;
}

/// The open axes without a symbol that are as long in this call as one that has
/// a symbol: what is of another length cannot be found to agree.
static std::vector<Axis> listCandidates(const KernelFunction &entry,
                                        llvm::ArrayRef<ArgumentSpec> specs,
                                        llvm::ArrayRef<AxisSymbol> symbols) {
  Reporter silent;
  silent.isSilent = true;
  auto parameters = readParameters(entry, silent);
  if (!parameters || parameters->size() != specs.size())
    return {};
  std::vector<Axis> candidates;
  for (unsigned position = 0; position < specs.size(); ++position)
    for (unsigned axis = 0; axis < specs[position].shape.size(); ++axis) {
      std::optional<int64_t> extent = specs[position].shape[axis];
      bool isKnown = false, hasEqual = false;
      for (const AxisSymbol &known : symbols) {
        isKnown |= known.parameter == position && known.axis == axis;
        hasEqual |= specs[known.parameter].shape[known.axis] == extent;
      }
      if (!(*parameters)[position].dims && extent && !isKnown && hasEqual)
        candidates.push_back({position, axis});
    }
  return candidates;
}

void tegula::addAgreeingAxes(mlir::MLIRContext &context,
                             const KernelFunction &entry, EntryCall call,
                             std::vector<AxisSymbol> &symbols) {
  // What is found to agree may show others to agree as well.
  constexpr unsigned maxRounds = 8;
  for (unsigned round = 0; round < maxRounds; ++round) {
    std::vector<Axis> candidates = listCandidates(entry, call.specs, symbols);
    AgreementTrial trial(context, entry, call, symbols);
    // What broadcasts because it is 1 must not be open while others are tried,
    // and some axes may have to be numbers.
    bool hasOnes = llvm::any_of(candidates, [&](Axis axis) {
      return call.specs[axis.first].shape[axis.second] == 1;
    });
    std::optional<std::vector<AxisSymbol>> together;
    if (!hasOnes)
      together = trial.run(candidates);
    std::vector<AxisSymbol> found =
        together.value_or(std::vector<AxisSymbol>());
    if (!together)
      for (Axis candidate : candidates)
        if (auto alone = trial.run(candidate))
          llvm::append_range(found, *alone);
    if (found.empty())
      return;
    llvm::append_range(symbols, found);
  }
}
