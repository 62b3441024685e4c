// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/PythonCalls.h"
#include "tegula/frontend/constants/ConstantFolding.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

Object tegula::callPython(Emitter &emitter, StringRef name,
                          const CallArguments &arguments) {
  Location loc = arguments.loc;
  std::vector<Object> objects;
  for (const CallArgument &argument : arguments.positional)
    objects.push_back(argument.object);
  if (!arguments.keywords.empty())
    return emitter.fail(loc,
                        name + "() takes no keyword arguments in a kernel");
  if (std::optional<Object> folded = foldCall(name, objects))
    return *folded;
  if (name.starts_with("math."))
    return emitter.fail(
        loc, name + "() takes numbers known at compile time; write pl." +
                 name.drop_front(5) + " for values");
  bool allScalar = llvm::all_of(objects, [](const Object &object) {
    return object.isNumber() || object.asScalar();
  });
  if ((name == "min" || name == "max") && objects.size() >= 2) {
    if (!allScalar)
      return emitter.fail(loc, name + "() takes scalars; use pl." +
                                   (name == "min" ? "minimum" : "maximum") +
                                   " for elements");
    Object result = objects.front();
    for (const Object &object : llvm::drop_begin(objects))
      result = emitter.extreme(loc, name == "max", result, object);
    return result;
  }
  if (name == "abs" && objects.size() == 1 && objects[0].asValue()) {
    if (Value scalar = objects[0].asScalar())
      if (scalar.getType().isIndex())
        return emitter.extreme(
            loc, true, objects[0],
            emitter.unary(loc, ast::UnaryOp::Minus, objects[0]));
    return emitter.elementwise(loc, "abs", objects);
  }
  if (name == "range")
    return emitter.fail(loc, "range() belongs in a 'for'");
  if (name == "print")
    return emitter.fail(loc,
                        "print() does not work in a kernel; write values to a "
                        "tensor");
  if (name == "int" || name == "float" || name == "bool")
    return emitter.fail(loc,
                        name + "() is for values known at compile time; write "
                               "pl.cast(x, dtype)");
  return emitter.fail(loc, name + "() cannot take these arguments in a kernel");
}
