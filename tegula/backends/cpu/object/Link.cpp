// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cpu/object/Link.h"

#include "tegula/backends/cpu/object/CollectOutput.h"
#include "tegula/launch/image/MemoryFile.h"
#include "tegula/launch/threads/ForkGate.h"
#include "tegula/support/Error.h"
#include "tegula/support/Recovery.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/InterfaceStub/ELFObjHandler.h"
#include "llvm/InterfaceStub/IFSStub.h"
#include "llvm/Support/CrashRecoveryContext.h"

#include <cerrno>
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace tegula;

/// lld keeps its state in globals, and once it crashed nothing is known of it.
static std::mutex linking;
static bool canLink = true;

static Error openFile(const char *name, StringRef bytes, Descriptor &file) {
  if (Problem problem = openMemoryFile(name, bytes, file))
    return makeSystemError(ENOMEM, "cannot link: {0}", problem.getText());
  return Error::success();
}

/// Runs lld. What it would exit the process for becomes an error too.
static Error runLinker(ArrayRef<std::string> words) {
  std::vector<const char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(word.c_str());
  CompileScope scope;
  std::lock_guard<std::mutex> lock(linking);
  if (!canLink)
    return makeError("cannot link: the linker crashed before");
  std::string messages;
  raw_string_ostream stream(messages);
  const lld::DriverDef drivers[] = {{lld::Gnu, &lld::elf::link}};
  lld::Result result = {-1, /*canRunAgain=*/false};
  CrashRecoveryContext::Enable();
  Error ended = runRecovering(
      [&] { result = lld::lldMain(arguments, stream, stream, drivers); });
  CrashRecoveryContext::Disable();
  if (ended) {
    canLink = false;
    return ended;
  }
  // After 1 it gave up by itself; other numbers stand for crashes.
  if (result.retCode == 1 && lld::hasContext())
    lld::CommonLinkerContext::destroy();
  canLink = result.canRunAgain || result.retCode == 1;
  if (result.retCode == 0)
    return Error::success();
  return makeError("cannot link: {0}", messages.empty()
                                           ? "the linker crashed"
                                           : StringRef(messages).rtrim());
}

/// A shared library that has nothing but names.
static Error makeStub(const Import &import, Descriptor &file) {
  ifs::IFSStub stub;
  stub.SoName = import.library;
  stub.Target.Arch = ELF::EM_X86_64;
  stub.Target.BitWidth = ifs::IFSBitWidthType::IFS64;
  stub.Target.Endianness = ifs::IFSEndiannessType::Little;
  for (const std::string &function : import.functions)
    stub.Symbols.emplace_back(function).Type = ifs::IFSSymbolType::Func;
  Expected<FileBytes> bytes = collectOutput(
      [&](StringRef path) { return ifs::writeBinaryStub(path, stub); });
  if (!bytes)
    return bytes.takeError();
  return openFile("tegula-stub", {bytes->data(), bytes->size()}, file);
}

Expected<FileBytes> tegula::linkSharedLibrary(const LinkInput &input) {
  // Calls bind when the library is loaded, so that a function that is missing
  // is an error then, and not a crash in the middle of a kernel.
  std::vector<std::string> words = {
      "ld.lld", "-shared", "--threads=1", "-O0", "-znow", "-zdefs",
      "-Bsymbolic", "--build-id=none", "--as-needed", "--hash-style=gnu",
      "--exclude-libs=ALL",
      // What the launch library throws it finds its way by.
      "--eh-frame-hdr"};
  std::vector<Descriptor> files(input.objects.size() + input.imports.size());
  Descriptor *next = files.data();
  for (StringRef bytes : input.objects) {
    if (Error error = openFile("tegula-object", bytes, *next))
      return error;
    words.push_back(getPathOf(*next++));
  }
  for (const Import &import : input.imports) {
    if (Error error = makeStub(import, *next))
      return error;
    words.push_back(getPathOf(*next++));
  }
  append_range(words, input.libraries);
  append_range(words, input.options);
  return collectOutput([&](StringRef path) {
    words.insert(words.end(), {"-o", path.str()});
    return runLinker(words);
  });
}
