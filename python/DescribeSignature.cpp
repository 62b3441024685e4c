// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/DescribeSignature.h"

#include "tegula/support/Format.h"
#include "tegula/support/PackedBytes.h"

#include <cstring>
#include <map>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace tegula;

static const char *nameOf(Parameter::Kind kind) {
  return kind == Parameter::Kind::Tensor   ? "tensor"
         : kind == Parameter::Kind::Scalar ? "scalar"
                                           : "open";
}

static const char *nameOf(Direction direction) {
  return direction == Direction::In    ? "in"
         : direction == Direction::Out ? "out"
                                       : "inout";
}

static nb::object describeAxes(const Parameter &parameter) {
  if (!parameter.axes)
    return nb::none();
  nb::list axes;
  for (const Axis &axis : *parameter.axes)
    if (axis.extent)
      axes.append(*axis.extent);
    else
      axes.append(axis.symbol);
  return axes;
}

static nb::object describeConstant(const Parameter &parameter) {
  if (!parameter.constant)
    return nb::none();
  if (!parameter.dtype || !isFloat(*parameter.dtype))
    return nb::int_(static_cast<int64_t>(*parameter.constant));
  double value;
  std::memcpy(&value, &*parameter.constant, sizeof(value));
  return nb::float_(value);
}

nb::dict tegula::describeSignature(const Signature &signature) {
  nb::list parameters, results, requirements;
  for (const Parameter &parameter : signature.parameters) {
    nb::dict described;
    described["name"] = parameter.name;
    described["kind"] = nameOf(parameter.kind);
    described["direction"] = nameOf(parameter.direction);
    described["dtype"] =
        parameter.dtype
            ? nb::object(nb::str(getName(*parameter.dtype).str().c_str()))
            : nb::none();
    described["axes"] = describeAxes(parameter);
    described["constant"] = describeConstant(parameter);
    described["reason"] = parameter.reason;
    parameters.append(described);
  }
  for (unsigned result : signature.results)
    results.append(result);
  for (const SizeRequirement &requirement : signature.requirements)
    requirements.append(requirement.text);
  nb::dict described;
  described["kernel"] = signature.kernel;
  described["text"] = signature.format();
  described["parameters"] = parameters;
  described["results"] = results;
  described["requirements"] = requirements;
  return described;
}

/// True for bytes that hold 4-bit elements: they say least about the number of
/// columns.
static bool isPacked(const Parameter &parameter, const TensorView *view) {
  return view && parameter.dtype && isHalfByte(*parameter.dtype) &&
         isPlainByte(view->dtype);
}

/// The sizes of the symbols that the given tensors bind.
static std::map<std::string, int64_t>
bindSymbols(const Signature &declared,
            const std::vector<const TensorView *> &given) {
  std::map<std::string, int64_t> sizes;
  for (bool bindsPacked : {false, true})
    for (size_t index = 0; index < given.size(); ++index) {
      const auto &axes = declared.parameters[index].axes;
      bool isBytes = isPacked(declared.parameters[index], given[index]);
      if (isBytes != bindsPacked || !given[index] || !axes ||
          axes->size() != given[index]->rank)
        continue;
      for (size_t axis = 0; axis < axes->size(); ++axis) {
        int64_t size = given[index]->sizes[axis];
        if (isBytes && axis + 1 == axes->size())
          size = twice(size);
        if (!(*axes)[axis].extent)
          sizes.emplace((*axes)[axis].symbol, size);
      }
    }
  return sizes;
}

/// The size of a symbol that makes `program`, a line in it, come to `extent`;
/// nothing if there is no such size, or more than one. The call checks it.
template <typename Run>
static std::optional<int64_t> solve(Run program, int64_t extent) {
  int64_t start = program(0), slope = program(1) - start;
  if (slope == 0 || (extent - start) % slope != 0)
    return std::nullopt;
  int64_t size = (extent - start) / slope;
  bool isOnly = size >= 0 && program(size) == extent &&
                program(size + 1) != extent &&
                (size == 0 || program(size - 1) != extent);
  return isOnly ? std::optional<int64_t>(size) : std::nullopt;
}

/// Binds symbols that stand in expressions such as 2 * M + 1 only.
static void solveSymbols(const Signature &declared,
                         const std::vector<const TensorView *> &given,
                         const std::vector<int64_t> &numbers,
                         std::map<std::string, int64_t> &sizes) {
  auto visit = [&](const Axis &axis, int64_t extent) {
    std::vector<int64_t> values;
    std::optional<size_t> unknown;
    for (const std::string &name : axis.expression->names) {
      auto size = sizes.find(name);
      if (size == sizes.end()) {
        // One equation has one unknown.
        if (unknown)
          return false;
        unknown = values.size();
      }
      values.push_back(size == sizes.end() ? 0 : size->second);
    }
    if (!unknown)
      return false;
    auto run = [&](int64_t size) {
      values[*unknown] = size;
      return axis.expression->run(values.data(), numbers.data());
    };
    std::optional<int64_t> size = solve(run, extent);
    return size &&
           sizes.emplace(axis.expression->names[*unknown], *size).second;
  };
  for (bool hasMore = true; hasMore;) {
    hasMore = false;
    for (size_t index = 0; index < given.size(); ++index) {
      const auto &axes = declared.parameters[index].axes;
      if (!given[index] || !axes || axes->size() != given[index]->rank ||
          isPacked(declared.parameters[index], given[index]))
        continue;
      for (size_t axis = 0; axis < axes->size(); ++axis)
        if ((*axes)[axis].expression)
          hasMore |= visit((*axes)[axis], given[index]->sizes[axis]);
    }
  }
}

/// The extent of `axis`; nothing if a symbol is not bound.
static std::optional<int64_t>
extentOf(const Axis &axis, const std::map<std::string, int64_t> &sizes,
         const std::vector<int64_t> &numbers) {
  if (axis.extent)
    return axis.extent;
  auto found = sizes.find(axis.symbol);
  if (found != sizes.end())
    return found->second;
  if (!axis.expression)
    return std::nullopt;
  std::vector<int64_t> values;
  for (const std::string &name : axis.expression->names) {
    auto size = sizes.find(name);
    if (size == sizes.end())
      return std::nullopt;
    values.push_back(size->second);
  }
  return axis.expression->run(values.data(), numbers.data());
}

/// Why the size of an axis of `output` is not known: an argument that would say
/// it is no tensor or has another rank, or there is none.
static Problem explainMissing(const Signature &declared,
                              const std::vector<const TensorView *> &given,
                              const Parameter &output, const Axis &missing) {
  for (size_t index = 0; index < given.size(); ++index) {
    const Parameter &parameter = declared.parameters[index];
    const TensorView *view = given[index];
    if (!parameter.isTensor() || !parameter.axes ||
        (!view && parameter.direction == Direction::Out))
      continue;
    if (!view)
      return makeCallProblem("argument '{0}': a tensor {1} is wanted, got a "
                             "number",
                             parameter.name, formatAxes(*parameter.axes));
    if (view->rank != parameter.axes->size())
      return makeCallProblem("argument '{0}': shape {1} is wanted, got {2}",
                             parameter.name, formatAxes(*parameter.axes),
                             formatShape(view->getSizes()));
  }
  return makeCallProblem("argument '{0}' is left out, but no other argument "
                         "says how large {1} is",
                         output.name, missing.symbol);
}

Problem tegula::inferShapes(const Signature &declared,
                            const std::vector<const TensorView *> &given,
                            const std::vector<int64_t> &numbers,
                            nb::list &outputs) {
  std::map<std::string, int64_t> sizes = bindSymbols(declared, given);
  solveSymbols(declared, given, numbers, sizes);
  for (size_t index = 0; index < given.size(); ++index) {
    const Parameter &parameter = declared.parameters[index];
    if (given[index] || parameter.direction != Direction::Out) {
      outputs.append(nb::none());
      continue;
    }
    if (!parameter.isTensor() || !parameter.axes || !parameter.dtype)
      return makeCallProblem(
          "argument '{0}' is left out, but its annotation does not say what "
          "to allocate; declare its shape and element type, or pass a tensor",
          parameter.name);
    nb::list shape;
    for (const Axis &axis : *parameter.axes) {
      std::optional<int64_t> extent = extentOf(axis, sizes, numbers);
      if (!extent)
        return explainMissing(declared, given, parameter, axis);
      if (*extent < 0)
        return makeCallProblem("argument '{0}': {1} comes to {2}; an extent "
                               "cannot be negative",
                               parameter.name, axis.symbol, *extent);
      shape.append(*extent);
    }
    outputs.append(nb::make_tuple(
        nb::str(getName(*parameter.dtype).str().c_str()), nb::tuple(shape)));
  }
  return {};
}
