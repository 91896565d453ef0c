// Images of detectors and microscopes, made without the code under test.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "support/io/io_samples.hpp"

namespace backlit::test {

template <class T>
void set_at(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}
template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// An image that grows unevenly, so that differences take one, two and four bytes.
inline std::vector<std::int32_t> uneven_image(std::int64_t columns, std::int64_t rows) {
  std::vector<std::int32_t> image;
  for (std::int64_t i = 0; i < columns * rows; ++i)
    image.push_back(static_cast<std::int32_t>(1000 + i * i % 97 + (i % 7 == 0 ? 5000 : 0) + (i == 31 ? 1 << 20 : 0)));
  return image;
}

/// Varian's packing: the table of lengths; and the first row with the differences that follow it.
inline std::pair<std::string, std::string> packed_differences(const std::vector<std::int32_t>& image,
                                                              std::int64_t columns) {
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

/// Varian's XIM with numbers by their names, without a histogram.
inline std::string xim_bytes(const std::vector<std::int32_t>& image, std::int32_t columns, bool pack,
                             const std::vector<std::pair<std::string, double>>& fields) {
  const auto size = [](std::size_t n) { return static_cast<std::int32_t>(n); };
  const std::int32_t rows = size(image.size()) / columns;
  std::string bytes("\0VMS.XI\0", 8);
  for (const std::int32_t n : {0, columns, rows, 20, 4, pack ? 1 : 0}) append(bytes, n);
  if (pack) {
    const auto [lengths, pixels] = packed_differences(image, columns);
    append(bytes, size(lengths.size()));
    bytes += lengths;
    append(bytes, size(pixels.size()));
    bytes += pixels;
    append(bytes, size(4 * image.size()));
  } else {
    append(bytes, size(4 * image.size()));
    for (const std::int32_t v : image) append(bytes, v);
  }
  append(bytes, std::int32_t{0});
  append(bytes, size(fields.size()));
  for (const auto& [name, value] : fields) {
    append(bytes, size(name.size()));
    bytes += name;
    append(bytes, std::int32_t{1});
    append(bytes, value);
  }
  return bytes;
}

/// 0, step, 2 step, ... as 16-bit counts.
inline std::string rising_counts(int count, int step) {
  std::string bytes;
  for (int i = 0; i < count; ++i) append(bytes, static_cast<std::uint16_t>(step * i));
  return bytes;
}

/// Varian's header: 512 bytes of HNC, 1024 of HND.
inline std::string varian_header(std::size_t bytes, std::int32_t columns = 12, std::int32_t rows = 9,
                                 double pixel = 0.388) {
  std::string header(bytes, '\0');
  set_at(header, 120, columns);
  set_at(header, 124, rows);
  set_at(header, 352, pixel);
  set_at(header, 360, pixel);
  return header;
}

/// `header` of 1024 bytes and packed pixels.
inline std::string hnd_bytes(const std::vector<std::int32_t>& image, std::size_t columns = 12,
                             const std::string& header = varian_header(1024)) {
  auto [lengths, pixels] = packed_differences(image, static_cast<std::int64_t>(columns));
  // The table has two bits for each pixel but the first row's, one more than there are differences.
  lengths.resize((image.size() - columns) / 4, '\0');
  return header + lengths + pixels;
}

inline std::string hnc_bytes() { return varian_header(512) + rising_counts(108, 600); }

/// Two images of 7 x 5 counts.
inline std::string his_bytes() {
  std::string bytes(68 + 32, '\0');
  set_at(bytes, 0, std::uint32_t{0x00447000});
  const std::pair<std::size_t, int> fields[] = {{10, 32}, {12, 1}, {14, 1}, {16, 7}, {18, 5}, {20, 2}, {32, 4}};
  for (const auto& [at, value] : fields) set_at(bytes, at, static_cast<std::uint16_t>(value));
  return bytes + rising_counts(70, 900);
}

/// `images` of 5 x 4 big-endian counts: 100 k, 100 k + 1, ...
inline std::string edf_bytes(int images) {
  std::string bytes;
  for (int k = 0; k < images; ++k) {
    std::string header = fmt::format(
        "{{\nHeaderID = EH:00000{} ;\nByteOrder = HighByteFirst ;\nDataType = UnsignedShort ;\nDim_1 = 5 ;\nDim_2 = 4 "
        ";\nSize = 40 ;\n",
        k);
    header.resize(510, ' ');
    bytes += header + "}\n" + packed<std::uint16_t>(counting(20, 100 * k), true);
  }
  return bytes;
}

/// One image with its pixel size in m, as ESRF's cameras write it.
inline std::string edf_image(std::int64_t columns, std::int64_t rows, double pixel_mm,
                             const std::vector<std::uint16_t>& counts) {
  std::string header = fmt::format(
      "{{\nHeaderID = EH:000001 ;\nByteOrder = LowByteFirst ;\nDataType = UnsignedShort ;\nDim_1 = {} ;\nDim_2 = {} "
      ";\nSize = {} ;\nPSize_1 = {} ;\nPSize_2 = {} ;\n",
      columns, rows, 2 * counts.size(), 1e-3 * pixel_mm, 1e-3 * pixel_mm);
  header.resize(510, ' ');
  std::string bytes = header + "}\n";
  for (const std::uint16_t count : counts) append(bytes, count);
  return bytes;
}

/// The header of 4 x 3 x 2 counts that a phoenix scanner has reconstructed.
inline std::string phoenix_volume_text() {
  return "[ImageData]\r\nPCA_File=S:\\CT\\part.pca\r\n[VolumeData]\r\nFormat=5\r\nVolume_SizeX=4\r\nVolume_SizeY=3\r\n"
         "Volume_SizeZ=2\r\nVoxelSizeRec=0.0125\r\nVOL_File=S:\\CT\\part.vol\r\nMin=0\r\nMax=1.5\r\n";
}

/// MRC's header of 4 x 3 x 2 values, of 10 angstrom each, and an extended one of 16 bytes.
inline std::string mrc_header(std::int32_t mode) {
  std::string h(1024, '\0');
  const std::pair<std::size_t, std::int32_t> integers[] = {{0, 4},  {4, 3},  {8, 2},  {12, mode}, {28, 4}, {32, 3},
                                                           {36, 2}, {64, 1}, {68, 2}, {72, 3},    {92, 16}};
  for (const auto& [at, value] : integers) set_at(h, at, value);
  const std::pair<std::size_t, float> cell[] = {{40, 40.f}, {44, 30.f}, {48, 20.f}};
  for (const auto& [at, value] : cell) set_at(h, at, value);
  h.replace(208, 8, std::string("MAP DD\0\0", 8));
  return h + std::string(16, 'x');
}

}  // namespace backlit::test
