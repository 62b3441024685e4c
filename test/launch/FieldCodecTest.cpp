// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/FieldCodec.h"

#include "gtest/gtest.h"

using namespace tegula;

namespace {

enum class Color { Red, Green };

struct Point {
  int64_t x = 0, y = 0;
};

struct Shape {
  std::string name;
  Color color = Color::Red;
  bool isFilled = false;
  float scale = 1;
  uint8_t layer = 0;
  std::vector<Point> corners;
  std::optional<Point> center;
  std::vector<std::pair<std::string, Point>> labels;
};

} // namespace

template <> struct tegula::Enumerators<Color> {
  static constexpr size_t count = 2;
};

template <> struct tegula::Fields<Point> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("x", self.x);
    visit("y", self.y);
  }
  static const char *findMistake(const Point &point) {
    return point.x < 0 ? "x is negative" : nullptr;
  }
};

template <> struct tegula::Fields<Shape> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("name", self.name);
    visit("color", self.color);
    visit("filled", self.isFilled);
    visit("scale", self.scale);
    visit("layer", self.layer);
    visit("corners", self.corners);
    visit("center", self.center);
    visit("labels", self.labels);
  }
};

static Shape makeShape() {
  Shape shape;
  shape.name = "roof";
  shape.color = Color::Green;
  shape.isFilled = true;
  shape.scale = -0.5F;
  shape.layer = 255;
  shape.corners = {{1, -2}, {3, 4}};
  shape.center = Point{2, 1};
  shape.labels = {{"top", {5, 6}}};
  return shape;
}

TEST(FieldCodec, ReadsWhatItWrote) {
  std::string bytes = toBytes(makeShape());
  Shape read;
  ASSERT_TRUE(fromBytes(bytes, read));
  EXPECT_EQ(read.name, "roof");
  EXPECT_EQ(read.color, Color::Green);
  EXPECT_TRUE(read.isFilled);
  EXPECT_EQ(read.scale, -0.5F);
  EXPECT_EQ(read.layer, 255);
  ASSERT_EQ(read.corners.size(), 2u);
  EXPECT_EQ(read.corners[0].y, -2);
  EXPECT_EQ(read.center->x, 2);
  EXPECT_EQ(read.labels[0].second.y, 6);
  EXPECT_EQ(toBytes(read), bytes);
}

TEST(FieldCodec, ReplacesWhatWasThere) {
  Shape read = makeShape();
  ASSERT_TRUE(fromBytes(toBytes(Shape()), read));
  EXPECT_TRUE(read.corners.empty());
  EXPECT_FALSE(read.center);
}

TEST(FieldCodec, RefusesWhatIsCutOrLonger) {
  std::string bytes = toBytes(makeShape());
  Shape read;
  for (size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_FALSE(fromBytes(std::string_view(bytes).substr(0, cut), read));
  EXPECT_FALSE(fromBytes(bytes + "x", read));
}

TEST(FieldCodec, RefusesNumbersThatDoNotFit) {
  Shape shape, read;
  shape.color = static_cast<Color>(2);
  EXPECT_FALSE(fromBytes(toBytes(shape), read));
  ByteWriter writer;
  writer.writeNumber(256);
  uint8_t narrow;
  EXPECT_FALSE(fromBytes(writer.content, narrow));
  bool flag;
  EXPECT_FALSE(fromBytes(writer.content, flag));
}

TEST(FieldCodec, RefusesStructsThatAreMistaken) {
  Shape shape = makeShape(), read;
  EXPECT_EQ(findMistake(shape), nullptr);
  shape.corners[1].x = -1;
  EXPECT_STREQ(findMistake(shape), "x is negative");
  EXPECT_FALSE(fromBytes(toBytes(shape), read));
}
