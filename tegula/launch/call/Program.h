// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What to compile, as plain data: the text of a kernel and of everything it
/// calls, and what the names in them stand for. The Python decorator makes it;
/// nothing in it refers to Python or to the compiler.

#ifndef TEGULA_LAUNCH_CALL_PROGRAM_H
#define TEGULA_LAUNCH_CALL_PROGRAM_H

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tegula {

/// What a name outside a kernel stands for.
struct CapturedValue {
  enum class Kind : uint8_t {
    None,
    Ellipsis,
    /// `integer` is 0 or 1.
    Bool,
    Int,
    Float,
    String,
    /// A tuple or a list.
    Tuple,
    /// Keys and values alternate in `elements`.
    Dict,
    /// `text` is its name in the language, "FP32".
    DType,
    /// `integer` counts in Program::symbols.
    Symbol,
    /// Arithmetic on symbols: `text` is one of + - * // % min max, and there
    /// are two elements: symbols, integers or arithmetic again.
    Extent,
    /// `integer` counts in Program::blocks.
    Function,
    /// `text` is the path below `pl`; empty for `pl` itself.
    Language,
    /// A function of Python that the language knows: "min", "math.sqrt".
    Builtin,
    /// `text` says what it is and why a kernel cannot use it.
    Unusable
  };

  Kind kind = Kind::None;
  int64_t integer = 0;
  double real = 0;
  std::string text = {};
  std::vector<CapturedValue> elements = {};
};

/// A function or a class as its author wrote it.
struct ProgramBlock {
  /// The file, or what stands for it: "<stdin>", "<ipython-input-3>".
  std::string path;
  /// The line of the file that `text` starts on, counted from 1.
  unsigned firstLine = 1;
  /// Whole lines, with their indentation, from the first decorator on.
  std::string text;
  /// The name of the function or class.
  std::string name;
  /// What it was decorated with, without the `pl.`: "jit.incore". It counts if
  /// the text does not show it, as after `f = pl.jit(f)`.
  std::string decorator = "jit";
  /// The names it uses and does not define, dotted (`cfg.hidden`), sorted, each
  /// once. The prefix of a dotted name is a module or an object.
  std::vector<std::pair<std::string, CapturedValue>> names = {};
};

/// What `pl.dynamic` made.
struct ProgramSymbol {
  /// Its literal.
  std::string name;
  /// Where it was made, for messages only.
  std::string path = {};
  unsigned line = 1;
};

/// A kernel with all it needs.
struct Program {
  /// The entry first; each function once.
  std::vector<ProgramBlock> blocks;
  /// Two symbols may have one literal; they are still two.
  std::vector<ProgramSymbol> symbols = {};
  /// The method of the class to start with; empty if the entry is a function,
  /// or the class has one method that starts it.
  std::string method = {};
  /// Open parameters are dynamic in every axis that the program does not need
  /// as a number.
  bool isDynamic = false;
  /// What it is compiled for, as text; empty for the default.
  std::string target = {};
  /// Tensors that the kernel makes start as zeros.
  bool isDebug = false;
  /// What is a warning elsewhere is an error.
  bool isStrict = false;
  /// It was written by a program, and nobody is told what may not have been
  /// meant.
  bool isQuiet = false;

  /// A hash of everything that can change what is compiled or what a compiled
  /// kernel says: 64 hexadecimal digits, the same in every process.
  std::string key() const;
};

/// The files that the blocks come from, as far as the blocks show them: every
/// line where it was, the others empty.
std::map<std::string, std::string> textsOf(const Program &program);

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_PROGRAM_H
