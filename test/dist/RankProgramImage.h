// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// RankProgram.cpp as a compiled kernel.

#ifndef TEGULA_TEST_DIST_RANKPROGRAMIMAGE_H
#define TEGULA_TEST_DIST_RANKPROGRAMIMAGE_H

#include "tegula/launch/image/KernelImage.h"

#include <fstream>
#include <sstream>

namespace tegula {

/// `f(x: InOut[Tensor[[M], INT64]], mode: Scalar[INDEX])`
inline KernelImage makeRankProgram() {
  Parameter x;
  x.name = "x";
  x.direction = Direction::InOut;
  x.dtype = DType::Int64;
  x.axes = {{std::nullopt, "M", std::nullopt}};
  Parameter mode;
  mode.name = "mode";
  mode.kind = Parameter::Kind::Scalar;
  mode.dtype = DType::Index;
  KernelImage image;
  image.facts.signature = {"f", {x, mode}};
  image.facts.entry = "tegulaTestProgram";
  image.facts.sites = {"f.py:1:1"};
  std::ifstream file(TEGULA_RANK_PROGRAM, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  image.objects.push_back({hostCode, bytes.str()});
  return image;
}

} // namespace tegula

#endif // TEGULA_TEST_DIST_RANKPROGRAMIMAGE_H
