// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/SourceFiles.h"
#include "tegula/support/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

using namespace tegula;

void SourceFiles::add(llvm::StringRef path, llvm::StringRef text) {
  std::lock_guard<std::mutex> lock(mutex);
  texts[path.str()] = text.str();
}

Expected<const std::string *> SourceFiles::find(llvm::StringRef path) {
  std::lock_guard<std::mutex> lock(mutex);
  auto known = texts.find(path.str());
  if (known == texts.end()) {
    Expected<std::optional<std::string>> text = load(path);
    if (!text)
      return text.takeError();
    known = texts.insert({path.str(), std::move(*text)}).first;
  }
  return known->second ? &*known->second : nullptr;
}

std::map<std::string, std::optional<std::string>, std::less<>>
SourceFiles::list() {
  std::lock_guard<std::mutex> lock(mutex);
  return texts;
}

Expected<std::optional<std::string>> SourceFiles::load(llvm::StringRef) {
  return std::optional<std::string>();
}

Expected<std::optional<std::string>> DiskFiles::load(llvm::StringRef path) {
  if (path.consume_front("$"))
    return llvm::sys::Process::GetEnv(path);
  if (!llvm::sys::fs::is_regular_file(path))
    return std::optional<std::string>();
  Expected<std::string> text = readFile(path, maxBytes);
  if (!text)
    return text.takeError();
  return std::optional<std::string>(std::move(*text));
}
