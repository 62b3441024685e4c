// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions behind tegula.ranks.

#include "python/RankBindings.h"
#include "tegula/dist/RankSession.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace tegula;

namespace {

/// A session that Python holds. It ends when it is closed, and is there as long
/// as memory that its ranks saw.
class RankHandle {
public:
  explicit RankHandle(std::unique_ptr<RankSession> session)
      : session(std::move(session)) {}

  RankSession &get() const {
    if (isClosed)
      throw nb::value_error("these ranks have ended");
    return *session;
  }
  Controller &controller() const {
    Controller *controller = get().getController();
    if (!controller)
      throw nb::value_error("this process is a rank and controls none");
    return *controller;
  }
  void close() {
    isClosed = true;
    nb::gil_scoped_release release;
    session->end();
  }
  void release(void *memory) noexcept {
    session->getController()->free(memory);
  }

private:
  std::unique_ptr<RankSession> session;
  bool isClosed = false;
};

} // namespace

static std::shared_ptr<RankHandle>
makeHandle(llvm::function_ref<Problem(std::unique_ptr<RankSession> &)> make) {
  std::unique_ptr<RankSession> session;
  Problem problem;
  {
    nb::gil_scoped_release release;
    problem = make(session);
  }
  throwProblem(problem);
  return std::make_shared<RankHandle>(std::move(session));
}

static std::vector<int64_t> listProcesses(const RankHandle &handle) {
  std::vector<int64_t> processes;
  for (int64_t rank = 0; rank < handle.get().getCount(); ++rank)
    processes.push_back(handle.controller().getProcess(rank));
  return processes;
}

static nb::ndarray<nb::numpy, uint8_t>
allocate(const std::shared_ptr<RankHandle> &handle, size_t bytes) {
  void *memory = handle->controller().allocate(static_cast<int64_t>(bytes));
  if (!memory)
    throw std::bad_alloc();
  struct Block {
    std::shared_ptr<RankHandle> handle;
    void *memory;
  };
  nb::capsule owner(new Block{handle, memory}, [](void *pointer) noexcept {
    std::unique_ptr<Block> block(static_cast<Block *>(pointer));
    block->handle->release(block->memory);
  });
  return nb::ndarray<nb::numpy, uint8_t>(memory, {bytes}, owner);
}

void tegula::bindRanks(nb::module_ &module) {
  nb::class_<RankHandle>(module, "Ranks")
      .def_prop_ro(
          "count",
          [](const RankHandle &handle) { return handle.get().getCount(); })
      .def_prop_ro(
          "rank",
          [](const RankHandle &handle) { return handle.get().getRank(); })
      .def_prop_ro("processes", &listProcesses)
      .def("allocate", &allocate)
      .def("ping",
           [](const RankHandle &handle) {
             Controller &controller = handle.controller();
             Problem problem;
             {
               nb::gil_scoped_release release;
               problem = controller.ping();
             }
             throwProblem(problem);
           })
      .def("close", &RankHandle::close);
  module.def("start_ranks", [](int64_t count) {
    return makeHandle([&](std::unique_ptr<RankSession> &session) {
      return RankSession::start(count, session);
    });
  });
  module.def("join_ranks", [](uintptr_t communicator) {
    return makeHandle([&](std::unique_ptr<RankSession> &session) {
      return RankSession::join(reinterpret_cast<const void *>(communicator),
                               session);
    });
  });
}
