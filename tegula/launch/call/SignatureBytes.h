// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The fields of signatures, for FieldCodec.h.

#ifndef TEGULA_LAUNCH_CALL_SIGNATUREBYTES_H
#define TEGULA_LAUNCH_CALL_SIGNATUREBYTES_H

#include "tegula/launch/FieldCodec.h"
#include "tegula/launch/call/Signature.h"

namespace tegula {

template <> struct Enumerators<ExtentProgram::Op> {
  static constexpr size_t count =
      static_cast<size_t>(ExtentProgram::Op::Either) + 1;
};
template <> struct Enumerators<Parameter::Kind> {
  static constexpr size_t count =
      static_cast<size_t>(Parameter::Kind::Open) + 1;
};
template <> struct Enumerators<Direction> {
  static constexpr size_t count = static_cast<size_t>(Direction::InOut) + 1;
};
template <> struct Enumerators<DType> {
  static constexpr size_t count = static_cast<size_t>(DType::Index) + 1;
};

template <> struct Fields<ExtentProgram::Step> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("op", self.op);
    visit("number", self.number);
  }
};

template <> struct Fields<ExtentProgram> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("steps", self.steps);
    visit("names", self.names);
  }
  /// Every step finds what it needs: numbers before it, and names.
  static const char *findMistake(const ExtentProgram &program) {
    using Op = ExtentProgram::Op;
    unsigned depth = 0;
    for (const ExtentProgram::Step &step : program.steps) {
      bool hasName = static_cast<uint64_t>(step.number) < program.names.size();
      if (step.op == Op::Size && !hasName)
        return "a program has no such name";
      bool pushes = step.op == Op::Constant || step.op == Op::Size ||
                    step.op == Op::Scalar;
      if (!pushes && depth < 2)
        return "a program has too few numbers";
      depth = pushes ? depth + 1 : depth - 1;
    }
    if (depth != (program.steps.empty() ? 0 : 1))
      return "a program gives no number";
    return program.fits() ? nullptr : "a program needs too much room";
  }
};

template <> struct Fields<Axis> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("extent", self.extent);
    visit("symbol", self.symbol);
    visit("bound", self.bound);
    visit("expression", self.expression);
    visit("excludes_one", self.excludesOne);
  }
};

template <> struct Fields<Parameter> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("name", self.name);
    visit("kind", self.kind);
    visit("direction", self.direction);
    visit("dtype", self.dtype);
    visit("axes", self.axes);
    visit("constant", self.constant);
    visit("reason", self.reason);
  }
};

template <> struct Fields<SizeRequirement> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("condition", self.condition);
    visit("text", self.text);
    visit("location", self.location);
    visit("sizes", self.sizes);
    visit("parameter", self.parameter);
    visit("axis", self.axis);
  }
};

template <> struct Fields<Signature> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("kernel", self.kernel);
    visit("parameters", self.parameters);
    visit("requirements", self.requirements);
    visit("exact", self.exact);
    visit("results", self.results);
  }
  static const char *findMistake(const Signature &signature) {
    auto count = static_cast<int64_t>(signature.parameters.size());
    for (unsigned result : signature.results)
      if (result >= count)
        return "a result is no parameter";
    for (const SizeRequirement &requirement : signature.requirements) {
      if (requirement.parameter < 0)
        continue;
      if (requirement.parameter >= count)
        return "a requirement is of no parameter";
      const auto &axes = signature.parameters[requirement.parameter].axes;
      if (!axes || static_cast<uint64_t>(requirement.axis) >= axes->size())
        return "a requirement is of no axis";
    }
    return nullptr;
  }
};

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_SIGNATUREBYTES_H
