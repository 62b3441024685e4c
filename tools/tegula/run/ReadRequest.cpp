// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/sim/Workload.h"

#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using llvm::StringRef;

std::vector<OptionSpec> tegula::getWorkloadOptions() {
  return {
      {"dim", "NAME=SIZE", "the size of a dynamic dimension", true},
      {"in", "NAME=FILE.npy", "take this tensor from a file", true},
      {"scalar", "NAME=VALUE", "the value of a scalar parameter", true},
      {"dtype", "NAME=DTYPE", "the element type, if the kernel leaves it open",
       true},
      {"shape", "NAME=4x5", "the shape, if the kernel leaves it open", true},
      {"seed", "NUMBER", "start of the random data (0)"},
  };
}

/// Reads "4x5" or "4,5"; an empty text is no shape.
static std::optional<std::vector<int64_t>> parseShape(StringRef text) {
  std::vector<int64_t> shape;
  for (StringRef part : llvm::split(text, text.contains(',') ? "," : "x")) {
    int64_t extent;
    if (part.getAsInteger(10, extent) || extent < 0)
      return std::nullopt;
    shape.push_back(extent);
  }
  if (shape.size() > TensorView::maxRank)
    return std::nullopt;
  return shape;
}

static Error readDims(const CommandLine &line, WorkloadRequest &request) {
  Expected<std::vector<Assignment>> dims = line.getAssignments("dim");
  if (!dims)
    return dims.takeError();
  for (const auto &[name, value] : *dims) {
    int64_t extent;
    if (StringRef(value).getAsInteger(10, extent))
      return makeError("option '--dim': '{0}' of {1} is not a whole number "
                       "below 2^63",
                       value, name);
    request.dims[name] = extent;
  }
  return Error::success();
}

static Error readOpenTypes(const CommandLine &line, WorkloadRequest &request) {
  Expected<std::vector<Assignment>> dtypes = line.getAssignments("dtype");
  if (!dtypes)
    return dtypes.takeError();
  for (const auto &[name, value] : *dtypes) {
    std::optional<DType> dtype = parseDType(value);
    if (!dtype || *dtype == DType::Index)
      return makeError("option '--dtype': '{0}' of '{1}' is not a type; the "
                       "types are {2}",
                       value, name, listDTypeNames());
    request.dtypes[name] = *dtype;
  }
  Expected<std::vector<Assignment>> shapes = line.getAssignments("shape");
  if (!shapes)
    return shapes.takeError();
  for (const auto &[name, value] : *shapes) {
    std::optional<std::vector<int64_t>> shape = parseShape(value);
    if (!shape)
      return makeError("option '--shape': '{0}' of '{1}' is not a shape; write "
                       "{1}=4x5",
                       value, name);
    request.shapes[name] = std::move(*shape);
  }
  return Error::success();
}

Expected<WorkloadRequest> tegula::readRequest(const CommandLine &line) {
  Expected<WorkloadRequest> request = readRequestWithoutDims(line);
  if (!request)
    return request.takeError();
  if (Error error = readDims(line, *request))
    return error;
  return request;
}

Expected<WorkloadRequest>
tegula::readRequestWithoutDims(const CommandLine &line) {
  WorkloadRequest request;
  if (Error error = readOpenTypes(line, request))
    return error;
  Expected<std::vector<Assignment>> files = line.getAssignments("in");
  if (!files)
    return files.takeError();
  for (const auto &[name, value] : *files)
    request.files[name] = value;
  Expected<std::vector<Assignment>> scalars = line.getAssignments("scalar");
  if (!scalars)
    return scalars.takeError();
  for (const auto &[name, value] : *scalars)
    request.scalars[name] = value;
  Expected<uint64_t> seed = line.getNumber("seed", 0, 0, UINT32_MAX);
  if (!seed)
    return seed.takeError();
  request.seed = *seed;
  return request;
}
