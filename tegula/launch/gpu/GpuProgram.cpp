// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuProgram.h"

#include "tegula/launch/ByteStream.h"

using namespace tegula;

static void writeCodes(ByteWriter &writer, const std::vector<GpuCode> &codes) {
  writer.writeNumber(codes.size());
  for (const GpuCode &code : codes) {
    writer.writeText(code.chip);
    writer.writeText(code.bytes);
  }
}

static void readCodes(ByteReader &reader, std::vector<GpuCode> &codes) {
  codes.resize(reader.readCount());
  for (GpuCode &code : codes) {
    code.chip = reader.readText();
    code.bytes = reader.readText();
  }
}

std::string GpuProgram::write() const {
  ByteWriter writer;
  writer.writeText(name);
  writer.writeText(symbol);
  writer.writeNumber(numSlots);
  writer.writeNumber(usedSlots);
  writer.writeNumber(threads);
  writer.writeNumber(sharedBytes);
  writer.writeNumber(hasMeetings);
  writer.writeNumber(tensors.size());
  for (const GpuTensor &tensor : tensors) {
    writer.writeNumber(tensor.slot);
    writer.writeNumber(tensor.rank);
    writer.writeNumber(tensor.elementBits);
    writer.writeNumber(tensor.isWritten);
  }
  writeCodes(writer, codes);
  writer.writeNumber(product.has_value());
  if (product) {
    for (int64_t number :
         {product->left, product->right, product->target,
          int64_t(product->isLeftTurned), int64_t(product->isRightTurned),
          int64_t(product->isBf16), int64_t(product->isNarrow)})
      writer.writeNumber(number);
    writeCodes(writer, productCodes);
  }
  return std::move(writer.content);
}

bool GpuProgram::read(std::string_view bytes) {
  ByteReader reader(bytes);
  name = reader.readText();
  symbol = reader.readText();
  numSlots = reader.readNumber();
  usedSlots = reader.readNumber();
  threads = reader.readNumber();
  sharedBytes = reader.readNumber();
  hasMeetings = reader.readNumber();
  tensors.resize(reader.readCount());
  for (GpuTensor &tensor : tensors) {
    tensor.slot = reader.readNumber();
    tensor.rank = reader.readNumber();
    tensor.elementBits = reader.readNumber();
    tensor.isWritten = reader.readNumber();
  }
  readCodes(reader, codes);
  if (reader.readNumber() != 0) {
    GpuProduct &read = product.emplace();
    read.left = reader.readNumber();
    read.right = reader.readNumber();
    read.target = reader.readNumber();
    read.isLeftTurned = reader.readNumber();
    read.isRightTurned = reader.readNumber();
    read.isBf16 = reader.readNumber();
    read.isNarrow = reader.readNumber();
    readCodes(reader, productCodes);
  }
  return reader.isGood() && reader.isAtEnd();
}
