// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random tile programs on integers, where every order of sums is exact.
#include "CpuFixture.h"

using namespace tegula;

namespace {

/// Writes a random program on x, y, z: [?, ?]. Tiles are at most 6 x 20 (!T),
/// columns 6 x 1 (!R) or rows 1 x 20 (!C).
class ProgramWriter {
public:
  explicit ProgramWriter(unsigned seed) : random(seed) {}

  std::string write() {
    std::string text = R"(
!X = !pl.tensor<[?, ?], i32>
!V = !pl.tensor<[upto 6, upto 20], i32>
!T = !pl.tile<[upto 6, upto 20], i32>
!R = !pl.tile<[upto 6, 1], i32>
!C = !pl.tile<[1, upto 20], i32>
func.func @f(%x: !X, %y: !X, %z: !X, %n: index) {
  %M = pl.bind "M" %x[0], %y[0], %z[0] : !X, !X, !X
  %N = pl.bind "N" %x[1], %y[1], %z[1] : !X, !X, !X
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c20 = arith.constant 20 : index
  %seven = arith.constant 7 : i32
  %isOdd = arith.cmpi sgt, %n, %c1 : index
)";
    tiles = {load(text)};
    writeBlock(text, 9, 2);
    store(text, pick(tiles));
    return text + "  return\n}\n";
  }

private:
  unsigned below(unsigned limit) { return random() % limit; }
  std::string name() { return "%v" + std::to_string(next++); }
  const std::string &pick(const std::vector<std::string> &from) {
    return from[below(from.size())];
  }
  std::string view(std::string &text) {
    static const char *tensors[] = {"%x", "%y", "%z"};
    static const char *starts[] = {"%c0", "%c0", "%c1", "%c2"};
    std::string result = name();
    text += result + " = pl.slice " + tensors[below(3)] + "[" +
            starts[below(4)] + ", " + starts[below(4)] +
            "] [%c6, %c20] : !X -> !V\n";
    return result;
  }
  std::string load(std::string &text) {
    std::string from = view(text), result = name();
    text += result + " = pl.load " + from + " : !V\n";
    return result;
  }
  void store(std::string &text, const std::string &tile) {
    std::string to = view(text);
    text += "pl.store " + tile + ", " + to + " : !T, !V\n";
  }

  /// Adds a tile computed from known ones.
  std::string compute(std::string &text) {
    std::string result = name();
    static const char *binary[] = {"add", "sub", "mul", "maximum", "minimum"};
    switch (below(8)) {
    case 0:
      text += result + " = pl.neg " + pick(tiles) + " : !T\n";
      break;
    case 1: {
      std::string a = pick(tiles), m = name(), w = name(), r = name();
      text += r + " = pl.reduce sum " + a + " axis 1 : !T\n" + m +
              " = pl.dim " + a + "[0] : !T\n" + w + " = pl.dim " + a +
              "[1] : !T\n" + result + " = pl.broadcast " + r + ", [" + m +
              ", " + w + "] : !R -> !T\n";
      break;
    }
    case 2: {
      std::string a = pick(tiles), m = name(), w = name(), r = name(),
                  q = name();
      text += r + " = pl.reduce max " + a + " axis 0 : !T\n" + q +
              " = pl.neg " + r + " : !C\n" + m + " = pl.dim " + a +
              "[0] : !T\n" + w + " = pl.dim " + a + "[1] : !T\n" + result +
              " = pl.broadcast " + q + ", [" + m + ", " + w + "] : !C -> !T\n";
      break;
    }
    case 3:
      text += result + " = pl.window " + pick(tiles) +
              "[%c0, %c1] [%c6, %c20] : !T -> !T\n";
      break;
    case 4:
      text += result + " = pl.insert " + pick(tiles) + ", " + pick(tiles) +
              "[%c1, %c3] : !T, !T\n";
      break;
    default:
      text += result + " = pl." + binary[below(5)] + " " + pick(tiles) + ", " +
              pick(tiles) + " : !T, !T\n";
    }
    return result;
  }

  void writeBlock(std::string &text, unsigned count, unsigned depth) {
    for (unsigned at = 0; at < count; ++at)
      switch (below(depth ? 10 : 7)) {
      case 0:
        tiles.push_back(load(text));
        break;
      case 1:
        store(text, pick(tiles));
        break;
      case 7:
      case 8:
        writeLoop(text, depth - 1);
        break;
      case 9:
        writeBranch(text, depth - 1);
        break;
      default:
        tiles.push_back(compute(text));
      }
  }

  void writeLoop(std::string &text, unsigned depth) {
    std::string result = name(), a = name(), b = name(), i = name();
    text += result + ":2 = scf.for " + i + " = %c0 to %n step %c1 iter_args(" +
            a + " = " + pick(tiles) + ", " + b + " = " + pick(tiles) +
            ") -> (!T, !T) {\n";
    std::vector<std::string> outside = tiles;
    tiles.insert(tiles.end(), {a, b, a, b});
    writeBlock(text, 1 + below(5), depth);
    text += "scf.yield " + pick(tiles) + ", " + pick(tiles) + " : !T, !T\n}\n";
    tiles = outside;
    tiles.insert(tiles.end(), {result + "#0", result + "#1"});
  }

  void writeBranch(std::string &text, unsigned depth) {
    std::string result = name();
    text += result + " = scf.if %isOdd -> (!T) {\n";
    std::vector<std::string> outside = tiles;
    writeBlock(text, below(4), depth);
    text += "scf.yield " + pick(tiles) + " : !T\n} else {\n";
    tiles = outside;
    writeBlock(text, below(4), depth);
    text += "scf.yield " + pick(tiles) + " : !T\n}\n";
    tiles = outside;
    tiles.push_back(result);
  }

  std::mt19937 random;
  unsigned next = 0;
  std::vector<std::string> tiles;
};

using CpuRandom = CpuTest;

} // namespace

TEST_F(CpuRandom, AgreesWithTheInterpreter) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    std::string text = ProgramWriter(seed).write();
    SCOPED_TRACE(text);
    compile(text);
    for (int64_t n : {0, 1, 3})
      for (auto [rows, columns] : {std::pair(7, 22), std::pair(4, 9)}) {
        std::vector<int64_t> shape = {rows, columns};
        TestTensor x(DType::Int32, shape), y(DType::Int32, shape, {1, 11}),
            z(DType::Int32, shape, {-30, 1});
        check({&x.fill(1), &y.fill(2), &z.fill(3), pl::Scalar::ofIndex(n)});
      }
    if (HasFailure())
      return;
  }
}
