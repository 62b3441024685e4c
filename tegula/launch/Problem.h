// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the part of Tegula that runs without LLVM reports a mistake: nothing, or
/// a message.

#ifndef TEGULA_LAUNCH_PROBLEM_H
#define TEGULA_LAUNCH_PROBLEM_H

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

namespace tegula {

/// What is wrong, or nothing. It is a null pointer while all is well, so a call
/// that succeeds pays nothing for it.
class [[nodiscard]] Problem {
public:
  /// Who has to change something.
  enum class Kind : uint8_t {
    /// The caller: the arguments do not fit.
    Call,
    /// The author: the kernel cannot be compiled.
    Compile,
    /// A run that was begun could not end.
    Run,
    /// The machine: a file, a library or memory is missing.
    System,
    /// Nobody who uses Tegula: the compiler itself failed.
    Internal,
    /// Nobody: it was asked to stop.
    Stopped
  };

  Problem() = default;
  Problem(Kind kind, std::string text)
      : content(new Content{kind, std::move(text), "", 0, 0}) {}
  Problem(Problem &&) = default;
  Problem &operator=(Problem &&) = default;

  /// True if something is wrong.
  explicit operator bool() const { return content != nullptr; }

  Kind getKind() const { return content->kind; }
  /// Lower case, no final period.
  const std::string &getText() const { return content->text; }

  /// Where in the source it is; the path is empty if nowhere.
  const std::string &getPath() const { return content->path; }
  unsigned getLine() const { return content->line; }
  unsigned getColumn() const { return content->column; }
  void setLocation(std::string path, unsigned line, unsigned column) {
    content->path = std::move(path);
    content->line = line;
    content->column = column;
  }

private:
  struct Content {
    Kind kind;
    std::string text;
    std::string path;
    unsigned line, column;
  };
  std::unique_ptr<Content> content;
};

/// `format` with {0}, {1}, ... replaced.
std::string formatText(const char *format,
                       std::initializer_list<std::string> values);

/// A problem of `kind` whose message is made by formatText from strings and
/// integers.
template <typename... Values>
Problem makeProblem(Problem::Kind kind, const char *format,
                    const Values &...values) {
  auto toText = [](const auto &value) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>)
      return std::to_string(value);
    else
      return std::string(value);
  };
  return Problem(kind, formatText(format, {toText(values)...}));
}

/// The same about the arguments of a call.
template <typename... Values>
Problem makeCallProblem(const char *format, const Values &...values) {
  return makeProblem(Problem::Kind::Call, format, values...);
}

} // namespace tegula

#endif // TEGULA_LAUNCH_PROBLEM_H
