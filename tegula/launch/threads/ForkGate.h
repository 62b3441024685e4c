// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Keeps `fork` and compiling apart. A child has only the thread that forked:
/// what another thread was compiling would stay half done in it for ever, with
/// every lock that was held. So a fork waits until nothing is being compiled.

#ifndef TEGULA_LAUNCH_THREADS_FORKGATE_H
#define TEGULA_LAUNCH_THREADS_FORKGATE_H

namespace tegula {

/// While one lives, this process is not forked by other threads. A thread may
/// have several at once, and may fork itself.
class CompileScope {
public:
  CompileScope();
  ~CompileScope();
  CompileScope(const CompileScope &) = delete;
  CompileScope &operator=(const CompileScope &) = delete;

private:
  /// False in a thread that is about to fork, which waits for nobody.
  bool isCounted;
};

/// Waits until other threads compile nothing and keeps them from beginning.
/// Whoever must not wait inside `fork` itself, because it holds what a
/// compiling thread may need, calls this before and endFork afterwards.
void beginFork();

/// After a fork, in the parent and in the child.
void endFork();

} // namespace tegula

#endif // TEGULA_LAUNCH_THREADS_FORKGATE_H
