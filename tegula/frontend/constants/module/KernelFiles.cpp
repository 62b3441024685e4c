// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/module/KernelFiles.h"
#include "tegula/frontend/diagnostics/ParserDiagnostics.h"
#include "tegula/frontend/syntax/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace tegula;
using llvm::StringRef;
namespace path = llvm::sys::path;

/// One name for a file however it was reached.
static std::string plainPath(StringRef given) {
  llvm::SmallString<128> plain = given;
  path::remove_dots(plain, /*remove_dot_dot=*/true);
  return std::string(plain);
}

static std::string join(StringRef folder, const llvm::Twine &name) {
  llvm::SmallString<128> joined = folder;
  path::append(joined, name);
  return std::string(joined);
}

KernelFile &KernelFiles::add(StringRef text, StringRef filePath) {
  auto &file = files[plainPath(filePath)];
  file = std::make_unique<KernelFile>(context, text, filePath);
  ParserDiagnostics diagnostics(file->source, reporter);
  file->module = parseModule(file->source.getText(), diagnostics);
  return *file;
}

/// Files that import one another see what has been run so far.
void KernelFiles::run(KernelFile &file) {
  if (!file.module)
    return;
  file.names = std::make_unique<ModuleConstants>(file.source, *this);
  file.names->runFile(file.module->body);
}

KernelFile &KernelFiles::addEntry(StringRef text, StringRef filePath) {
  KernelFile &file = add(text, filePath);
  entry = &file;
  run(file);
  return file;
}

void KernelFiles::settleImports() {
  // Imports bring more files.
  for (size_t numFiles = 0; numFiles != files.size();) {
    numFiles = files.size();
    for (const auto &entry : files)
      if (entry.second->names)
        entry.second->names->settleImports();
  }
}

KernelFiles::Found KernelFiles::load(StringRef filePath) {
  std::string plain = plainPath(filePath);
  auto known = files.find(plain);
  if (known != files.end())
    return {known->second.get(), {}};
  if (!texts)
    return {};
  Expected<const std::string *> text = texts->find(plain);
  if (!text)
    return {nullptr, llvm::toString(text.takeError())};
  if (!*text)
    return {};
  KernelFile &file = add(**text, plain);
  run(file);
  return {&file, {}};
}

std::vector<std::string> KernelFiles::foldersFor(StringRef module,
                                                 const SourceText &importer) {
  std::string folder = path::parent_path(importer.getPath()).str();
  if (module.starts_with(".")) {
    // One dot is the folder of the file, each further one the folder above.
    for (module = module.drop_front(); module.consume_front(".");)
      folder = join(folder, "..");
    return {folder};
  }
  std::vector<std::string> folders = {folder};
  if (entry)
    folders.push_back(path::parent_path(entry->source.getPath()).str());
  std::string package = folder;
  for (unsigned level = 0; level < 16; ++level) {
    if (!load(join(package, "__init__.py")).file)
      break;
    package = join(package, "..");
  }
  if (package != folder)
    folders.push_back(package);
  return folders;
}

KernelFiles::Found KernelFiles::find(StringRef module,
                                     const SourceText &importer) {
  std::vector<std::string> folders = foldersFor(module, importer);
  std::string relative = module.ltrim('.').str();
  std::replace(relative.begin(), relative.end(), '.', '/');
  for (const std::string &folder : folders) {
    llvm::SmallVector<std::string, 2> candidates;
    if (!relative.empty())
      candidates.push_back(join(folder, relative + ".py"));
    candidates.push_back(join(join(folder, relative), "__init__.py"));
    for (const std::string &candidate : candidates) {
      Found found = load(candidate);
      if (found.file || !found.problem.empty())
        return found;
    }
  }
  std::string folder = plainPath(folders.front());
  return {nullptr,
          (relative.empty() ? "there is no '__init__.py'"
                            : "there is no '" + relative + ".py' or '" +
                                  relative + "/__init__.py'") +
              " in " +
              (folder.empty() || folder == "." ? "its folder"
                                               : "'" + folder + "'")};
}
