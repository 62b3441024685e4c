// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A run of NVIDIA's assembler. What it reads and writes is in memory: there is
/// no disk that could be full, and nothing stays behind when this process ends.

#ifndef TEGULA_BACKENDS_CUDA_ASSEMBLER_ASSEMBLERPROCESS_H
#define TEGULA_BACKENDS_CUDA_ASSEMBLER_ASSEMBLERPROCESS_H

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>

namespace tegula {

/// A file in memory, which a process that is given it sees by a path. It is
/// none of those for input, output and errors, though they may be closed.
class MemoryFile {
public:
  MemoryFile();
  ~MemoryFile() { close(); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  /// Whether there is one.
  explicit operator bool() const { return descriptor >= 0; }
  int get() const { return descriptor; }
  /// Where the process finds it.
  std::string getPath() const;
  /// False if there is no memory for it.
  bool write(llvm::StringRef bytes);
  /// All that it holds; nothing if that cannot be read.
  std::optional<std::string> read() const;
  void clear();
  void close();

private:
  int descriptor;
};

/// What became of an assembler.
struct AssemblerEnd {
  enum class Kind {
    /// It ended by itself, with a status.
    Ended,
    /// A signal ended it.
    Signalled,
    /// There was none; the number is that of the error.
    NotStarted,
    /// It was ended, because nobody waits for it any more.
    Stopped,
    /// It ended, and somebody else in this process was told how.
    Unknown
  };

  Kind kind;
  int number;

  bool isSuccess() const { return kind == Kind::Ended && number == 0; }
};

/// Runs a program, found as a shell finds it, and waits for it. It ends with
/// this process, and as soon as the compile is asked to stop (StopRequest.h).
/// What it prints goes to `messages`; it sees `files` too.
AssemblerEnd runAssembler(llvm::ArrayRef<std::string> words,
                          const MemoryFile &messages,
                          llvm::ArrayRef<const MemoryFile *> files);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ASSEMBLER_ASSEMBLERPROCESS_H
