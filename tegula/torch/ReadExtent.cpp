// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/torch/Model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

namespace {

/// Reads calls of names with what is in their parentheses.
class ExtentReader {
public:
  explicit ExtentReader(StringRef text) : rest(text) {}

  /// Nothing if there are more calls in calls than `depth`.
  std::optional<std::string> read(unsigned depth = 32) {
    if (depth == 0)
      return std::nullopt;
    rest = rest.ltrim();
    StringRef name =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    rest = rest.drop_front(name.size());
    if (!rest.consume_front("("))
      return std::nullopt;
    if (name == "Symbol" || name == "Integer")
      return readLeaf();
    std::vector<std::string> parts;
    do {
      std::optional<std::string> part = read(depth - 1);
      if (!part)
        return std::nullopt;
      parts.push_back(*part);
      rest = rest.ltrim();
    } while (rest.consume_front(","));
    if (!rest.consume_front(")"))
      return std::nullopt;
    return write(name, parts);
  }

  bool isDone() const { return rest.trim().empty(); }

private:
  /// "'s0', integer=True)" or "3)".
  std::optional<std::string> readLeaf() {
    auto [inside, after] = rest.split(')');
    rest = after;
    StringRef text = inside.split(',').first.trim().trim('\'');
    return text.empty() ? std::nullopt : std::optional(text.str());
  }

  static std::optional<std::string>
  write(StringRef name, const std::vector<std::string> &parts) {
    int64_t power;
    if (name == "Pow" && parts.size() == 2)
      return StringRef(parts[1]).getAsInteger(10, power) || power < 1 ||
                     power > maxLength / int64_t(parts[0].size() + 3)
                 ? std::nullopt
                 : std::optional(
                       "(" +
                       llvm::join(std::vector<std::string>(power, parts[0]),
                                  " * ") +
                       ")");
    if (name == "Max" || name == "Min")
      return name.lower() + "(" + llvm::join(parts, ", ") + ")";
    const char *sign = llvm::StringSwitch<const char *>(name)
                           .Case("Add", " + ")
                           .Case("Mul", " * ")
                           .Case("FloorDiv", " // ")
                           .Cases({"Mod", "PythonMod"}, " % ")
                           .Default(nullptr);
    // Extents are divided by numbers only.
    bool divides =
        name == "FloorDiv" && StringRef(parts.back()).getAsInteger(10, power);
    if (!sign || divides)
      return std::nullopt;
    return "(" + llvm::join(parts, sign) + ")";
  }

  /// No size of a model is written longer: powers of powers would be.
  static constexpr int64_t maxLength = 1 << 12;
  StringRef rest;
};

} // namespace

Expected<std::string> tegula::torch::readExtent(StringRef text) {
  ExtentReader reader(text);
  std::optional<std::string> extent = reader.read();
  if (!extent || !reader.isDone())
    return makeError("the size {0} is not one that a kernel can have", text);
  return *extent;
}
