// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/image/KernelImage.h"

#include "tegula/launch/KernelFields.h"

#include <algorithm>

using namespace tegula;

const ImageObject *KernelImage::find(std::string_view kind) const {
  auto found = std::find_if(
      objects.begin(), objects.end(),
      [&](const ImageObject &object) { return object.kind == kind; });
  return found == objects.end() ? nullptr : &*found;
}

std::string tegula::writeFacts(const KernelFacts &facts) {
  return toBytes(facts);
}

bool tegula::readFacts(std::string_view bytes, KernelFacts &facts) {
  facts = {};
  return fromBytes(bytes, facts) && !facts.signature.isOpen();
}

std::string tegula::writeImage(const KernelImage &image) {
  ByteWriter writer;
  writer.writeText(writeFacts(image.facts));
  const ImageObject *host = image.find(hostCode);
  writer.writeNumber(image.objects.size() - (host ? 1 : 0));
  for (const ImageObject &object : image.objects) {
    if (&object == host)
      continue;
    writer.writeText(object.kind);
    writer.writeText(object.bytes);
  }
  return std::move(writer.content);
}

bool tegula::readImage(std::string_view bytes, KernelImage &image) {
  image = {};
  ByteReader reader(bytes);
  std::string facts = reader.readText();
  uint64_t count = reader.readCount();
  for (uint64_t index = 0; index < count; ++index) {
    ImageObject &object = image.objects.emplace_back();
    object.kind = reader.readText();
    object.bytes = reader.readText();
  }
  return reader.isGood() && reader.isAtEnd() && readFacts(facts, image.facts);
}
