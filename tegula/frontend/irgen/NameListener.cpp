// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/NameListener.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/ops/PlOps.h"

using namespace tegula;
using mlir::Value;

/// The number or the name that an extent is the least of; empty if it has
/// neither.
static std::string rootText(const pl::ExtentRoot &root) {
  if (auto constant = mlir::dyn_cast_if_present<mlir::Attribute>(root.value))
    return std::to_string(mlir::cast<mlir::IntegerAttr>(constant).getInt());
  auto value = mlir::dyn_cast_if_present<Value>(root.value);
  if (!value)
    return "";
  if (auto bind = value.getDefiningOp<pl::BindOp>())
    return bind.getSymbol().str();
  return nameOfValue(value).str();
}

static std::string extentText(Value shaped, unsigned axis, pl::Dim dim) {
  std::string least;
  unsigned numRoots = 0;
  for (const pl::ExtentRoot &root : pl::nearRootsOfExtent(shaped, axis)) {
    std::string text = rootText(root);
    if (text.empty()) {
      least.clear();
      break;
    }
    least += (numRoots++ ? ", " : "") + text;
  }
  if (!least.empty())
    return numRoots > 1 ? "min(" + least + ")" : least;
  if (dim.isAny())
    return "?";
  return (dim.isBounded() ? "upto " : "") + std::to_string(dim.getBound());
}

/// Of a tile or a tensor.
static std::string shapedText(Value value) {
  mlir::Type type = value.getType();
  std::string element = dtypeName(pl::getElementOrSelf(type));
  std::string text = mlir::isa<pl::TileType>(type) ? "tile [" : "tensor [";
  for (auto [axis, dim] : llvm::enumerate(pl::getDims(type)))
    text += (axis ? ", " : "") + extentText(value, axis, dim);
  return text + "] " + element;
}

std::string tegula::describeNamed(const Object &object) {
  if (Value value = object.asScalar())
    return dtypeName(value.getType());
  if (Value value = object.asValue())
    return shapedText(value);
  if (object.is<SymbolObject>() || object.is<DtypeObject>() ||
      object.is<FunctionObject>() || object.isNumeric()) {
    std::string text = describe(object);
    llvm::StringRef shown = text;
    shown.consume_front("the ");
    return shown.str();
  }
  if (const std::vector<Object> *elements = object.asTuple()) {
    std::string text;
    for (const Object &element : *elements) {
      std::string each = describeNamed(element);
      if (each.empty())
        return "";
      text += (text.empty() ? "(" : ", ") + each;
    }
    return text.empty() ? "" : text + ")";
  }
  return "";
}
