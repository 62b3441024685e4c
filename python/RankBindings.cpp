// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions behind tegula.ranks.

#include "python/RankBindings.h"
#include "tegula/dist/control/RankSession.h"
#include "tegula/support/HostCallbacks.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
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

/// The parts of a window that this process sees, each as its bytes: those of
/// all ranks, or its own.
static std::vector<nb::ndarray<nb::numpy, uint8_t>>
makeWindow(const std::shared_ptr<RankHandle> &handle, size_t bytes) {
  Controller::Window window;
  Problem problem;
  {
    nb::gil_scoped_release release;
    problem = handle->get().keepWindow(static_cast<int64_t>(bytes), window);
  }
  throwProblem(problem);
  int64_t numArrays = window.stride == 0 ? 1 : handle->get().getCount();
  std::vector<nb::ndarray<nb::numpy, uint8_t>> parts;
  for (int64_t part = 0; part < numArrays; ++part) {
    // The memory is there as long as the session.
    nb::capsule owner(
        new std::shared_ptr<RankHandle>(handle), [](void *opaque) noexcept {
          delete static_cast<std::shared_ptr<RankHandle> *>(opaque);
        });
    parts.emplace_back(window.first + part * window.stride,
                       std::initializer_list<size_t>{bytes}, owner);
  }
  return parts;
}

/// How an array shows elements; those that NumPy does not know as their bits.
static nb::dlpack::dtype showElements(DType dtype) {
  using Code = nb::dlpack::dtype_code;
  auto bits = static_cast<uint8_t>(8 * getSize(dtype));
  bool isKnownFloat =
      dtype == DType::FP16 || dtype == DType::FP32 || dtype == DType::FP64;
  Code code = dtype == DType::Bool                                ? Code::Bool
              : isKnownFloat                                      ? Code::Float
              : !isFloat(dtype) && getIntegerRange(dtype).low < 0 ? Code::Int
                                                                  : Code::UInt;
  return {static_cast<uint8_t>(code), bits, 1};
}

static nb::object showTensor(const TensorView &view) {
  std::vector<size_t> sizes(view.sizes, view.sizes + view.rank);
  nb::ndarray<nb::numpy> array(view.data, view.rank, sizes.data(), nb::none(),
                               view.strides, showElements(view.dtype));
  return array.cast(nb::rv_policy::reference);
}

/// Keeps an object until nobody needs it, or Python is over.
static std::shared_ptr<PyObject> share(nb::object object) {
  return {object.release().ptr(), [](PyObject *opaque) {
            if (!Py_IsInitialized())
              return;
            nb::gil_scoped_acquire acquire;
            Py_DECREF(opaque);
          }};
}

/// Lets programs call a function of Python back. What it raises is left for
/// whoever called the program.
static void setCallback(const std::string &name, nb::object function) {
  if (function.is_none())
    return setHostCallback(name, {});
  setHostCallback(name, [opaque = share(std::move(function))](
                            llvm::ArrayRef<TensorView> tensors) {
    nb::gil_scoped_acquire acquire;
    try {
      nb::list arrays;
      for (const TensorView &tensor : tensors)
        arrays.append(showTensor(tensor));
      nb::handle(opaque.get())(*nb::tuple(arrays));
      return true;
    } catch (nb::python_error &error) {
      error.restore();
      return false;
    }
  });
}

void tegula::bindRanks(nb::module_ &module) {
  module.def("set_callback", &setCallback, nb::arg("name"),
             nb::arg("function").none());
  nb::class_<RankHandle>(module, "Ranks")
      .def_prop_ro(
          "count",
          [](const RankHandle &handle) { return handle.get().getCount(); })
      .def_prop_ro(
          "rank",
          [](const RankHandle &handle) { return handle.get().getRank(); })
      .def_prop_ro("processes", &listProcesses)
      .def("allocate", &allocate)
      .def("window", &makeWindow)
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
      .def("set_limit",
           [](const RankHandle &handle, double seconds) {
             handle.get().setLimit(static_cast<int64_t>(seconds * 1e9));
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
