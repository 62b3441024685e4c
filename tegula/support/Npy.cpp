// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/Npy.h"

#include "tegula/support/File.h"
#include "tegula/support/PackedBytes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <unistd.h>

using namespace tegula;
using llvm::StringRef;

static constexpr llvm::StringLiteral magic("\x93NUMPY");
/// The largest file to read: a third of the memory, for the bytes, the array
/// and what is computed from it.
static uint64_t getMaxFileBytes() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 3;
}

/// The beginning of `text` for a message: bytes that are no text are escaped.
static std::string show(StringRef text) {
  std::string shown;
  llvm::raw_string_ostream(shown).write_escaped(text.take_front(40).rtrim(),
                                                /*UseHexEscapes=*/true);
  return shown;
}

namespace {

/// What the header of a file says.
struct Header {
  std::string descr;
  std::optional<bool> isFortranOrder;
  std::optional<llvm::SmallVector<int64_t, 4>> shape;
};

/// Reads the Python dictionary that a header is.
class HeaderReader {
public:
  explicit HeaderReader(StringRef text) : rest(text) {}

  Expected<Header> read() {
    Header header;
    if (!take("{"))
      return malformed();
    while (!take("}")) {
      std::string key;
      if (!takeString(key) || !take(":") || !readField(key, header))
        return malformed();
      take(",");
    }
    if (header.descr.empty() || !header.isFortranOrder || !header.shape)
      return malformed();
    return header;
  }

private:
  /// The rest is shown only so far that the message stays one line.
  Error malformed() const {
    return makeError("malformed header near '{0}'", show(rest.take_front(20)));
  }

  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }

  bool takeString(std::string &text) {
    rest = rest.ltrim();
    char quote = rest.empty() ? '\0' : rest.front();
    if (quote != '\'' && quote != '"')
      return false;
    size_t end = rest.find(quote, 1);
    if (end == StringRef::npos)
      return false;
    text = rest.slice(1, end).str();
    rest = rest.drop_front(end + 1);
    return true;
  }

  bool readField(StringRef key, Header &header) {
    if (key == "descr")
      return takeDescr(header.descr);
    if (key == "fortran_order") {
      header.isFortranOrder = take("True");
      return *header.isFortranOrder || take("False");
    }
    return key == "shape" && takeShape(header.shape.emplace());
  }

  /// A structured type is a list; its text is kept for the message.
  bool takeDescr(std::string &descr) {
    if (takeString(descr))
      return true;
    size_t end = rest.find(']');
    if (!rest.starts_with("[") || end == StringRef::npos)
      return false;
    descr = rest.take_front(end + 1).str();
    rest = rest.drop_front(end + 1);
    return true;
  }

  bool takeShape(llvm::SmallVectorImpl<int64_t> &shape) {
    if (!take("("))
      return false;
    while (!take(")")) {
      int64_t extent;
      rest = rest.ltrim();
      if (rest.consumeInteger(10, extent) || extent < 0)
        return false;
      take("L");
      shape.push_back(extent);
      if (!take(",") && !rest.ltrim().starts_with(")"))
        return false;
    }
    return true;
  }

  StringRef rest;
};

} // namespace

llvm::StringRef tegula::getNpyDescr(DType dtype) {
  switch (dtype) {
  case DType::Bool:
    return "|b1";
  case DType::Int8:
    return "|i1";
  case DType::Int16:
    return "<i2";
  case DType::Int32:
    return "<i4";
  case DType::Int64:
  case DType::Index:
    return "<i8";
  case DType::UInt8:
  case DType::Int4:
  case DType::UInt4:
    return "|u1";
  case DType::UInt16:
    return "<u2";
  case DType::UInt32:
    return "<u4";
  case DType::UInt64:
    return "<u8";
  case DType::FP16:
    return "<f2";
  case DType::BF16:
    return "<V2";
  case DType::FP32:
    return "<f4";
  case DType::FP64:
    return "<f8";
  case DType::FP8E4M3FN:
  case DType::FP8E5M2:
    return "|V1";
  }
  llvm_unreachable("every element type is handled");
}

/// True for the types whose bytes NumPy does not tell apart.
static bool isByteWithoutName(DType dtype) {
  return isHalfByte(dtype) || (isFloat(dtype) && getSize(dtype) == 1);
}

/// The type that a descr names.
static Expected<DType> parseDescr(StringRef descr,
                                  std::optional<DType> wanted) {
  StringRef code = descr;
  bool isBigEndian = code.consume_front(">");
  if (!isBigEndian && !code.consume_front("<") && !code.consume_front("|"))
    code.consume_front("=");
  if (code == "O" || code.starts_with("O8"))
    return makeError("the elements are Python objects (descr '{0}'), numbers "
                     "or booleans are wanted",
                     descr);
  if (code == "bfloat16")
    code = "V2";
  bool isByte = code == "V1" || code == "f1" || code == "i1" || code == "u1";
  bool isOtherFloat = wanted && isHalfByte(*wanted) && code == "f1";
  if (isByte && wanted && isByteWithoutName(*wanted) && !isOtherFloat)
    return *wanted;
  if (code == "f1")
    return DType::FP8E5M2;
  if (code == "V1")
    return makeError("descr '{0}' does not say which type the bytes are of: "
                     "FP8E4M3FN, FP8E5M2, INT4 and UINT4 are written so",
                     descr);
  for (int index = 0; index <= static_cast<int>(DType::FP64); ++index) {
    DType dtype = static_cast<DType>(index);
    if (getNpyDescr(dtype).drop_front() != code)
      continue;
    if (isBigEndian && getSize(dtype) > 1)
      return makeError("the elements are big-endian (descr '{0}'), "
                       "little-endian is wanted: '<{1}'",
                       descr, code);
    return dtype;
  }
  return makeError("element type '{0}' is not supported", show(descr));
}

/// Splits a file into the text of its header and the elements.
static Expected<std::pair<StringRef, StringRef>> splitFile(StringRef bytes) {
  if (!bytes.starts_with(magic))
    return makeError("not a .npy file: it does not start with \\x93NUMPY");
  if (bytes.size() < 10)
    return makeError("truncated: {0} bytes", bytes.size());
  unsigned version = static_cast<uint8_t>(bytes[6]);
  if (version < 1 || version > 3)
    return makeError("version {0} is not supported, 1 to 3 are", version);
  size_t start = version == 1 ? 10 : 12;
  if (bytes.size() < start)
    return makeError("truncated: {0} bytes", bytes.size());
  uint64_t length = version == 1
                        ? llvm::support::endian::read16le(bytes.data() + 8)
                        : llvm::support::endian::read32le(bytes.data() + 8);
  if (length > bytes.size() - start)
    return makeError("truncated: the header has {0} bytes, the file {1}",
                     length, bytes.size());
  return std::make_pair(bytes.substr(start, length),
                        bytes.drop_front(start + length));
}

/// The 4-bit elements that an array of bytes holds, one each or two.
static Expected<Array> takeApart(const Array &bytes, DType dtype,
                                 bool isPacked) {
  llvm::SmallVector<int64_t, 8> sizes(bytes.getSizes());
  if (isPacked && !sizes.empty())
    sizes.back() = twice(sizes.back());
  Expected<Array> array = Array::create(sizes, dtype);
  if (!array)
    return array.takeError();
  std::string rows;
  forEachElement(bytes.getView(), [&](char *byte) { rows.push_back(*byte); });
  if (isPacked) {
    std::memcpy(array->getBytes(), rows.data(), rows.size());
    return array;
  }
  const char *next = rows.data();
  forEachElement(array->getView(), [&](char *half) {
    writeHalfByte(half, static_cast<uint8_t>(*next++));
  });
  return array;
}

Expected<Array> tegula::parseNpy(StringRef bytes, std::optional<DType> wanted) {
  auto parts = splitFile(bytes);
  if (!parts)
    return parts.takeError();
  Expected<Header> header = HeaderReader(parts->first).read();
  if (!header)
    return header.takeError();
  Expected<DType> dtype = parseDescr(header->descr, wanted);
  if (!dtype)
    return dtype.takeError();
  bool isHalves = isHalfByte(*dtype);
  DType stored = isHalves ? DType::UInt8 : *dtype;
  std::optional<uint64_t> size = getDenseBytes(*header->shape, stored);
  if (!size)
    return makeError("shape {0} is too large", formatShape(*header->shape));
  if (*size > parts->second.size())
    return makeError("truncated: shape {0} of {1} needs {2} bytes, the file "
                     "has {3}",
                     formatShape(*header->shape), getName(*dtype), *size,
                     parts->second.size());

  Expected<Array> array =
      Array::create(*header->shape, stored,
                    *header->isFortranOrder ? Array::Order::ColumnMajor
                                            : Array::Order::RowMajor);
  if (!array)
    return array.takeError();
  std::memcpy(array->getBytes(), parts->second.data(), *size);
  if (isHalves)
    return takeApart(*array, *dtype, !StringRef(header->descr).contains('V'));
  // Compiled code relies on booleans that are 0 or 1.
  if (stored == DType::Bool)
    for (uint64_t index = 0; index < *size; ++index)
      array->getBytes()[index] = array->getBytes()[index] != 0;
  return array;
}

Expected<Array> tegula::readNpy(StringRef path, std::optional<DType> wanted) {
  Expected<std::string> bytes = readFile(path, getMaxFileBytes(), magic);
  if (!bytes)
    return bytes.takeError();
  Expected<Array> array = parseNpy(*bytes, wanted);
  if (!array)
    return makeError("cannot read '{0}': {1}", path,
                     llvm::toString(array.takeError()));
  return array;
}

std::string tegula::formatNpy(const TensorView &elements) {
  TensorView view = toBytes(elements);
  std::string shape;
  for (int64_t size : view.getSizes())
    shape += llvm::itostr(size) + ", ";
  if (view.rank > 1)
    shape.resize(shape.size() - 2);
  else if (view.rank == 1)
    shape.pop_back();
  std::string header = "{'descr': '" + getNpyDescr(view.dtype).str() +
                       "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // NumPy wants the elements to start at a multiple of 64 bytes.
  constexpr size_t prefix = 10;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';

  std::string bytes = magic.str();
  bytes += '\1';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  unsigned size = getSize(view.dtype);
  forEachElement(view, [&](char *element) { bytes.append(element, size); });
  return bytes;
}
