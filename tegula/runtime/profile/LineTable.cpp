// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/profile/LineTable.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"

using namespace tegula;

struct LineTable::Parts {
  std::unique_ptr<llvm::object::ObjectFile> file;
  std::unique_ptr<llvm::DWARFContext> information;
};

LineTable::LineTable(std::unique_ptr<Parts> parts) : parts(std::move(parts)) {}
LineTable::~LineTable() = default;

Expected<std::unique_ptr<LineTable>> LineTable::read(llvm::StringRef bytes) {
  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(bytes, "kernel"));
  if (!file)
    return file.takeError();
  auto parts = std::make_unique<Parts>();
  parts->file = std::move(*file);
  parts->information = llvm::DWARFContext::create(*parts->file);
  return std::unique_ptr<LineTable>(new LineTable(std::move(parts)));
}

std::vector<SourceLocation> LineTable::find(uint64_t offset) const {
  llvm::DILineInfoSpecifier specifier(
      llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath);
  llvm::DIInliningInfo frames = parts->information->getInliningInfoForAddress(
      {offset, llvm::object::SectionedAddress::UndefSection}, specifier);
  std::vector<SourceLocation> locations;
  for (uint32_t number = 0; number < frames.getNumberOfFrames(); ++number) {
    const llvm::DILineInfo &frame = frames.getFrame(number);
    if (frame.Line != 0)
      locations.push_back({frame.FileName, frame.Line, frame.Column});
  }
  return locations;
}
