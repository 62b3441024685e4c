// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of torch's. Archives name the places of their files, which mutations
// move; so a text in which lines with "=== " name files is made an archive.
#include "test/fuzz/Inputs.h"

#include "tegula/runtime/ModelKernel.h"
#include "tegula/torch/Model.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tegula;
using llvm::StringRef;

namespace {

/// Writes an archive without compression.
class ArchiveWriter {
public:
  void add(StringRef name, StringRef content) {
    uint32_t header = archive.size();
    appendHeader(archive, "PK\3\4", name, content);
    append16(archive, 0);
    archive += name;
    archive += content;
    appendHeader(folder, StringRef("PK\1\2\0\0", 6), name, content);
    append16(folder, 0);
    folder.append(10, '\0');
    append32(folder, header);
    folder += name;
    ++count;
  }

  std::string finish() {
    uint32_t begin = archive.size();
    archive += folder;
    archive.append("PK\5\6\0\0\0\0", 8);
    append16(archive, count);
    append16(archive, count);
    append32(archive, folder.size());
    append32(archive, begin);
    append16(archive, 0);
    return std::move(archive);
  }

private:
  static void append16(std::string &bytes, uint16_t number) {
    char little[2];
    llvm::support::endian::write16le(little, number);
    bytes.append(little, sizeof(little));
  }
  static void append32(std::string &bytes, uint32_t number) {
    char little[4];
    llvm::support::endian::write32le(little, number);
    bytes.append(little, sizeof(little));
  }
  /// What both headers have in common, up to the length of the name.
  static void appendHeader(std::string &bytes, StringRef magic, StringRef name,
                           StringRef content) {
    bytes += magic;
    // Version, flags, method, time, date and checksum.
    bytes.append(14, '\0');
    append32(bytes, content.size());
    append32(bytes, content.size());
    append16(bytes, name.size());
  }

  std::string archive, folder;
  uint16_t count = 0;
};

} // namespace

static std::string packFiles(StringRef text) {
  ArchiveWriter writer;
  while (text.consume_front("=== ")) {
    auto [name, rest] = text.split('\n');
    size_t end = std::min(rest.find("\n=== "), rest.size());
    writer.add(("model/" + name).str(), rest.take_front(end));
    text = rest.drop_front(std::min(end + 1, rest.size()));
  }
  return writer.finish();
}

static void readModelFile(StringRef text) {
  std::string bytes = text.starts_with("=== ") ? packFiles(text) : text.str();
  auto kernel = readModelKernel(llvm::MemoryBuffer::getMemBuffer(
      bytes, "model.pt2", /*RequiresNullTerminator=*/false));
  if (!kernel)
    fuzz::expect(!llvm::toString(kernel.takeError()).empty(),
                 "the error says nothing");
}

static std::vector<std::string> listModelTokens() {
  return {"\"as_int\"",
          "\"as_tensor\"",
          "\"as_expr\"",
          "\"sizes\"",
          "\"strides\"",
          "\"dtype\"",
          "{}",
          "[]",
          "\"as_name\"",
          "\"as_ints\"",
          "null",
          "true",
          "\"as_sym_int\"",
          "\"as_none\"",
          "0",
          "-1",
          "7",
          "13",
          "99999999999",
          "9223372036854775807",
          "\"as_float\"",
          "\"expr_str\"",
          "Add",
          "Pow",
          "Integer(3)",
          "Symbol('s77')",
          "\"user_input\"",
          "\"parameter\"",
          "\"as_bool\"",
          "\"name\"",
          "aten.add.Tensor",
          "aten.view.default",
          "aten.mm.default",
          "aten.sum.dim_IntList",
          "aten.cat.default",
          "aten.permute.default"};
}

const fuzz::Input fuzz::model = {"model", readModelFile, listModelTokens};
