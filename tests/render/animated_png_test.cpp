#include <backlit/render/animated_png.hpp>

#include <zlib.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <string>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/render/png.hpp>
#include "support/scratch.hpp"

using namespace backlit;

namespace {

struct Chunk {
  std::string type, data;
};

/// The chunks of a file; every checksum and the total length are checked.
std::vector<Chunk> chunks_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const auto number = [&](std::size_t at) {
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < 4; ++i) n = n << 8 | static_cast<std::uint8_t>(bytes.at(at + i));
    return n;
  };
  std::vector<Chunk> chunks;
  std::size_t at = 8;
  while (at < bytes.size()) {
    const std::size_t length = number(at);
    chunks.push_back({bytes.substr(at + 4, 4), bytes.substr(at + 8, length)});
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + at + 4), static_cast<uInt>(length + 4));
    CHECK(number(at + 8 + length) == sum);
    at += 12 + length;
  }
  CHECK(at == bytes.size());
  return chunks;
}

Image striped(std::int64_t width, std::uint8_t level) {
  Image image(width, 5);
  for (std::int64_t x = 0; x < width; ++x) image.fill(x, 0, 1, 5, {level, static_cast<std::uint8_t>(40 * x), 9});
  return image;
}

std::string four_bytes(std::uint32_t n) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(n >> shift);
  return text;
}

}  // namespace

TEST_CASE("an animated PNG holds its frames in order, and shows the first to readers that know none") {
  const test::Scratch folder;
  const auto path = folder / "a.png";
  AnimatedPng file(path, 3, 25);
  for (int i = 0; i < 3; ++i) file.add(striped(6, static_cast<std::uint8_t>(80 * i)));
  CHECK_FALSE(std::filesystem::exists(path));
  file.commit();
  CHECK(load_png(path).pixels == striped(6, 0).pixels);
  std::string types;
  std::uint32_t sequence = 0;
  for (const Chunk& c : chunks_of(path)) {
    types += c.type + " ";
    if (c.type == "fcTL" || c.type == "fdAT") CHECK(c.data.substr(0, 4) == four_bytes(sequence++));
    if (c.type == "fcTL") {
      CHECK(c.data.substr(4, 8) == four_bytes(6) + four_bytes(5));
      CHECK(c.data.substr(20, 4) == std::string("\x00\xf0\x17\x70", 4));  // 240 of 6000
    }
    if (c.type == "acTL") CHECK(c.data == four_bytes(3) + four_bytes(0));
  }
  CHECK(types == "IHDR acTL fcTL IDAT fcTL fdAT fcTL fdAT IEND ");
  // The data of a later frame are those of the picture's own file.
  save_png(striped(6, 160), folder / "b.png");
  std::string own, last;
  for (const Chunk& c : chunks_of(folder / "b.png"))
    if (c.type == "IDAT") own += c.data;
  for (const Chunk& c : chunks_of(path))
    if (c.type == "fdAT") last = c.data.substr(4);
  CHECK(last == own);
}

TEST_CASE("an animated PNG with frames missing or of several sizes is not written") {
  const test::Scratch folder;
  AnimatedPng file(folder / "a.png", 2, 10);
  file.add(striped(6, 1));
  CHECK_THROWS_WITH(file.commit(), Catch::Contains("1 of 2 frames were made"));
  CHECK_THROWS_WITH(file.add(striped(7, 1)), Catch::Contains("frame 1 has 7 x 5 pixels, the first 6 x 5"));
  file.add(striped(6, 2));
  CHECK_THROWS_AS(file.add(striped(6, 3)), Failure);
  CHECK_FALSE(std::filesystem::exists(folder / "a.png"));
  CHECK_THROWS_WITH(AnimatedPng(folder / "b.png", 0, 10), Catch::Contains("0 frames; give 1 to 100000"));
  CHECK_THROWS_WITH(AnimatedPng(folder / "b.png", 1, 0), Catch::Contains("0 frames a second"));
}
