// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever stands in a file, there is a module or an error, and nothing else.
#include "test/frontend/KernelSource.h"

using namespace tegula;

static const char *const file = R"(import tegula.language as pl
M = pl.dynamic("M")
T = 8
@pl.jit.inline
def scale(t, s: pl.FP32 = 2.0):
    if T > 4:
        return t * s
    return t
@pl.jit
def k(x: pl.Tensor[[M, 16], pl.FP32], n: pl.INDEX, out: pl.Out[pl.Tensor[[M, 16], pl.FP32]]):
    s, count = 0.0, 0
    for i in range(0, M, T):
        t = x[i:i + T, :]
        if n > 3 and i < n:
            s += pl.row_sum(t)[0, 0]
            continue
        elif count == 7:
            break
        with pl.at(level=pl.Level.CORE_GROUP):
            e = pl.exp(t - pl.row_max(t))
            out[i:i + T] = scale(e / pl.row_sum(e), s=s)
        count += 1
    while count > 0:
        count -= 1
        out[count, -1] = s if count % 2 == 0 else -s
    out[:] = scale(out)
)";

/// Generates each text; all that is asked is that it ends properly.
static void expectNoCrash(const std::vector<std::string> &texts) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (const std::string &text : texts) {
    DiagnosticPrinter printer(context);
    auto module = generateModule(context, text, "f.py", "");
    EXPECT_NE(static_cast<bool>(module), printer.hasErrors()) << text;
  }
}

TEST(HostileSources, EveryBeginningOfAFile) {
  std::string text = file;
  std::vector<std::string> texts;
  for (size_t end = 1; end <= text.size(); ++end)
    if (!isalnum(text[end - 1]))
      texts.push_back(text.substr(0, end));
  expectNoCrash(texts);
}

TEST(HostileSources, EveryLineLeftOut) {
  std::string text = file;
  std::vector<std::string> texts;
  for (size_t start = 0; start < text.size();) {
    size_t end = text.find('\n', start) + 1;
    texts.push_back(text.substr(0, start) + text.substr(end));
    start = end;
  }
  expectNoCrash(texts);
}

TEST(HostileSources, EveryWordReplaced) {
  std::string text = file;
  std::vector<std::string> texts;
  const char *const words[] = {"None", "x", "out", "M", "1.5", "pl", "(x, 1)"};
  for (size_t start = 0, count = 0; start < text.size(); ++start) {
    if (!isalnum(text[start]) || (start > 0 && isalnum(text[start - 1])))
      continue;
    size_t end = start;
    while (isalnum(text[end]))
      ++end;
    texts.push_back(text.substr(0, start) + words[count++ % 7] +
                    text.substr(end));
  }
  expectNoCrash(texts);
}

TEST(HostileSources, TooManyEarlyExitsAreRefused) {
  std::string body = "    for i in range(M):\n";
  for (int i = 0; i < 24; ++i)
    body += "        if x[i, 0] > 0.0:\n            if x[i, 1] > 0.0:\n"
            "                continue\n            out[i] = x[i]\n";
  EXPECT_NE(diagnose(body, "k").find("the function is too large"),
            std::string::npos);
}
