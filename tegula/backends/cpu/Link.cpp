// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cpu/Link.h"

#include "tegula/launch/MemoryFile.h"
#include "tegula/support/Error.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/InterfaceStub/ELFObjHandler.h"
#include "llvm/InterfaceStub/IFSStub.h"
#include "llvm/Support/CrashRecoveryContext.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace tegula;

/// lld keeps its state in globals, and once it crashed nothing is known of it.
static std::mutex linking;
static bool canLink = true;

/// Runs lld. What it would exit the process for becomes an error too.
static Error runLinker(ArrayRef<std::string> words) {
  std::vector<const char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(word.c_str());
  std::lock_guard<std::mutex> lock(linking);
  if (!canLink)
    return makeError("cannot link: the linker crashed before");
  std::string messages;
  raw_string_ostream stream(messages);
  const lld::DriverDef drivers[] = {{lld::Gnu, &lld::elf::link}};
  CrashRecoveryContext::Enable();
  lld::Result result = lld::lldMain(arguments, stream, stream, drivers);
  CrashRecoveryContext::Disable();
  // After 1 it gave up by itself; other numbers stand for crashes.
  if (result.retCode == 1 && lld::hasContext())
    lld::CommonLinkerContext::destroy();
  canLink = result.canRunAgain || result.retCode == 1;
  if (result.retCode == 0)
    return Error::success();
  return makeError("cannot link: {0}", StringRef(messages).rtrim());
}

namespace {

/// Where the files lie that lld and its like cannot have in memory.
class ScratchFolder {
public:
  ~ScratchFolder() {
    for (const std::string &file : files)
      ::unlink(file.c_str());
    if (!path.empty())
      ::rmdir(path.c_str());
  }

  Error create() {
    for (const char *place : {"/dev/shm", "/tmp", "."}) {
      path = std::string(place) + "/tegula-link-XXXXXX";
      if (::mkdtemp(path.data()))
        return Error::success();
    }
    path.clear();
    return makeError("cannot link: no folder for temporary files: {0}",
                     std::strerror(errno));
  }

  /// The path of a file that is removed with the folder.
  std::string add(StringRef name) {
    return files.emplace_back((path + "/" + name).str());
  }

private:
  std::string path;
  std::vector<std::string> files;
};

} // namespace

/// Writes a shared library that has nothing but names.
static Error writeStub(const Import &import, StringRef path) {
  ifs::IFSStub stub;
  stub.SoName = import.library;
  stub.Target.Arch = ELF::EM_X86_64;
  stub.Target.BitWidth = ifs::IFSBitWidthType::IFS64;
  stub.Target.Endianness = ifs::IFSEndiannessType::Little;
  for (const std::string &function : import.functions)
    stub.Symbols.emplace_back(function).Type = ifs::IFSSymbolType::Func;
  return ifs::writeBinaryStub(path, stub);
}

static Expected<FileBytes> readWhole(const std::string &path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  FileBytes bytes;
  if (file)
    bytes.resize_for_overwrite(::lseek(file.get(), 0, SEEK_END));
  if (!file || !readAll(file.get(), bytes.data(), bytes.size(), 0))
    return makeError("cannot read what the linker wrote: {0}",
                     std::strerror(errno));
  return bytes;
}

Expected<FileBytes> tegula::linkSharedLibrary(const LinkInput &input) {
  ScratchFolder scratch;
  if (Error error = scratch.create())
    return error;
  std::string output = scratch.add("output");
  // Calls bind when the library is loaded, so that a function that is missing
  // is an error then, and not a crash in the middle of a kernel.
  std::vector<std::string> words = {"ld.lld",
                                    "-shared",
                                    "--threads=1",
                                    "-O0",
                                    "-znow",
                                    "-zdefs",
                                    "-Bsymbolic",
                                    "--build-id=none",
                                    "--as-needed",
                                    "--hash-style=gnu",
                                    "--exclude-libs=ALL",
                                    "-o",
                                    output};
  std::vector<Descriptor> objects(input.objects.size());
  for (auto [bytes, object] : zip(input.objects, objects)) {
    if (Problem problem = openMemoryFile("tegula-object", bytes, object))
      return makeTextError(problem.getText());
    words.push_back(getPathOf(object));
  }
  for (const Import &import : input.imports) {
    words.push_back(scratch.add(import.library));
    if (Error error = writeStub(import, words.back()))
      return error;
    if (!import.folder.empty())
      words.push_back("-rpath=" + import.folder);
  }
  append_range(words, input.libraries);
  append_range(words, input.options);
  if (Error error = runLinker(words))
    return error;
  return readWhole(output);
}
