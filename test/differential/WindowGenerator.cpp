// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/WindowGenerator.h"

using namespace tegula;
using namespace tegula::differential;

static std::string text(const char *format, const std::string &first,
                        const std::string &second = "") {
  return Expr{format, {{first}, {second}}}.print();
}

std::string WindowGenerator::variable() {
  return variables.empty() ? number() : random.pick(variables);
}

/// Where a window begins; never below 0.
std::string WindowGenerator::offset() {
  const char *format = random.pick(
      {"{}", "{}", "{} * {}", "{} * {}", "{} + {}", "{} // {}", "{} % {}",
       "({} // {}) * 4", "({} % {}) * 4", "{} * N", "{} * ((M + 3) // 4)",
       "pl.min({}, {})", "pl.max(M - 1 - {}, 0)", "0"});
  std::string first = text(format, variable(), number());
  if (!random.chance(30))
    return first;
  return first + " + " +
         text(random.pick({"{}", "{} * {}", "{} % {}"}), variable(), number());
}

/// The end of a loop. Loops in others are shorter, for all of them are
/// interpreted.
std::string WindowGenerator::bound(int depth) {
  std::vector<std::string> ends = {"4", "8", "(M + 3) // 4"};
  if (depth < 2)
    ends.insert(ends.end(), {"M", "N", "M * 2", "pl.max(M - 1, 0)"});
  if (depth < 1)
    ends.push_back("M * N");
  return random.pick(ends);
}

/// Whether what is stored is added to what is there.
std::string WindowGenerator::sum() {
  return random.chance(40) ? ", atomic=pl.AtomicType.Add" : "";
}

/// Writes one window, or one element, from what is read elsewhere.
Statement WindowGenerator::access() {
  bool isFlat = random.chance(30);
  std::string to = isFlat ? "z" : "y";
  std::string from = random.chance(30) ? to : isFlat ? "v" : "x";
  if (random.chance(20))
    return {{isFlat ? "z[pl.min(" + offset() + ", M - 1)] = " + number()
                    : "y[pl.min(" + offset() + ", M - 1), 0] = " + number()}};
  auto origin = [&] {
    return isFlat ? "[" + offset() + "]"
                  : "[" + offset() + ", " + offset() + "]";
  };
  // What is beyond the edge is neither read nor written.
  std::string rows = random.chance(15) ? "N" : number();
  std::string shape = isFlat ? "[" + rows + "]" : "[" + rows + ", 4]";
  return {{"pl.store(pl.load(" + from + ", " + origin() + ", " + shape + ")" +
           random.pick({" + 1", " * 3", " - 2"}) + ", " + origin() + ", " + to +
           sum() + ")"}};
}

/// Windows that are as far apart as they are long, or nearly so.
Statement WindowGenerator::ownAccess() {
  const std::string &outer = variables.front();
  if (random.chance(30)) {
    std::string parts = random.pick({"3", "4", "N"});
    std::string rest = random.chance(80) ? parts : "2";
    return {{"pl.store(pl.load(x, [0, 0], [1, 4]) + 1, [" + outer + " // " +
             parts + ", (" + outer + " % " + rest + ") * " +
             random.pick({"4", "3"}) + "], y)"}};
  }
  std::string pitch = random.pick({"1", "2", "4", "N"});
  std::string size = random.chance(80) ? pitch : pitch + " + 1";
  std::string origin = outer;
  if (variables.size() > 1 && random.chance(60)) {
    origin = "(" + outer + " * N + " + variables.back() + ")";
    pitch = size = "1";
  }
  origin += " * " + pitch;
  std::string from = random.chance(50) ? "z" : "v";
  return {{"pl.store(pl.load(" + from + ", [" + origin + "], [" + size +
           "]) + 1, [" + origin + "], z" + sum() + ")"}};
}

/// A loop whose iterations use a tensor made before it, and fill it first or
/// only in part.
void WindowGenerator::scratch() {
  std::string name = "s" + std::to_string(count++);
  std::string length = random.pick({"4", "N", "pl.max(M - 1, 0)"});
  bool isFilled = random.chance(70);
  // What is filled in part is read where it was not.
  std::string init = isFilled ? ")" : ", init_value=1)";
  std::string variable = "i" + std::to_string(count);
  Statement outer = loop(0);
  std::string part = "pl.load(" + name + ", [0], [4])";
  Statement fill{{"pl.store(pl.full([3], pl.INT32, 5), [0], " + name + ")"}};
  if (isFilled)
    fill.line.text =
        name + "[:] = pl.full([" + length + "], pl.INT32, " + number() + ")";
  outer.body.insert(outer.body.begin(), std::move(fill));
  outer.body.push_back(
      {{"pl.store(" + part + " + " + number() + ", [0], " + name + ")"}});
  outer.body.push_back(
      {{"pl.store(" + part + ", [" + variable + " * " + number() + "], z)"}});
  program.body.push_back(
      {{name + " = pl.create_tensor([" + length + "], pl.INT32" + init}});
  program.body.push_back(std::move(outer));
}

Statement WindowGenerator::loop(int depth) {
  std::string name = "i" + std::to_string(count++);
  std::string kind =
      depth == 0 || random.chance(40) ? "pl.parallel" : "pl.range";
  std::string range = random.chance(50)
                          ? bound(depth)
                          : number() + ", " + bound(depth) + ", " + number();
  bool isOwn = random.chance(60);
  Statement loop{{"for " + name + " in " + kind + "(" + range + "):"}};
  variables.push_back(name);
  if (depth < 2 && random.chance(40))
    loop.body.push_back(this->loop(depth + 1));
  for (int64_t left = random.number(1, 2); left > 0; --left)
    loop.body.push_back(isOwn ? ownAccess() : access());
  variables.pop_back();
  return loop;
}

Program WindowGenerator::generate() {
  program.tiles = {{'R', random.pick({3, 4, 8})}, {'C', 4}, {'K', 4}};
  Kind matrix{"RC", DType::Int32}, row{"R", DType::Int32};
  program.parameters = {{"x", matrix},
                        {"v", row},
                        {"y", matrix, /*isWritten=*/true},
                        {"z", row, /*isWritten=*/true}};
  for (int64_t left = random.number(1, 2); left > 0; --left) {
    if (random.chance(20))
      scratch();
    else
      program.body.push_back(loop(0));
  }
  return std::move(program);
}
