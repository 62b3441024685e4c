// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/sim/Workload.h"
#include "tegula/launch/call/ParseNumber.h"

#include "tegula/support/Npy.h"
#include "tools/tegula/run/RandomFill.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <unistd.h>

using namespace tegula;
using llvm::StringRef;

namespace {

/// Collects the parts of a workload; each step may fail.
class WorkloadBuilder {
public:
  WorkloadBuilder(const Signature &signature, const WorkloadRequest &request,
                  WorkloadMemory memory)
      : signature(signature), request(request), memory(memory) {}

  Expected<Workload> build() {
    workload.arrays.resize(signature.parameters.size());
    if (Error error = checkNames())
      return error;
    if (Error error = readFiles())
      return error;
    if (Error error = takeDims())
      return error;
    if (memory == WorkloadMemory::Real)
      if (Error error = checkMemory())
        return error;
    for (unsigned index = 0; index < signature.parameters.size(); ++index)
      if (Error error = addArgument(index))
        return error;
    return std::move(workload);
  }

private:
  Error checkNames();
  Error checkName(StringRef option, StringRef name, bool wantsTensor);
  Error readFiles();
  Error readFile(const Parameter &parameter, Array &array);
  Error checkFile(const Parameter &parameter, Array &array);
  void dropPadding(const Parameter &parameter, Array &array) const;
  Error takeDims();
  Error checkMemory();
  Error addArgument(unsigned index);
  /// A parameter that may be either is a number if --scalar gives one.
  bool isGivenAsTensor(const Parameter &parameter) const {
    return !parameter.isScalar() && !request.scalars.count(parameter.name);
  }
  Error addScalar(const Parameter &parameter);
  Error addMadeUp(const Parameter &parameter, DType dtype,
                  llvm::ArrayRef<int64_t> shape);
  /// Type and shape of a tensor that does not come from a file.
  Expected<DType> getDType(const Parameter &parameter) const;
  Expected<std::vector<int64_t>> getShape(const Parameter &parameter) const;
  /// The integers of the call by the number of their parameter; 0 elsewhere.
  std::vector<int64_t> getNumbers() const;

  const Signature &signature;
  const WorkloadRequest &request;
  WorkloadMemory memory;
  /// Where the next tensor lies that is not there.
  uint64_t nextAddress = request.firstAddress;
  Workload workload;
  /// Where each extent was found, for messages.
  std::map<std::string, std::string> origins;
};

} // namespace

Error WorkloadBuilder::checkName(StringRef option, StringRef name,
                                 bool wantsTensor) {
  std::vector<StringRef> names;
  for (const Parameter &parameter : signature.parameters) {
    if (wantsTensor ? parameter.isScalar() : parameter.isTensor())
      continue;
    if (parameter.name == name)
      return Error::success();
    names.push_back(parameter.name);
  }
  const char *kind = wantsTensor ? "tensor" : "scalar";
  if (names.empty())
    return makeError("option '--{0}': kernel '{1}' has no {2} parameters",
                     option, signature.kernel, kind);
  return makeError("option '--{0}': kernel '{1}' has no {2} parameter '{3}'; "
                   "it has {4}",
                   option, signature.kernel, kind, name,
                   llvm::join(names, ", "));
}

Error WorkloadBuilder::checkNames() {
  for (const auto &[name, value] : request.files)
    if (Error error = checkName("in", name, /*wantsTensor=*/true))
      return error;
  for (const auto &[name, value] : request.scalars)
    if (Error error = checkName("scalar", name, /*wantsTensor=*/false))
      return error;
  for (const auto &[name, value] : request.dtypes)
    if (Error error = checkName("dtype", name, /*wantsTensor=*/true))
      return error;
  for (const auto &[name, value] : request.shapes)
    if (Error error = checkName("shape", name, /*wantsTensor=*/true))
      return error;
  std::vector<std::string> symbols = signature.getSymbols();
  for (const auto &[name, value] : request.dims) {
    if (llvm::is_contained(symbols, name))
      continue;
    if (symbols.empty())
      return makeError("option '--dim': kernel '{0}' has no dimension that "
                       "varies",
                       signature.kernel);
    return makeError("option '--dim': kernel '{0}' has no dimension '{1}'; it "
                     "has {2}",
                     signature.kernel, name, llvm::join(symbols, ", "));
  }
  return Error::success();
}

/// Bytes do not say whether the last half of a row counts.
void WorkloadBuilder::dropPadding(const Parameter &parameter,
                                  Array &array) const {
  if (!isHalfByte(array.getDType()) || parameter.axes->empty())
    return;
  const Axis &last = parameter.axes->back();
  auto known = workload.dims.find(last.symbol);
  std::optional<int64_t> wanted = last.extent;
  if (!wanted && known != workload.dims.end())
    wanted = known->second;
  if (wanted && *wanted % 2 != 0 && *wanted + 1 == array.getSizes().back())
    array.dropLastColumn();
}

Error WorkloadBuilder::checkFile(const Parameter &parameter, Array &array) {
  const std::string &path = request.files.at(parameter.name);
  if (parameter.dtype && *parameter.dtype != array.getDType())
    return makeError("'{0}' holds {1}, but argument '{2}' is {3}", path,
                     getName(array.getDType()), parameter.name,
                     getName(*parameter.dtype));
  if (!parameter.axes)
    return Error::success();
  if (parameter.axes->size() != array.getSizes().size())
    return makeError("'{0}' has shape {1}, but argument '{2}' is {3}", path,
                     formatShape(array.getSizes()), parameter.name,
                     formatAxes(*parameter.axes));
  dropPadding(parameter, array);
  for (auto [number, axis] : llvm::enumerate(*parameter.axes)) {
    int64_t extent = array.getSizes()[number];
    if (axis.extent && *axis.extent != extent)
      return makeError("'{0}': axis {1} is {2}, but argument '{3}' wants {4}",
                       path, number, extent, parameter.name, *axis.extent);
    // The call checks what an expression comes to.
    if (axis.extent || axis.expression)
      continue;
    auto [entry, isNew] = workload.dims.try_emplace(axis.symbol, extent);
    if (!isNew && entry->second != extent)
      return makeError("'{0}': axis {1} is {2}, but {3} is {4} (from {5})",
                       path, number, extent, axis.symbol, entry->second,
                       origins[axis.symbol]);
    if (isNew)
      origins[axis.symbol] =
          llvm::formatv("'{0}' axis {1}", path, number).str();
  }
  return Error::success();
}

Error WorkloadBuilder::readFiles() {
  for (const auto &[name, extent] : request.dims) {
    if (extent < 0)
      return makeError("option '--dim': {0} is {1}, an extent cannot be "
                       "negative",
                       name, extent);
    workload.dims[name] = extent;
    origins[name] = "option '--dim'";
  }
  // Other tensors say how many columns those of half bytes have.
  auto isHalves = [](const Parameter &parameter) {
    return parameter.dtype && isHalfByte(*parameter.dtype);
  };
  for (bool readsHalves : {false, true})
    for (auto [parameter, array] :
         llvm::zip(signature.parameters, workload.arrays))
      if (isHalves(parameter) == readsHalves)
        if (Error error = readFile(parameter, array))
          return error;
  return Error::success();
}

Error WorkloadBuilder::readFile(const Parameter &parameter, Array &array) {
  auto file = request.files.find(parameter.name);
  if (file == request.files.end())
    return Error::success();
  auto named = request.dtypes.find(parameter.name);
  std::optional<DType> wanted = parameter.dtype;
  if (!wanted && named != request.dtypes.end())
    wanted = named->second;
  Expected<Array> read = readNpy(file->second, wanted);
  if (!read)
    return read.takeError();
  array = std::move(*read);
  return checkFile(parameter, array);
}

Error WorkloadBuilder::takeDims() {
  std::vector<std::string> missing;
  for (const std::string &symbol : signature.getSymbols())
    if (!workload.dims.count(symbol))
      missing.push_back(symbol);
  if (missing.empty())
    return Error::success();
  auto options = llvm::map_range(missing, [](const std::string &symbol) {
    return "--dim " + symbol + "=SIZE";
  });
  return makeError("kernel '{0}' needs the size of {1}: {2}", signature.kernel,
                   llvm::join(missing, ", "), llvm::join(options, " "));
}

Expected<DType> WorkloadBuilder::getDType(const Parameter &parameter) const {
  auto given = request.dtypes.find(parameter.name);
  if (given == request.dtypes.end()) {
    if (parameter.dtype)
      return *parameter.dtype;
    return makeError("the type of parameter '{0}' is left open: say --dtype "
                     "{0}=FP32 or --in {0}=FILE",
                     parameter.name);
  }
  if (parameter.dtype && *parameter.dtype != given->second)
    return makeError("option '--dtype': parameter '{0}' is {1}, not {2}",
                     parameter.name, getName(*parameter.dtype),
                     getName(given->second));
  return given->second;
}

std::vector<int64_t> WorkloadBuilder::getNumbers() const {
  std::vector<int64_t> numbers;
  for (const Parameter &parameter : signature.parameters) {
    auto given = request.scalars.find(parameter.name);
    numbers.push_back(0);
    if (given != request.scalars.end())
      (void)llvm::to_integer(given->second, numbers.back(), 10);
  }
  return numbers;
}

Expected<std::vector<int64_t>>
WorkloadBuilder::getShape(const Parameter &parameter) const {
  auto given = request.shapes.find(parameter.name);
  if (!parameter.axes) {
    if (given != request.shapes.end())
      return given->second;
    return makeError("the shape of parameter '{0}' is left open: say --shape "
                     "{0}=4x5 or --in {0}=FILE",
                     parameter.name);
  }
  if (given != request.shapes.end())
    return makeError("option '--shape': parameter '{0}' is {1}; use --dim",
                     parameter.name, formatAxes(*parameter.axes));
  std::vector<int64_t> shape;
  for (auto [number, axis] : llvm::enumerate(*parameter.axes)) {
    if (!axis.expression) {
      shape.push_back(axis.extent ? *axis.extent
                                  : workload.dims.at(axis.symbol));
      continue;
    }
    std::vector<int64_t> sizes;
    for (const std::string &name : axis.expression->names)
      sizes.push_back(workload.dims.at(name));
    shape.push_back(axis.expression->run(sizes.data(), getNumbers().data()));
    if (shape.back() < 0)
      return makeError("argument '{0}': axis {1} is {2}, which comes to {3}; "
                       "an extent cannot be negative",
                       parameter.name, number, axis.symbol, shape.back());
  }
  return shape;
}

Error WorkloadBuilder::checkMemory() {
  double wanted = 0;
  for (auto [parameter, array] :
       llvm::zip(signature.parameters, workload.arrays)) {
    if (!isGivenAsTensor(parameter) || array.getBytes())
      continue;
    Expected<DType> dtype = getDType(parameter);
    if (!dtype)
      return dtype.takeError();
    Expected<std::vector<int64_t>> shape = getShape(parameter);
    if (!shape)
      return shape.takeError();
    double bytes = isHalfByte(*dtype) ? 0.5 : getSize(*dtype);
    // Loops run over an absurd extent even if another one is 0.
    for (int64_t extent : *shape)
      bytes *= static_cast<double>(std::max<int64_t>(1, extent));
    wanted += bytes;
  }
  double present = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                   static_cast<double>(sysconf(_SC_PAGESIZE));
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  // Half is left for copies, the compiler and everyone else.
  if (wanted > present / 2)
    return makeError("the arguments of kernel '{0}' need {1} GiB at these "
                     "sizes, half of this machine's memory is {2} GiB",
                     signature.kernel,
                     llvm::formatv("{0:F0}", std::ceil(wanted / gib)),
                     llvm::formatv("{0:F0}", std::floor(present / 2 / gib)));
  return Error::success();
}

Error WorkloadBuilder::addScalar(const Parameter &parameter) {
  auto given = request.scalars.find(parameter.name);
  if (given == request.scalars.end())
    return makeError("kernel '{0}' needs a number for '{1}': --scalar "
                     "{1}=VALUE",
                     signature.kernel, parameter.name);
  Argument number = 0;
  if (Problem problem = parseNumber(given->second, number))
    return makeError("option '--scalar': '{0}' of '{1}' {2}", given->second,
                     parameter.name, problem.getText());
  workload.arguments.push_back(number);
  return Error::success();
}

/// Tensors that lie one after the other, each in pages of its own.
Error WorkloadBuilder::addMadeUp(const Parameter &parameter, DType dtype,
                                 llvm::ArrayRef<int64_t> shape) {
  constexpr uint64_t page = 4096, end = uint64_t(1) << 47;
  uint64_t bytes = getSize(dtype);
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(bytes, uint64_t(extent), &bytes) ||
        bytes > end - nextAddress)
      return makeError("argument '{0}' of shape {1} is larger than any memory",
                       parameter.name, formatShape(shape));
  workload.arguments.push_back(
      TensorView(reinterpret_cast<void *>(nextAddress), dtype, shape));
  nextAddress += (bytes / page + 1) * page;
  return Error::success();
}

Error WorkloadBuilder::addArgument(unsigned index) {
  const Parameter &parameter = signature.parameters[index];
  if (!isGivenAsTensor(parameter))
    return addScalar(parameter);
  Array &array = workload.arrays[index];
  if (!array.getBytes()) {
    Expected<DType> dtype = getDType(parameter);
    if (!dtype)
      return dtype.takeError();
    Expected<std::vector<int64_t>> shape = getShape(parameter);
    if (!shape)
      return shape.takeError();
    if (memory == WorkloadMemory::MadeUp)
      return addMadeUp(parameter, *dtype, *shape);
    Expected<Array> fresh = Array::create(*shape, *dtype);
    if (!fresh)
      return fresh.takeError();
    array = std::move(*fresh);
    if (parameter.direction != Direction::Out)
      fillRandomly(array, request.seed * 1000 + index);
  }
  workload.arguments.push_back(array.getView());
  return Error::success();
}

Expected<Workload> tegula::makeWorkload(const Signature &signature,
                                        const WorkloadRequest &request,
                                        WorkloadMemory memory) {
  return WorkloadBuilder(signature, request, memory).build();
}
