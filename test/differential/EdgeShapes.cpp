// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of three and four axes, of which some have extent 0 or 1.

#include "test/differential/EdgeGenerator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::differential;

/// Three or four, one of them 0, 1 or a few.
std::string EdgeGenerator::randomAxes() {
  std::string axes =
      random.pick<std::string>({"RC", "RC", "CR", "RK", "R", "C"});
  size_t wanted = random.number(3, 4);
  while (axes.size() < wanted)
    axes.insert(random.number(0, axes.size()), 1,
                random.pick({'0', '1', '1', '2', '3'}));
  return axes;
}

/// A statement that goes along an axis. What goes along one without elements is
/// a sum.
Statement EdgeGenerator::alongAxis(const std::string &axes) {
  size_t axis = random.number(0, axes.size() - 1);
  std::string at = std::to_string(axis);
  std::string text = "(x, axis=" + at + ")";
  switch (random.number(0, 5)) {
  case 0: {
    std::string shorter = axes;
    shorter[axis] = '1';
    matrix("q", shorter, dtype, true);
    return {{"q[:] = pl." + random.pick<std::string>({"sum", "max", "min"}) +
             text}};
  }
  case 1:
    return {{"y[:] = pl." +
             random.pick<std::string>({"cumsum", "cummax", "flip"}) + text}};
  case 2:
    return {{"y[:] = pl.roll(x, " + std::to_string(random.number(-3, 3)) +
             ", axis=" + at + ")"}};
  case 3:
    return {{"y[:] = pl.sort(x, axis=" + at + ")[0]"}};
  case 4: {
    size_t second = random.number(0, axes.size() - 1);
    std::string swapped = axes;
    std::swap(swapped[axis], swapped[second]);
    matrix("q", swapped, dtype, true);
    return {{axis == second ? "q[:] = x"
                            : "q[:] = pl.transpose(x, " + at + ", " +
                                  std::to_string(second) + ")"}};
  }
  default:
    if (!llvm::isDigit(axes[axis]) || axes[axis] > '3')
      return {{"y[:] = x - z"}};
    std::string longer = axes;
    longer[axis] = char('0' + 2 * (axes[axis] - '0'));
    matrix("q", longer, dtype, true);
    return {{random.chance(50) ? "q[:] = pl.concat(x, x, axis=" + at + ")"
                               : "q[:] = pl.repeat(x, 2, axis=" + at + ")"}};
  }
}

/// All at once, along an axis, or the first axis by itself.
void EdgeGenerator::addAxesStatement(const std::string &axes) {
  std::vector<std::string> names;
  for (char axis : axes)
    names.push_back(program.nameOf(axis));
  if (random.chance(45)) {
    program.body.push_back(alongAxis(axes));
    return;
  }
  std::string shape = "[" + llvm::join(names, ", ") + "]";
  switch (random.number(0, 3)) {
  case 0: {
    Statement loop{{"for b in " +
                    random.pick<std::string>({"pl.parallel", "pl.range"}) +
                    "(" + names[0] + "):"}};
    loop.body.push_back({{random.pick(
        {"y[b] = x[b] + 1", "y[b] = x[b] * x[b]", "y[b] = y[b] - x[b]"})}});
    program.body.push_back(std::move(loop));
    return;
  }
  case 1:
    program.body.push_back({{"y[:] = pl.reshape(pl.reshape(x, [" +
                             llvm::join(names, " * ") + "]), " + shape + ")"}});
    return;
  case 2:
    program.body.push_back({{"y[:] = pl.full(" + shape + ", pl." +
                             getName(dtype).str() + ", value=2) * x"}});
    return;
  default:
    program.body.push_back(
        {{"y[:] = " + random.pick<std::string>({"x + z", "pl.maximum(x, z)",
                                                "z * x - z", "x * 0 + z"})}});
  }
}

void EdgeGenerator::addAxes() {
  dtype = random.pick({DType::Int32, DType::Int8, DType::Int64, DType::UInt16});
  std::string axes = randomAxes(), narrow = axes;
  for (char &axis : narrow)
    if (random.chance(40))
      axis = '1';
  matrix("x", axes, dtype);
  matrix("z", random.chance(30) ? narrow.substr(1) : narrow, dtype);
  matrix("y", axes, dtype, true);
  addAxesStatement(axes);
}

/// Matmuls of batches of which there are none, one, or few.
void EdgeGenerator::addBatches() {
  dtype = random.pick({DType::Int32, DType::Int8, DType::Int64});
  if (random.chance(40))
    program.fixed['K'] = random.pick({0, 1, 1, 7});
  std::string batches =
      random.pick<std::string>({"0", "1", "1", "2", "21", "12", "10", "02"});
  std::string left = batches, right = batches;
  for (char &axis : right)
    if (random.chance(30))
      axis = '1';
  bool isTransposed = random.chance(30);
  DType sum = getBits(dtype) == 8 ? DType::Int32 : dtype;
  matrix("x", left + "RK", dtype);
  matrix("z", right + (isTransposed ? "CK" : "KC"), dtype);
  matrix("y", left + "RC", sum, true);
  std::string flags = isTransposed ? ", b_trans=True)" : ")";
  switch (random.number(0, 2)) {
  case 0:
    program.body.push_back({{"y[:] = pl.matmul(x, z" + flags}});
    return;
  case 1:
    program.body.push_back({{"y[:] = pl.matmul_acc(y[:], x, z" + flags}});
    return;
  default: {
    Statement loop{{"for b in pl.parallel(" + batches.substr(0, 1) + "):"}};
    std::string at = right[0] == '1' ? "0" : "b";
    loop.body.push_back({{"y[b] = pl.matmul(x[b], z[" + at + "]" + flags}});
    program.body.push_back(std::move(loop));
  }
  }
}
