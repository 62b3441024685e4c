// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/loops/LoopRange.h"
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/extents/IterationCount.h"
#include "tegula/ir/ops/PlRequireOps.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

/// `stage=` of a pipeline: how many iterations overlap, where they can. 0 if it
/// is wrong.
static int64_t readStage(Emitter &emitter, const CallArgument &argument) {
  std::optional<int64_t> stage = argument.object.asInteger();
  if (argument.object.is<IntObject>() && *stage > 0)
    return *stage;
  emitter.fail(argument.loc, "the stage of pipeline() must be a positive "
                             "integer known at compile time, got " +
                                 describe(argument.object));
  return 0;
}

/// `independent=` of a parallel loop; nothing if it is wrong.
static std::optional<bool> readIndependent(Emitter &emitter,
                                           const CallArgument &argument) {
  if (const auto *flag = argument.object.as<BoolObject>())
    return flag->value;
  emitter.fail(argument.loc, "parallel() takes True or False for "
                             "'independent', got " +
                                 describe(argument.object));
  return std::nullopt;
}

/// `chunk=`, `chunk_policy=`, `unroll=` and `attrs=`: how a loop might be cut
/// or copied, which changes no result and which no target uses. Nothing if it
/// is no such hint, false if it is wrong.
static std::optional<bool> checkHint(Emitter &emitter, StringRef name,
                                     StringRef keyword,
                                     const CallArgument &argument) {
  const Object &object = argument.object;
  if (keyword == "chunk_policy") {
    if (!object.is<StringObject>())
      emitter.fail(argument.loc, "'chunk_policy' of " + name +
                                     "() takes a string, got " +
                                     describe(object));
    return object.is<StringObject>();
  }
  if (keyword == "attrs") {
    if (!object.is<DictObject>())
      emitter.fail(argument.loc, "'attrs' of " + name +
                                     "() takes a dict, got " +
                                     describe(object));
    return object.is<DictObject>();
  }
  if (keyword != "chunk" && keyword != "unroll")
    return std::nullopt;
  bool isRight = object.is<IntObject>() && *object.asInteger() > 0;
  if (!isRight)
    emitter.fail(argument.loc, "'" + keyword + "' of " + name +
                                   "() must be a positive integer known at "
                                   "compile time, got " +
                                   describe(object));
  return isRight;
}

/// Reads the keyword arguments: hints, the stages of a pipeline, and what an
/// author knows of a parallel loop.
static bool readKeywords(Emitter &emitter, const CallArguments &arguments,
                         Construct construct, StringRef name,
                         LoopRange &range) {
  bool hasChunk = false, hasUnroll = false;
  for (const auto &[keyword, argument] : arguments.keywords) {
    hasChunk |= keyword == "chunk";
    hasUnroll |= keyword == "unroll";
    if (hasChunk && hasUnroll) {
      emitter.fail(argument.loc,
                   name + "() takes 'chunk' or 'unroll', not both");
      return false;
    }
    if (construct == Construct::Parallel && keyword == "independent") {
      std::optional<bool> flag = readIndependent(emitter, argument);
      if (!flag)
        return false;
      range.isIndependent = *flag;
      continue;
    }
    if (std::optional<bool> isRight =
            checkHint(emitter, name, keyword, argument)) {
      if (!*isRight)
        return false;
      continue;
    }
    if (construct != Construct::Pipeline || keyword != "stage") {
      emitter.fail(argument.loc, name +
                                     "() got an unexpected keyword argument '" +
                                     keyword + "'");
      return false;
    }
    range.stages = readStage(emitter, argument);
    if (range.stages == 0)
      return false;
  }
  return true;
}

/// A bound, which is an integer or an integer scalar.
static Object readBound(Emitter &emitter, const CallArgument &argument,
                        StringRef name) {
  Value scalar = argument.object.asScalar();
  bool isInteger = argument.object.is<IntObject>() ||
                   (scalar && !pl::isFloat(scalar.getType()) &&
                    !pl::isBool(scalar.getType()));
  if (argument.object.isPoison() || isInteger)
    return argument.object;
  return emitter.fail(argument.loc, name + "() takes integers, got " +
                                        describe(argument.object));
}

std::optional<LoopRange> tegula::readRange(Emitter &emitter,
                                           const CallArguments &arguments,
                                           Construct construct,
                                           StringRef name) {
  LoopRange range;
  if (!readKeywords(emitter, arguments, construct, name, range))
    return std::nullopt;
  llvm::ArrayRef<CallArgument> given = arguments.positional;
  if (given.empty() || given.size() > 3) {
    emitter.fail(arguments.loc, name + "() takes 1 to 3 arguments, got " +
                                    llvm::Twine(given.size()));
    return std::nullopt;
  }
  if (given.size() > 1)
    range.start = readBound(emitter, given[0], name);
  range.stop = readBound(emitter, given[given.size() == 1 ? 0 : 1], name);
  if (given.size() == 3)
    range.step = readBound(emitter, given[2], name);
  if (range.start.isPoison() || range.stop.isPoison() || range.step.isPoison())
    return std::nullopt;
  range.constantStep = range.step.asInteger();
  if (range.constantStep == 0) {
    emitter.fail(given[2].loc, "the step of " + name + "() must not be zero");
    return std::nullopt;
  }
  return range;
}

/// ceil((stop - start) / step), at least 0, for a negative step. The bounds are
/// sizes first: in their own type the difference might not fit.
static Value countIterations(Emitter &emitter, const LoopRange &range,
                             Location loc) {
  Value start = emitter.scalars.toIndex(loc, range.start, "the start");
  Value stop = emitter.scalars.toIndex(loc, range.stop, "the end");
  if (!start || !stop)
    return {};
  int64_t step = -*range.constantStep;
  if (pl::mayPassGreatest(stop, start, emitter.scalars.index(step)))
    return pl::buildIterationCount(emitter.builder, loc, stop, start,
                                   emitter.scalars.index(step));
  Value distance =
      emitter.scalars.indexBinary(loc, ast::BinaryOp::Sub, start, stop);
  Value rounded = emitter.scalars.indexBinary(loc, ast::BinaryOp::Add, distance,
                                              emitter.scalars.index(step - 1));
  Value count = emitter.scalars.indexBinary(
      loc, ast::BinaryOp::FloorDiv, rounded, emitter.scalars.index(step));
  return emitter.scalars.indexExtreme(loc, /*isMax=*/true, count,
                                      emitter.scalars.index(0));
}

Object tegula::loopVariable(Emitter &emitter, StringRef name,
                            const LoopRange &range, Value counter,
                            Location loc) {
  nameValue(counter, name);
  if (range.isUp())
    return Object(counter);
  Value offset =
      emitter.scalars.indexBinary(loc, ast::BinaryOp::Mul, counter,
                                  emitter.scalars.index(*range.constantStep));
  Value start = emitter.scalars.toIndex(loc, range.start, "the start");
  return Object(
      emitter.scalars.indexBinary(loc, ast::BinaryOp::Add, start, offset));
}

bool LoopBounds::isEmpty() const {
  std::optional<int64_t> first = mlir::getConstantIntValue(lower);
  std::optional<int64_t> end = mlir::getConstantIntValue(upper);
  return first && end && *first >= *end;
}

LoopBounds tegula::boundsOf(Emitter &emitter, const LoopRange &range,
                            Location loc) {
  if (!range.isUp())
    return {emitter.scalars.index(0), countIterations(emitter, range, loc),
            emitter.scalars.index(1)};
  LoopBounds bounds{emitter.scalars.toIndex(loc, range.start, "the start"),
                    emitter.scalars.toIndex(loc, range.stop, "the end"),
                    emitter.scalars.toIndex(loc, range.step, "the step")};
  if (range.constantStep || !bounds)
    return bounds;
  bounds.upper = pl::CheckStepOp::create(emitter.builder, loc, bounds.step,
                                         bounds.lower, bounds.upper);
  bounds.step = emitter.scalars.indexExtreme(loc, /*isMax=*/true, bounds.step,
                                             emitter.scalars.index(1));
  return bounds;
}
