// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/module/CapturedNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using llvm::StringRef;

namespace {

/// The names below a module or an object.
class NamesBelow : public Environment {
public:
  NamesBelow(CapturedNames &names, StringRef prefix)
      : names(names), prefix(prefix) {}

  std::optional<Object> lookup(StringRef name) override {
    return names.lookup(prefix + "." + name.str());
  }

private:
  CapturedNames &names;
  std::string prefix;
};

} // namespace

std::optional<Object> CapturedNames::find(StringRef name) {
  auto found = llvm::partition_point(
      block.names, [&](const auto &entry) { return entry.first < name; });
  if (found != block.names.end() && found->first == name)
    return program.toObject(found->second);
  std::string prefix = name.str() + ".";
  bool isSpace = llvm::any_of(block.names, [&](const auto &entry) {
    return StringRef(entry.first).starts_with(prefix);
  });
  if (!isSpace)
    return std::nullopt;
  return Object(NamespaceObject{std::make_shared<NamesBelow>(*this, name),
                                "'" + name.str() + "'"});
}

std::optional<Object> CapturedNames::lookup(StringRef name) {
  auto [entry, isNew] = known.try_emplace(name);
  if (isNew) {
    // Looking for it may ask for other names and move the table.
    std::optional<Object> object = find(name);
    known[name] = object;
    return object;
  }
  return entry->second;
}
