// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs the code of a row function: as a program without any library, on an
/// emulated RISC-V core with vectors of 512 bits.

#ifndef TEGULA_TEST_BACKENDS_NPU_VECTOR_ROWPROGRAM_H
#define TEGULA_TEST_BACKENDS_NPU_VECTOR_ROWPROGRAM_H

#include "tegula/backends/cpu/object/Link.h"
#include "tegula/backends/npu/vector/RegionCode.h"
#include "tegula/support/File.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"

#include <cstring>

namespace tegula {

/// Reads memory from its input, makes the calls that stand at its beginning,
/// and writes the memory back. A call is eight arguments, then for each whether
/// it is a place in that memory. $ROW stands for the function.
inline constexpr const char *startOfRowProgram = R"(
  .local memory
  .comm memory, 1048576, 64
  .text
  .globl _start
_start:
  lla s0, memory
  mv s1, s0
read:
  li a0, 0
  mv a1, s1
  li a2, 65536
  li a7, 63
  ecall
  blez a0, begin
  add s1, s1, a0
  j read
begin:
  ld s2, 0(s0)
  addi s3, s0, 64
next:
  beqz s2, done
  .macro argument register, offset
  ld \register, \offset(s3)
  ld t0, 64 + \offset(s3)
  mul t0, t0, s0
  add \register, \register, t0
  .endm
  argument a0, 0
  argument a1, 8
  argument a2, 16
  argument a3, 24
  argument a4, 32
  argument a5, 40
  argument a6, 48
  argument a7, 56
  call $ROW
  addi s3, s3, 128
  addi s2, s2, -1
  j next
done:
  bgeu s0, s1, exit
  li a0, 1
  mv a1, s0
  sub a2, s1, s0
  li a7, 64
  ecall
  add s0, s0, a0
  j done
exit:
  li a0, 0
  li a7, 93
  ecall
)";

/// The object file of what starts a program that calls `function`.
inline FileBytes assembleStart(const VectorCore &core,
                               const std::string &function) {
  llvm::LLVMContext context;
  llvm::Module module("start", context);
  std::unique_ptr<llvm::TargetMachine> machine = core.createTargetMachine();
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(core.getTriple());
  std::string text = startOfRowProgram;
  text.replace(text.find("$ROW"), 4, function);
  module.setModuleInlineAsm(text);
  FileBytes bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  machine->addPassesToEmitFile(passes, stream, nullptr,
                               llvm::CodeGenFileType::ObjectFile);
  passes.run(module);
  return bytes;
}

/// Calls of a row function and the memory they work on.
class RowProgram {
public:
  /// Adds `elements` to the memory and says where.
  template <typename T> size_t store(const std::vector<T> &elements) {
    size_t begin = memory.size();
    memory.resize(begin + (elements.size() * sizeof(T) + 63) / 64 * 64);
    if (!elements.empty())
      std::memcpy(memory.data() + begin, elements.data(),
                  elements.size() * sizeof(T));
    return begin;
  }

  /// Adds a call with pointers to `addresses` and then `numbers`.
  void call(llvm::ArrayRef<size_t> addresses,
            llvm::ArrayRef<uint64_t> numbers) {
    uint64_t words[16] = {};
    for (auto [index, address] : llvm::enumerate(addresses)) {
      words[index] = address;
      words[8 + index] = 1;
    }
    llvm::copy(numbers, words + addresses.size());
    std::memcpy(memory.data() + 64 + numCalls * sizeof(words), words,
                sizeof(words));
    ++numCalls;
    std::memcpy(memory.data(), &numCalls, sizeof(numCalls));
  }

  /// Makes the calls; the memory is then what they left.
  [[nodiscard]] Error run(const RegionCode &code, unsigned lmul,
                          const VectorCore &core) {
    Expected<std::string> object = code.emit(llvm::CodeGenFileType::ObjectFile);
    if (!object)
      return object.takeError();
    FileBytes start = assembleStart(core, RegionCode::getFunctionName(lmul));
    llvm::StringRef objects[] = {*object, {start.data(), start.size()}};
    std::string options[] = {"-e", "_start"};
    LinkInput input{objects};
    input.options = options;
    Expected<FileBytes> program = linkSharedLibrary(input);
    if (!program)
      return program.takeError();
    return execute({program->data(), program->size()});
  }

  /// The element number `index` at `address`.
  template <typename T> T read(size_t address, size_t index) const {
    T element;
    std::memcpy(&element, memory.data() + address + index * sizeof(T),
                sizeof(T));
    return element;
  }

private:
  [[nodiscard]] Error execute(llvm::StringRef program) {
    llvm::ErrorOr<std::string> emulator =
        llvm::sys::findProgramByName("qemu-riscv64");
    if (!emulator)
      return makeError("qemu-riscv64 is missing; scripts/setup.sh installs it");
    llvm::SmallString<64> folder;
    if (std::error_code code =
            llvm::sys::fs::createUniqueDirectory("tegula-row", folder))
      return makeError("cannot make a folder: {0}", code.message());
    std::string path = (folder + "/row").str(), in = path + ".in",
                out = path + ".out";
    writeTo(path, program);
    writeTo(in, {memory.data(), memory.size()});
    llvm::sys::fs::setPermissions(path, llvm::sys::fs::perms::owner_all);
    llvm::StringRef words[] = {*emulator, "-cpu",
                               "rv64,v=true,vext_spec=v1.0,vlen=512", path};
    std::optional<llvm::StringRef> streams[] = {
        llvm::StringRef(in), llvm::StringRef(out), {}};
    std::string message;
    int status = llvm::sys::ExecuteAndWait(*emulator, words, std::nullopt,
                                           streams, /*SecondsToWait=*/60,
                                           /*MemoryLimit=*/0, &message);
    Expected<std::string> left = readFile(out, 1 << 24);
    llvm::sys::fs::remove_directories(folder);
    if (!left)
      return left.takeError();
    if (status != 0 || left->size() != memory.size())
      return makeError("the program ended with {0} and {1} bytes: {2}", status,
                       left->size(), message);
    memory.assign(left->begin(), left->end());
    return Error::success();
  }

  static void writeTo(const std::string &path, llvm::StringRef bytes) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << bytes;
  }

  /// The number of calls, up to 32 of them, and what is placed.
  std::vector<char> memory = std::vector<char>(64 + 32 * 128);
  uint64_t numCalls = 0;
};

} // namespace tegula

#endif // TEGULA_TEST_BACKENDS_NPU_VECTOR_ROWPROGRAM_H
