// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/signature/Cascade.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <set>

using namespace tegula;

using Axis = std::pair<unsigned, unsigned>;

namespace {

/// Merges what was learnt about the axes of one entry.
class SymbolMaker {
public:
  SymbolMaker(const std::vector<DeclaredParameter> &parameters,
              const DeclaredSymbols &declared)
      : parameters(parameters), declared(declared) {
    for (const AxisSymbol &entry : declared.axes)
      names.insert(entry.symbol->name);
  }

  std::vector<AxisSymbol> make(llvm::ArrayRef<DynamicGroup> groups);

private:
  std::shared_ptr<Symbol> symbolOf(llvm::ArrayRef<Axis> members,
                                   llvm::ArrayRef<DynamicGroup> groups);

  const std::vector<DeclaredParameter> &parameters;
  const DeclaredSymbols &declared;
  std::set<std::string> names;
};

} // namespace

/// The symbol the entry has for one of the axes, or a new one with the name the
/// called function gives it.
std::shared_ptr<Symbol>
SymbolMaker::symbolOf(llvm::ArrayRef<Axis> members,
                      llvm::ArrayRef<DynamicGroup> groups) {
  for (Axis member : members)
    if (const AxisSymbol *own = declared.find(member.first, member.second))
      return own->symbol;
  auto [parameter, axis] = members.front();
  std::string name =
      (parameters[parameter].name + "." + llvm::Twine(axis)).str();
  for (const DynamicGroup &group : groups)
    if (group.symbol && llvm::is_contained(group.axes, members.front())) {
      name = group.symbol->name;
      break;
    }
  std::string unique = name;
  for (unsigned count = 1; !names.insert(unique).second; ++count)
    unique = name + "_" + std::to_string(count);
  return std::make_shared<Symbol>(Symbol{unique, parameters[parameter].loc});
}

std::vector<AxisSymbol> SymbolMaker::make(llvm::ArrayRef<DynamicGroup> groups) {
  llvm::EquivalenceClasses<Axis> classes;
  std::set<Axis> pinned;
  for (const DynamicGroup &group : groups) {
    for (Axis axis : group.axes)
      classes.unionSets(group.axes.front(), axis);
    if (group.isPinned)
      pinned.insert(group.axes.begin(), group.axes.end());
  }
  std::vector<AxisSymbol> symbols;
  std::set<Axis> done;
  for (const DynamicGroup &group : groups)
    for (Axis first : group.axes) {
      std::vector<Axis> members(classes.findLeader(first),
                                classes.member_end());
      bool isNew = done.insert(first).second;
      done.insert(members.begin(), members.end());
      bool isPinned = llvm::any_of(
          members, [&](Axis member) { return pinned.count(member) != 0; });
      if (!isNew || isPinned)
        continue;
      llvm::sort(members);
      std::shared_ptr<Symbol> symbol = symbolOf(members, groups);
      for (auto [parameter, axis] : members)
        if (!parameters[parameter].dims)
          symbols.push_back(
              {parameter, axis, symbol, parameters[parameter].loc});
    }
  return symbols;
}

/// True if both give the same axes the same extents.
static bool isSamePartition(llvm::ArrayRef<AxisSymbol> lhs,
                            llvm::ArrayRef<AxisSymbol> rhs) {
  return lhs.size() == rhs.size() &&
         llvm::all_of(llvm::zip(lhs, rhs), [](auto pair) {
           const AxisSymbol &left = std::get<0>(pair);
           const AxisSymbol &right = std::get<1>(pair);
           return left.parameter == right.parameter &&
                  left.axis == right.axis &&
                  left.symbol->name == right.symbol->name;
         });
}

std::vector<AxisSymbol>
tegula::cascadeSymbols(mlir::MLIRContext &context, const KernelFunction &entry,
                       llvm::ArrayRef<ArgumentSpec> specs,
                       const MachineParts &parts) {
  Reporter silent;
  silent.isSilent = true;
  auto parameters = readParameters(entry, silent);
  if (!parameters || parameters->size() != specs.size())
    return {};
  std::vector<ArgumentSpec> open(specs.begin(), specs.end());
  bool hasOpen = false;
  for (auto [parameter, spec] : llvm::zip(*parameters, open)) {
    hasOpen |= !parameter.dims && spec.isTensor && !spec.shape.empty();
    for (std::optional<int64_t> &extent : spec.shape)
      extent = std::nullopt;
  }
  if (!hasOpen)
    return {};
  DeclaredSymbols declared = collectSymbols(entry, *parameters, silent);
  std::vector<AxisSymbol> symbols;
  // Axes that are found to agree may show others to agree as well.
  constexpr unsigned maxRounds = 8;
  for (unsigned round = 0; round < maxRounds; ++round) {
    mlir::OwningOpRef<mlir::ModuleOp> module(
        mlir::ModuleOp::create(entry.getLoc()));
    ModuleGenerator generator(&context, *module, parts, silent);
    generator.isProbe = true;
    generator.cascaded = symbols;
    // What is wrong with the program is reported when it is generated for good.
    (void)generator.generateEntry(entry, open);
    std::vector<AxisSymbol> found =
        SymbolMaker(*parameters, declared).make(generator.entryGroups);
    if (isSamePartition(symbols, found))
      break;
    symbols = std::move(found);
  }
  return symbols;
}
