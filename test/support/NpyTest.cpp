// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/Npy.h"

#include "gtest/gtest.h"
#include <vector>

using namespace tegula;

/// A file of version 1 with that header and `numBytes` zero bytes.
static std::string makeFile(std::string header, size_t numBytes,
                            char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  bytes += static_cast<char>(header.size());
  bytes += static_cast<char>(header.size() >> 8);
  if (version > 1)
    bytes.append(2, '\0');
  return bytes + header + std::string(numBytes, '\0');
}

static std::string errorOf(const std::string &bytes) {
  Expected<Array> array = parseNpy(bytes);
  return array ? "" : llvm::toString(array.takeError());
}

static std::string header(const char *descr, const char *shape,
                          const char *order = "False") {
  return std::string("{'descr': '") + descr + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }\n";
}

TEST(Npy, KeepsEveryElementType) {
  for (int index = 0; index < static_cast<int>(DType::Index); ++index) {
    DType dtype = static_cast<DType>(index);
    Expected<Array> array = Array::create({2, 3}, dtype);
    ASSERT_TRUE(static_cast<bool>(array));
    int number = 0;
    forEachElement(array->getView(), [&](char *element) {
      writeElement(element, dtype, dtype == DType::Bool ? number % 2 : number);
      ++number;
    });
    Expected<Array> again = parseNpy(formatNpy(array->getView()), dtype);
    ASSERT_TRUE(static_cast<bool>(again)) << getName(dtype).str();
    if (isHalfByte(dtype))
      again->dropLastColumn();
    EXPECT_EQ(again->getDType(), dtype);
    EXPECT_EQ(again->getSizes(), array->getSizes());
    EXPECT_EQ(std::string(again->getBytes(), again->getNumBytes()),
              std::string(array->getBytes(), array->getNumBytes()));
  }
}

TEST(Npy, WritesStridedViewsInRowMajorOrder) {
  std::vector<float> memory = {0, 1, 2, 3, 4, 5};
  TensorView transposed(memory.data(), {3, 2}, {1, 3});
  Expected<Array> array = parseNpy(formatNpy(transposed));
  ASSERT_TRUE(static_cast<bool>(array));
  const float *data = reinterpret_cast<const float *>(array->getBytes());
  EXPECT_EQ(std::vector<float>(data, data + 6),
            (std::vector<float>{0, 3, 1, 4, 2, 5}));
}

TEST(Npy, AlignsTheElements) {
  float value = 1;
  std::string bytes = formatNpy(TensorView(&value, {1}));
  EXPECT_EQ((bytes.size() - 4) % 64, 0u);
  EXPECT_NE(bytes.find("'shape': (1,)"), std::string::npos);
}

TEST(Npy, GivesFortranOrderColumnStrides) {
  Expected<Array> array =
      parseNpy(makeFile(header("<f4", "(2, 3)", "True"), 24));
  ASSERT_TRUE(static_cast<bool>(array));
  EXPECT_EQ(array->getView().strides[0], 1);
  EXPECT_EQ(array->getView().strides[1], 2);
}

TEST(Npy, ReadsVersionsTwoAndThree) {
  for (char version : {2, 3}) {
    Expected<Array> array =
        parseNpy(makeFile(header("<i8", "(1,)"), 8, version));
    ASSERT_TRUE(static_cast<bool>(array));
    EXPECT_EQ(array->getDType(), DType::Int64);
  }
}

TEST(Npy, ReadsScalarsAndEmptyArrays) {
  Expected<Array> scalar = parseNpy(makeFile(header("<f8", "()"), 8));
  ASSERT_TRUE(static_cast<bool>(scalar));
  EXPECT_EQ(scalar->getView().rank, 0);
  Expected<Array> empty = parseNpy(makeFile(header("<f8", "(0, 5)"), 0));
  ASSERT_TRUE(static_cast<bool>(empty));
  EXPECT_EQ(empty->getNumBytes(), 0u);
}

TEST(Npy, MakesBooleansZeroOrOne) {
  std::string bytes = makeFile(header("|b1", "(2,)"), 2);
  bytes.back() = 7;
  Expected<Array> array = parseNpy(bytes);
  ASSERT_TRUE(static_cast<bool>(array));
  EXPECT_EQ(array->getBytes()[0], 0);
  EXPECT_EQ(array->getBytes()[1], 1);
}

TEST(Npy, TakesTheTypeOfBytesFromTheParameter) {
  std::string bytes = makeFile(header("<V1", "(2,)"), 2);
  bytes.back() = 15;
  for (DType wanted : {DType::FP8E4M3FN, DType::FP8E5M2, DType::Int4}) {
    Expected<Array> array = parseNpy(bytes, wanted);
    ASSERT_TRUE(static_cast<bool>(array));
    EXPECT_EQ(array->getDType(), wanted);
  }
  EXPECT_EQ(errorOf(bytes),
            "descr '<V1' does not say which type the bytes are of: FP8E4M3FN, "
            "FP8E5M2, INT4 and UINT4 are written so");
  // ml_dtypes writes FP8E5M2 so, which NumPy itself does not read.
  Expected<Array> array = parseNpy(makeFile(header("<f1", "(2,)"), 2));
  ASSERT_TRUE(static_cast<bool>(array));
  EXPECT_EQ(array->getDType(), DType::FP8E5M2);
}

/// The elements in row-major order.
static std::vector<double> listElements(const Array &array) {
  std::vector<double> elements;
  forEachElement(array.getView(), [&](char *element) {
    elements.push_back(readElement(element, array.getDType()));
  });
  return elements;
}

TEST(Npy, TakesIntegersOfEightBitsAsTwoOfFour) {
  std::string bytes = makeFile(header("|i1", "(2, 2)"), 4);
  for (int index = 0; index < 4; ++index)
    bytes[bytes.size() - 4 + index] = static_cast<char>(0x18 + 0x22 * index);
  Expected<Array> array = parseNpy(bytes, DType::Int4);
  ASSERT_TRUE(static_cast<bool>(array));
  EXPECT_EQ(array->getSizes(), llvm::ArrayRef<int64_t>({2, 4}));
  EXPECT_EQ(listElements(*array),
            (std::vector<double>{-8, 1, -6, 3, -4, 5, -2, 7}));
  array->dropLastColumn();
  EXPECT_EQ(listElements(*array), (std::vector<double>{-8, 1, -6, -4, 5, -2}));
}

TEST(Npy, TakesBytesWithoutATypeAsOneOfFourBitsEach) {
  std::string bytes = makeFile(header("|V1", "(2, 3)", "True"), 6);
  for (int index = 0; index < 6; ++index)
    bytes[bytes.size() - 6 + index] = static_cast<char>(0xf0 + index);
  Expected<Array> array = parseNpy(bytes, DType::UInt4);
  ASSERT_TRUE(static_cast<bool>(array));
  EXPECT_EQ(array->getNumBytes(), 4u);
  EXPECT_EQ(listElements(*array), (std::vector<double>{0, 2, 4, 1, 3, 5}));
}

TEST(Npy, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(errorOf("PK\3\4"),
            "not a .npy file: it does not start with \\x93NUMPY");
  EXPECT_EQ(errorOf(""), "not a .npy file: it does not start with \\x93NUMPY");
  EXPECT_EQ(errorOf("\x93NUMPY\1"), "truncated: 7 bytes");
  EXPECT_EQ(errorOf(makeFile("", 0, 9)),
            "version 9 is not supported, 1 to 3 are");
  EXPECT_EQ(errorOf(makeFile(header("<f4", "(2,)"), 7)),
            "truncated: shape [2] of FP32 needs 8 bytes, the file has 7");
  EXPECT_EQ(errorOf(makeFile(header("<f4", "(2,)"), 8).substr(0, 30)),
            "truncated: the header has 58 bytes, the file 30");
  EXPECT_EQ(errorOf(makeFile(header(">f4", "(2,)"), 8)),
            "the elements are big-endian (descr '>f4'), little-endian is "
            "wanted: '<f4'");
  EXPECT_EQ(errorOf(makeFile(header("|O", "(2,)"), 8)),
            "the elements are Python objects (descr '|O'), numbers or booleans "
            "are wanted");
  EXPECT_EQ(errorOf(makeFile(header("<c8", "(2,)"), 16)),
            "element type '<c8' is not supported");
  EXPECT_EQ(errorOf(makeFile(header("<U5", "(2,)"), 40)),
            "element type '<U5' is not supported");
  EXPECT_EQ(errorOf(makeFile(header("<f4", "(4611686018427387904, 4)"), 8)),
            "shape [4611686018427387904, 4] is too large");
}

TEST(Npy, RefusesMalformedHeaders) {
  for (const char *text :
       {"", "{", "{'descr': '<f4'}", "{'shape': (2}", "{'shape': (-2,)}",
        "{'descr': '<f4', 'fortran_order': 1, 'shape': ()}",
        "{'shape': (99999999999999999999,)}", "{'other': 3}", "{'descr: 1}"})
    EXPECT_NE(errorOf(makeFile(text, 8)).find("malformed header near"),
              std::string::npos)
        << text;
}

TEST(Npy, NamesTheFile) {
  Expected<Array> array = readNpy("/no/such/file.npy");
  ASSERT_FALSE(static_cast<bool>(array));
  EXPECT_EQ(llvm::toString(array.takeError()),
            "cannot read '/no/such/file.npy': No such file or directory");
}
