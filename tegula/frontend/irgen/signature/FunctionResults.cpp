// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/signature/FunctionResults.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/irgen/signature/EntryResults.h"
#include "tegula/frontend/irgen/signature/SymbolExtents.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;
using Kind = DeclaredParameter::Kind;

Object FunctionResults::take(const Object &value, Location loc) {
  checkReturned(value, loc);
  if (!state.isEntry() || value.isPoison() || value.is<NoneObject>())
    return value;
  return returnsParameters(value) ? Object::none() : value;
}

/// True if an entry returns nothing but parameters, which are its results.
bool FunctionResults::returnsParameters(const Object &value) {
  std::vector<Object> values =
      value.asTuple() ? *value.asTuple() : std::vector<Object>{value};
  std::vector<int64_t> returned;
  for (const Object &part : values)
    if (std::optional<int64_t> number = entryResults.findWritten(part))
      returned.push_back(*number);
  if (returned.size() != values.size())
    return false;
  state.module.addReturned(returned);
  return true;
}

void FunctionResults::checkReturned(const Object &value, Location loc) {
  if (!state.function.getDefinition().returns || value.isPoison())
    return;
  auto declared = readResults(state.function, emitter.reporter);
  if (!declared)
    return;
  std::vector<Object> values;
  if (const auto *tuple = value.asTuple())
    values = *tuple;
  else if (!value.is<NoneObject>())
    values.push_back(value);
  if (values.size() != declared->size()) {
    Location returnsLoc = locate(*state.function.getDefinition().returns);
    fail(loc,
         "'" + state.function.getName() + "' is declared to return " +
             llvm::Twine(declared->size()) +
             (declared->size() == 1 ? " value" : " values") + ", got " +
             llvm::Twine(values.size()),
         {{returnsLoc, "declared here"}});
    return;
  }
  for (auto [result, object] : llvm::zip(*declared, values))
    checkResult(result, object, loc);
}

void FunctionResults::checkResult(const DeclaredParameter &declared,
                                  const Object &value, Location loc) {
  auto refuse = [&](const llvm::Twine &wanted) {
    fail(loc,
         "the result is declared as " + wanted + ", got " + describe(value),
         {{declared.loc, "declared here"}});
  };
  Value run = value.asValue();
  bool isShaped = value.asTensor() || value.asTile();
  if (declared.kind == Kind::Scalar &&
      (isShaped || !(run || value.isNumeric())))
    return refuse(declared.dtype ? describe(declared.dtype) : "a scalar");
  bool wantsShape =
      declared.kind == Kind::Tensor || declared.kind == Kind::Tile;
  if (wantsShape && !isShaped)
    return refuse("a tensor");
  if (!run)
    return;
  mlir::Type element = pl::getElementOrSelf(run.getType());
  if (declared.dtype && declared.dtype != element)
    return refuse((wantsShape ? "a tensor of " : "") +
                  dtypeName(declared.dtype));
  if (!wantsShape || !declared.dims)
    return;
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(run.getType());
  if (dims.size() != declared.dims->size())
    return refuse("a tensor of rank " + llvm::Twine(declared.dims->size()));
  for (auto [axis, dim] : llvm::enumerate(*declared.dims)) {
    std::optional<int64_t> wanted = dim.extent;
    if (const Object *known = symbolExtents.find(dim.symbol.get()))
      wanted = known->asInteger();
    bool isOff =
        wanted && (dims[axis].isExact() ? !dims[axis].isExactly(*wanted)
                                        : dims[axis].isBounded() &&
                                              dims[axis].getBound() > *wanted);
    if (isOff)
      return refuse("a tensor with extent " + llvm::Twine(*wanted) +
                    " on axis " + llvm::Twine(axis));
  }
}
