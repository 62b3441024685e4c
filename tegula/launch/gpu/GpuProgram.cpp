// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuProgram.h"

#include "tegula/launch/ByteStream.h"

using namespace tegula;

std::string GpuProgram::write() const {
  ByteWriter writer;
  writer.writeText(name);
  writer.writeText(symbol);
  writer.writeNumber(numSlots);
  writer.writeNumber(threads);
  writer.writeNumber(sharedBytes);
  writer.writeNumber(hasMeetings);
  writer.writeNumber(tensors.size());
  for (const GpuTensor &tensor : tensors) {
    writer.writeNumber(tensor.slot);
    writer.writeNumber(tensor.rank);
    writer.writeNumber(tensor.elementBits);
    writer.writeNumber(tensor.isRead);
    writer.writeNumber(tensor.isWritten);
  }
  writer.writeNumber(codes.size());
  for (const GpuCode &code : codes) {
    writer.writeText(code.chip);
    writer.writeText(code.bytes);
  }
  return std::move(writer.content);
}

bool GpuProgram::read(std::string_view bytes) {
  ByteReader reader(bytes);
  name = reader.readText();
  symbol = reader.readText();
  numSlots = reader.readNumber();
  threads = reader.readNumber();
  sharedBytes = reader.readNumber();
  hasMeetings = reader.readNumber();
  tensors.resize(reader.readCount());
  for (GpuTensor &tensor : tensors) {
    tensor.slot = reader.readNumber();
    tensor.rank = reader.readNumber();
    tensor.elementBits = reader.readNumber();
    tensor.isRead = reader.readNumber();
    tensor.isWritten = reader.readNumber();
  }
  codes.resize(reader.readCount());
  for (GpuCode &code : codes) {
    code.chip = reader.readText();
    code.bytes = reader.readText();
  }
  return reader.isGood() && reader.isAtEnd();
}
