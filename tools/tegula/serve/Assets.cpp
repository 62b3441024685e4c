// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/serve/Assets.h"

using namespace tegula;
using llvm::StringRef;

static constexpr unsigned char pageHtml[] = {
#include "tools/playground/page.html.inc"
};
static constexpr unsigned char pageCss[] = {
#include "tools/playground/page.css.inc"
};
static constexpr unsigned char pageJs[] = {
#include "tools/playground/page.js.inc"
};
static constexpr unsigned char assistJs[] = {
#include "tools/playground/assist.js.inc"
};
static constexpr unsigned char softmax[] = {
#include "tools/playground/softmax.py.inc"
};
static constexpr unsigned char softmaxTiles[] = {
#include "tools/playground/softmax_tiles.py.inc"
};
static constexpr unsigned char gemm[] = {
#include "tools/playground/gemm.py.inc"
};
static constexpr unsigned char layerNorm[] = {
#include "tools/playground/layer_norm.py.inc"
};
static constexpr unsigned char flashAttention[] = {
#include "tools/playground/flash_attention.py.inc"
};

template <size_t size>
static StringRef textOf(const unsigned char (&bytes)[size]) {
  return {reinterpret_cast<const char *>(bytes), size};
}

llvm::ArrayRef<Asset> tegula::listAssets() {
  static const Asset assets[] = {
      {"", "text/html; charset=utf-8", textOf(pageHtml)},
      {"page.css", "text/css; charset=utf-8", textOf(pageCss)},
      {"page.js", "text/javascript; charset=utf-8", textOf(pageJs)},
      {"assist.js", "text/javascript; charset=utf-8", textOf(assistJs)}};
  return assets;
}

llvm::ArrayRef<Example> tegula::listExamples() {
  static const Example examples[] = {
      {"softmax", textOf(softmax), "M=1000 N=256", ""},
      {"softmax, by tiles", textOf(softmaxTiles), "M=1000 N=256", ""},
      {"matmul", textOf(gemm), "M=128 N=100 K=64", ""},
      {"layer norm", textOf(layerNorm), "M=100 N=256", ""},
      {"flash attention", textOf(flashAttention), "H=2 SQ=65 SK=70",
       "scale=0.125"}};
  return examples;
}
