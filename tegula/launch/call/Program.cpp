// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/Program.h"

#include "tegula/launch/cache/Digest.h"

#include <algorithm>
#include <string_view>

using namespace tegula;

static void add(Digest &digest, const CapturedValue &value) {
  digest.add(static_cast<uint64_t>(value.kind));
  digest.add(value.integer);
  digest.add(value.real);
  digest.add(value.text);
  digest.add(static_cast<uint64_t>(value.elements.size()));
  for (const CapturedValue &element : value.elements)
    add(digest, element);
}

static void add(Digest &digest, const ProgramBlock &block) {
  // Messages of a compiled kernel name the file and the line.
  digest.add(block.path);
  digest.add(block.firstLine);
  digest.add(block.text);
  digest.add(block.name);
  digest.add(block.decorator);
  digest.add(static_cast<uint64_t>(block.names.size()));
  for (const auto &[name, value] : block.names) {
    digest.add(name);
    add(digest, value);
  }
}

std::string Program::key() const {
  Digest digest;
  digest.add("tegula program 3");
  digest.add(static_cast<uint64_t>(blocks.size()));
  for (const ProgramBlock &block : blocks)
    add(digest, block);
  digest.add(static_cast<uint64_t>(symbols.size()));
  for (const ProgramSymbol &symbol : symbols)
    digest.add(symbol.name);
  digest.add(method);
  digest.add(static_cast<uint64_t>(isDynamic));
  digest.add(target);
  digest.add(static_cast<uint64_t>(isDebug));
  digest.add(static_cast<uint64_t>(isStrict));
  digest.add(static_cast<uint64_t>(isQuiet));
  return digest.finishText();
}

std::map<std::string, std::string> tegula::textsOf(const Program &program) {
  std::map<std::string, std::vector<std::string_view>> files;
  for (const ProgramBlock &block : program.blocks) {
    std::vector<std::string_view> &lines = files[block.path];
    std::string_view rest = block.text;
    for (size_t number = block.firstLine; !rest.empty(); ++number) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (lines.size() < number)
        lines.resize(number);
      lines[number - 1] = line;
    }
  }
  std::map<std::string, std::string> texts;
  for (const auto &[path, lines] : files)
    for (std::string_view line : lines)
      texts[path].append(line).push_back('\n');
  return texts;
}
