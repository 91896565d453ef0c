// Images as detectors and microscopes write them, made here from the descriptions of their formats.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/scratch.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

template <class T>
void set(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}
template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::vector<float> values_of(const fs::path& path) {
  const auto stack = open_stack(path);
  std::vector<float> values(static_cast<std::size_t>(stack->info().pixels() * stack->info().images));
  stack->read(0, stack->info().images, values);
  return values;
}

/// Damaged copies may be refused or give something, no more.
int refused_of(const fs::path& path, std::size_t header) {
  const fs::path victim = path.parent_path() / ("damaged" + path.extension().string());
  return test::read_damaged(
      path, victim, [](const fs::path& p) { values_of(p); }, 40, header);
}

/// An image that grows unevenly, so that differences take one, two and four bytes.
std::vector<std::int32_t> uneven(std::int64_t columns, std::int64_t rows) {
  std::vector<std::int32_t> image;
  for (std::int64_t i = 0; i < columns * rows; ++i)
    image.push_back(static_cast<std::int32_t>(1000 + i * i % 97 + (i % 7 == 0 ? 5000 : 0) + (i == 31 ? 1 << 20 : 0)));
  return image;
}

/// Table of lengths, and the first row and differences.
std::pair<std::string, std::string> packed(const std::vector<std::int32_t>& image, std::int64_t columns) {
  const auto width = static_cast<std::size_t>(columns);
  std::string lengths((image.size() - width - 1 + 3) / 4, '\0'), pixels;
  for (std::size_t i = 0; i <= width; ++i) append(pixels, image[i]);
  for (std::size_t i = width + 1, n = 0; i < image.size(); ++i, ++n) {
    const std::int32_t difference = image[i] - image[i - 1] - image[i - width] + image[i - width - 1];
    const int code = difference >= -128 && difference < 128 ? 0 : difference >= -32768 && difference < 32768 ? 1 : 2;
    lengths[n / 4] = static_cast<char>(lengths[n / 4] | code << (2 * (n % 4)));
    pixels.append(reinterpret_cast<const char*>(&difference), std::size_t{1} << code);
  }
  return {lengths, pixels};
}

std::vector<float> as_floats(const std::vector<std::int32_t>& image) { return {image.begin(), image.end()}; }

}  // namespace

TEST_CASE("XIM: packed and plain", "[detector]") {
  const test::Scratch scratch;
  const auto image = uneven(12, 9);
  const auto [lengths, pixels] = packed(image, 12);
  for (const bool pack : {true, false}) {
    std::string bytes("\0VMS.XI\0", 8);
    for (const std::int32_t n : {0, 12, 9, 20, 4, pack ? 1 : 0}) append(bytes, n);
    if (pack) {
      append(bytes, static_cast<std::int32_t>(lengths.size()));
      bytes += lengths;
      append(bytes, static_cast<std::int32_t>(pixels.size()));
      bytes += pixels;
      append(bytes, static_cast<std::int32_t>(4 * image.size()));
    } else {
      append(bytes, static_cast<std::int32_t>(4 * image.size()));
      for (const std::int32_t v : image) append(bytes, v);
    }
    append(bytes, std::int32_t{0});  // no histogram
    append(bytes, std::int32_t{2});
    for (const auto& [name, value] : {std::pair("PixelWidth", 0.0388), {"PixelHeight", 0.0776}}) {
      append(bytes, static_cast<std::int32_t>(std::strlen(name)));
      bytes += name;
      append(bytes, std::int32_t{1});
      append(bytes, value);
    }
    test::write_bytes(scratch / "a.xim", bytes);
    CHECK(values_of(scratch / "a.xim") == as_floats(image));
    CHECK(open_stack(scratch / "a.xim")->info().pixel_mm->y == Approx(0.776));
    CHECK(refused_of(scratch / "a.xim", 40) > 10);
  }
}

TEST_CASE("HND and HNC", "[detector]") {
  const test::Scratch scratch;
  const auto image = uneven(12, 9);
  const auto [lengths, pixels] = packed(image, 12);
  std::string header(1024, '\0');
  set(header, 120, std::int32_t{12});
  set(header, 124, std::int32_t{9});
  set(header, 352, 0.388);
  set(header, 360, 0.388);
  // The table has two bits for each pixel but the first row's, one more than there are differences.
  std::string table = lengths;
  table.resize(8 * 12 / 4, '\0');
  test::write_bytes(scratch / "a.hnd", header + table + pixels);
  CHECK(values_of(scratch / "a.hnd") == as_floats(image));
  CHECK(refused_of(scratch / "a.hnd", 128) > 10);
  std::string plain = header.substr(0, 512);
  for (int i = 0; i < 108; ++i) append(plain, static_cast<std::uint16_t>(600 * i));
  test::write_bytes(scratch / "a.hnc", plain);
  CHECK(values_of(scratch / "a.hnc")[107] == 600 * 107);
  CHECK(open_stack(scratch / "a.hnc")->info().pixel_mm->x == Approx(0.388));
  CHECK(refused_of(scratch / "a.hnc", 128) > 5);
}

TEST_CASE("HIS", "[detector]") {
  const test::Scratch scratch;
  std::string bytes(68 + 32, '\0');
  set(bytes, 0, std::uint32_t{0x00447000});
  const std::pair<std::size_t, int> fields[] = {{10, 32}, {12, 1}, {14, 1}, {16, 7}, {18, 5}, {20, 2}, {32, 4}};
  for (const auto& [at, value] : fields) set(bytes, at, static_cast<std::uint16_t>(value));
  for (int i = 0; i < 70; ++i) append(bytes, static_cast<std::uint16_t>(900 * i));
  test::write_bytes(scratch / "a.his", bytes);
  const StackInfo info = open_stack(scratch / "a.his")->info();
  CHECK((info.columns == 7 && info.rows == 5 && info.images == 2));
  CHECK(info.pixel_mm->x == Approx(409.6 / 7));
  CHECK(values_of(scratch / "a.his")[69] == 900 * 69);
  CHECK(refused_of(scratch / "a.his", 24) > 5);
}

TEST_CASE("EDF: several images, either order of bytes", "[detector]") {
  const test::Scratch scratch;
  std::string bytes;
  for (int image = 0; image < 3; ++image) {
    std::string header = fmt::format(
        "{{\nHeaderID = EH:00000{} ;\nByteOrder = HighByteFirst ;\nDataType = UnsignedShort ;\nDim_1 = 5 ;\nDim_2 = 4 "
        ";\nSize = 40 ;\n",
        image);
    header.resize(510, ' ');
    bytes += header + "}\n";
    for (int i = 0; i < 20; ++i) {
      bytes += static_cast<char>((100 * image + i) >> 8);
      bytes += static_cast<char>((100 * image + i) & 255);
    }
  }
  test::write_bytes(scratch / "a.edf", bytes);
  const auto values = values_of(scratch / "a.edf");
  REQUIRE(values.size() == 60);
  CHECK(values[0] == 0);
  CHECK(values[19] == 19);
  CHECK(values[20] == 100);
  CHECK(values[59] == 219);
  CHECK(refused_of(scratch / "a.edf", 160) > 5);
}

TEST_CASE("MRC: bytes with and without a sign, big-endian numbers, cells in angstrom", "[detector]") {
  const test::Scratch scratch;
  const auto header = [](int mode) {
    std::string h(1024, '\0');
    for (const auto& [at, value] : {std::pair<std::size_t, std::int32_t>{0, 4},
                                    {4, 3},
                                    {8, 2},
                                    {12, mode},
                                    {28, 4},
                                    {32, 3},
                                    {36, 2},
                                    {64, 1},
                                    {68, 2},
                                    {72, 3},
                                    {92, 16}})
      set(h, at, value);
    for (const auto& [at, value] : {std::pair<std::size_t, float>{40, 40.f}, {44, 30.f}, {48, 20.f}}) set(h, at, value);
    h.replace(208, 8, std::string("MAP DD\0\0", 8));
    return h;
  };
  const std::string extended(16, 'x');
  std::string bytes;
  for (int i = 0; i < 24; ++i) bytes += static_cast<char>(120 + i);
  test::write_bytes(scratch / "signed.mrc", header(0) + extended + bytes);
  CHECK(values_of(scratch / "signed.mrc")[23] == 143 - 256);
  std::string imod = header(0);
  set(imod, 152, std::int32_t{1146047817});
  test::write_bytes(scratch / "unsigned.mrc", imod + extended + bytes);
  CHECK(values_of(scratch / "unsigned.mrc")[23] == 143);
  const StackInfo info = open_stack(scratch / "signed.mrc")->info();
  CHECK((info.columns == 4 && info.rows == 3 && info.images == 2));
  CHECK(info.spacing->z == Approx(10e-7));
  std::string shorts = header(1) + extended;
  for (int i = 0; i < 24; ++i) append(shorts, static_cast<std::int16_t>(-1000 * i));
  test::write_bytes(scratch / "a.mrc", shorts);
  CHECK(values_of(scratch / "a.mrc")[23] == -23000);
  CHECK(refused_of(scratch / "a.mrc", 100) > 10);
  std::string turned = shorts;
  for (std::size_t at = 0; at < 208; at += 4) std::reverse(turned.begin() + at, turned.begin() + at + 4);
  turned.replace(212, 2, "\x11\x11");
  for (std::size_t at = 1040; at < turned.size(); at += 2) std::swap(turned[at], turned[at + 1]);
  test::write_bytes(scratch / "big.mrc", turned);
  CHECK(values_of(scratch / "big.mrc")[23] == -23000);
}

}  // namespace backlit
