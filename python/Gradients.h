// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tensors whose library notes what becomes of them, for gradients. It does not
/// see what a kernel does with them.

#ifndef PYTHON_GRADIENTS_H
#define PYTHON_GRADIENTS_H

#include "python/TypeReader.h"

namespace tegula {

/// How objects of a type say that they require gradients, or null.
const PyGetSetDef *findRequiresGrad(PyTypeObject *type);

/// Whether a gradient would be lost if a kernel took the object, whose type
/// has a `requiresGrad`. Leaves no Python exception.
bool wantsGradient(PyObject *object, const PyGetSetDef &requiresGrad);

/// Where PyTorch keeps what it knows of a tensor's gradient. To ask a tensor
/// takes a third of the time of reading it, and nearly all have nothing there.
class GradientSlot {
public:
  /// Finds it by comparing tensors with others that require gradients. It has
  /// to be the same in all of them.
  static void find(const dlpack::ExchangeApi &api);

  /// True if the tensor requires no gradients; false if it has to be asked.
  static bool isEmpty(const dlpack::Tensor &tensor) {
    return distance > 0 && isInline(tensor) && tensor.shape[-distance] == 0;
  }

private:
  /// Sizes and strides of up to 5 axes are in the tensor's own record.
  static bool isInline(const dlpack::Tensor &tensor) {
    return tensor.strides == tensor.shape + 5;
  }

  /// How many words before the sizes, or 0 while it is not known.
  inline static int distance = 0;
};

} // namespace tegula

#endif // PYTHON_GRADIENTS_H
