// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions that find elements by an index, order them, or have batches.

#include "test/differential/Generator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::differential;

using MaybeExpr = std::optional<Expr>;

/// Indices into the tile of that name along an axis, as many as it has
/// elements: where it is empty, there are none.
Expr Generator::indexExpr(const std::string &tile, const Kind &kind, int axis) {
  DType dtype = random.pick({DType::Int32, DType::Int64, DType::UInt32});
  std::string name = "pl." + getName(dtype).str();
  Expr number = convert(makeExpr(kind, tile), dtype);
  std::string extent =
      "pl.cast(" + tile + ".shape[" + std::to_string(axis) + "], " + name + ")";
  return makeExpr({kind.axes, dtype}, "({} % " + extent + ")",
                  {std::move(number)});
}

MaybeExpr Generator::gather(const Kind &kind, int depth) {
  if (kind.axes.find('1') != std::string::npos)
    return std::nullopt;
  int axis = random.number(0, 1);
  std::string source = bind(exactTile(kind, depth));
  Expr index = indexExpr(source, kind, axis);
  return makeExpr(kind,
                  "pl.gather(" + source + ", dim=" + std::to_string(axis) +
                      ", index={})",
                  {std::move(index)});
}

MaybeExpr Generator::scatter(const Kind &kind, int depth) {
  if (kind.axes.find('1') != std::string::npos)
    return std::nullopt;
  int axis = random.number(0, 1);
  std::string target = bind(exactTile(kind, depth));
  Expr index = indexExpr(target, kind, axis);
  Expr source = makeExpr(kind, "({} + {})",
                         {makeExpr(kind, target), constant(kind.dtype)});
  return makeExpr(kind,
                  "pl.scatter(" + target + ", dim=" + std::to_string(axis) +
                      ", index={}, src={})",
                  {std::move(index), std::move(source)});
}

/// Back to front along an axis, or moved around.
MaybeExpr Generator::moveAround(const Kind &kind, int depth) {
  // The result is as long as the tile is just now, and others rely on its size.
  if (isTiled(kind.axes[0]) || isTiled(kind.axes[1]))
    return std::nullopt;
  Expr source = tile(kind, depth);
  bool isExact = source.isExact;
  std::string axis = ", axis=" + std::to_string(random.number(0, 1)) + ")";
  std::string text =
      random.chance(50)
          ? "pl.flip({}" + axis
          : "pl.roll({}, " + std::to_string(random.number(-9, 9)) + axis;
  Expr result = makeExpr(kind, text, {std::move(source)});
  result.isExact = isExact;
  return result;
}

/// Where the largest or the smallest is.
MaybeExpr Generator::argument(const Kind &kind, int depth) {
  bool isRow = kind.axes.size() == 2 && kind.axes[1] == '1';
  bool isColumn = kind.axes.size() == 2 && kind.axes[0] == '1';
  if (isRow == isColumn)
    return std::nullopt;
  char kept = kind.axes[isRow ? 0 : 1];
  char free = kept == 'C' ? 'R' : 'C';
  Kind source = {isRow ? std::string{kept, free} : std::string{free, kept},
                 randomDType()};
  std::string text = std::string(isRow ? "pl.row_arg" : "pl.col_arg") +
                     random.pick({"max", "min"}) + "({})";
  return convert(
      makeExpr({kind.axes, DType::Int32}, text, {exactTile(source, depth)}),
      kind.dtype);
}

MaybeExpr Generator::sort(const Kind &kind, int depth) {
  std::string values = fresh("t"), order = fresh("t");
  std::string options =
      ", axis=" + std::to_string(random.number(-2, 1)) +
      random.pick({"", ", descending=True", ", descending=False"});
  emit(makeExpr({}, values + ", " + order + " = pl.sort({}" + options + ")",
                {exactTile(kind, depth)}));
  if (random.chance(60))
    return makeExpr(kind, values);
  return convert(makeExpr({kind.axes, DType::Int32}, order), kind.dtype);
}

/// As many as a tile has, so that the shape stays.
MaybeExpr Generator::topk(const Kind &kind, int depth) {
  if (kind.axes[1] == '1' || !isTiled(kind.axes[1]))
    return std::nullopt;
  std::string values = fresh("t"), order = fresh("t");
  std::string options = random.pick({"", ", largest=False"});
  emit(makeExpr({},
                values + ", " + order + " = pl.topk({}, " +
                    sizeOf(kind.axes[1]) + options + ")",
                {exactTile(kind, depth)}));
  if (random.chance(60))
    return makeExpr(kind, values);
  return convert(makeExpr({kind.axes, DType::Int32}, order), kind.dtype);
}

/// The largest of the first few columns of sorted pairs, maybe of half a pair.
MaybeExpr Generator::pairs(const Kind &kind, int depth) {
  if (kind.axes[1] != '1' || kind.axes[0] == '1')
    return std::nullopt;
  Kind source = {{kind.axes[0], kind.axes[0] == 'C' ? 'R' : 'C'}, DType::FP32};
  std::string values = bind(exactTile(source, depth));
  std::string text = "pl.sort32(" + values + ", {})";
  if (random.chance(30))
    text = "pl.mrgsort(" + text + ", block_len=64)";
  text += "[:, 0:" + std::to_string(random.number(1, 9)) + "]";
  return convert(
      clamp(makeExpr({kind.axes, DType::FP32}, "pl.row_max(" + text + ")",
                     {convert(makeExpr(source, values), DType::UInt32)})),
      kind.dtype);
}

/// What each element and all before it come to, with or without a start.
MaybeExpr Generator::scan(const Kind &kind, int depth) {
  int axis = random.number(0, 1);
  bool isReal = isFloat(kind.dtype);
  std::string name = random.pick({"sum", "max", "min"});
  if (!isReal && random.chance(20))
    name = "prod";
  std::string text = "pl.cum" + name + "({}, axis=" + std::to_string(axis - 2);
  std::vector<Expr> operands = {tile(kind, depth)};
  if (random.chance(60)) {
    Kind start = kind;
    start.axes[axis] = '1';
    text += ", initial={}";
    operands.push_back(random.chance(50) ? constant(kind.dtype)
                                         : tile(start, depth));
  }
  Expr result = makeExpr(kind, text + ")", std::move(operands));
  return isReal ? clamp(std::move(result)) : result;
}

/// A row of as many bins as there are columns.
MaybeExpr Generator::histogram(const Kind &kind, int depth) {
  if (kind.axes != "1C" || isTiled('C'))
    return std::nullopt;
  DType dtype = random.pick({DType::Int32, DType::UInt8, DType::Int64});
  Kind source = {random.pick({"RC", "1C", "R1"}), dtype};
  std::string bins = sizeOf('C');
  Expr counts =
      makeExpr({kind.axes, DType::Int32},
               "pl.reshape(pl.histogram({}, " + bins + "), [1, " + bins + "])",
               {exactTile(source, depth)});
  return convert(std::move(counts), kind.dtype);
}

/// Rows summed up by entries that are data: many have the same, some rows get
/// nothing, and entries that name no row are left out.
MaybeExpr Generator::segments(const Kind &kind, int depth) {
  if (kind.axes != "RC" || isTiled('R') || isTiled('C'))
    return std::nullopt;
  bool isReal = isFloat(kind.dtype);
  std::string name = isReal ? "sum" : random.pick({"sum", "max", "min"});
  std::string rows = sizeOf('R');
  DType dtype = random.pick({DType::Int32, DType::Int64, DType::UInt8});
  Expr ids = makeExpr({"R", dtype}, "pl.reshape({}, [" + rows + "])",
                      {exactTile({"R1", dtype}, depth)});
  Expr result = makeExpr(kind, "pl.segment_" + name + "({}, {}, " + rows + ")",
                         {exactTile(kind, depth), std::move(ids)});
  return isReal ? clamp(std::move(result)) : result;
}

/// y[:, rows, columns] = batches of matmuls
void Generator::storeBatches() {
  std::vector<Parameter> outputs, operands;
  for (const Parameter &parameter : program.parameters) {
    bool isNumeric = parameter.kind.dtype != DType::Bool;
    if (parameter.kind.axes == "3RC" && parameter.isWritten && isNumeric)
      outputs.push_back(parameter);
    if (parameter.kind.axes == "3RK" && isNumeric)
      operands.push_back(parameter);
  }
  if (outputs.empty() || operands.empty())
    return store();
  Parameter output = random.pick(outputs), operand = random.pick(operands);
  DType dtype = random.pick({DType::FP32, DType::FP64, DType::Int32});
  std::string sliceText = "[:, " + slice('R') + ", ";
  Expr lhs = convert(
      makeExpr(operand.kind, operand.name + sliceText + slice('K') + "]"),
      dtype);
  Expr matmul = makeExpr({"3RC", dtype}, "pl.matmul({}, {})",
                         {std::move(lhs), exactTile({"KC", dtype}, 1)});
  if (isFloat(dtype))
    matmul = clamp(std::move(matmul));
  emit(makeExpr({}, output.name + sliceText + slice('C') + "] = {}",
                {convert(std::move(matmul), output.kind.dtype)}));
}

/// Rows of a tensor added to, at indices that are data.
void Generator::scatterToTensor() {
  std::vector<Parameter> outputs;
  for (const Parameter &parameter : program.parameters)
    if (parameter.isWritten && parameter.kind.axes == "RC" &&
        parameter.kind.dtype != DType::Bool)
      outputs.push_back(parameter);
  if (outputs.empty() || !areTiled("RC"))
    return store();
  Parameter output = random.pick(outputs);
  std::string source = bind(exactTile(output.kind, 1));
  std::string rows = nameAxis('R'), columns = nameAxis('C');
  Expr index = convert(makeExpr(output.kind, source), DType::Int64);
  std::string guard = "if " + rows + " > 0 and " + columns + " > 0:";
  Statement made{makeExpr({}, guard)};
  made.body.push_back({makeExpr(
      {},
      "pl.mscatter(" + source + ", {} % pl.cast(" + rows + " * " + columns +
          ", pl.INT64), " + output.name + ", coalesce=\"elem\"" +
          random.pick({"", ", atomic=pl.AtomicType.Add"}) + ")",
      {std::move(index)})});
  // Whole rows, of which several may go to one place.
  if (random.chance(50)) {
    std::string ids = "pl.reshape(pl.row_argmax(" + source + "), [" + source +
                      ".shape[0]]) % pl.cast(" + rows + ", pl.INT32)";
    made.body.push_back({makeExpr(
        {}, "pl.mscatter(" + source + ", " + ids + ", " + output.name +
                ", coalesce=\"row\"" +
                random.pick({"", ", atomic=pl.AtomicType.Add"}) + ")")});
  }
  block().push_back(std::move(made));
}
