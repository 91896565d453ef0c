// A MATLAB file: the structure "scan" with a number, a text and the array "volume" of 2 x 3 x 4 floats 0, 1, 2, ...
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

namespace backlit::test {

inline std::string mat_word(std::uint32_t n) { return {reinterpret_cast<const char*>(&n), 4}; }

inline std::string mat_element(std::uint32_t type, std::string bytes) {
  const std::string size = mat_word(static_cast<std::uint32_t>(bytes.size()));
  bytes.resize((bytes.size() + 7) / 8 * 8);
  return mat_word(type) + size + bytes;
}

inline std::string mat_matrix(std::uint32_t kind, const std::string& shape, const std::string& name,
                              const std::string& rest) {
  return mat_element(
      14, mat_element(6, mat_word(kind) + mat_word(0)) + mat_element(5, shape) + mat_element(1, name) + rest);
}

inline std::string mat_header() {
  std::string header = "MATLAB 5.0 MAT-file";
  header.resize(124, ' ');
  return header + std::string("\0\1IM", 4);
}

/// The array "p" alone, of floats 0, 1, 2, ... in the order of the file.
inline std::string counting_mat(const std::vector<std::uint32_t>& shape) {
  std::string sizes, values;
  std::uint32_t count = 1;
  for (const std::uint32_t n : shape) sizes += mat_word(n), count *= n;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto v = static_cast<float>(i);
    values.append(reinterpret_cast<const char*>(&v), 4);
  }
  return mat_header() + mat_matrix(7, sizes, "p", mat_element(7, values));
}

inline std::string mat_bytes(bool compressed) {
  std::string values, one = mat_word(1) + mat_word(1);
  for (int i = 0; i < 24; ++i) {
    const auto v = static_cast<float>(i);
    values.append(reinterpret_cast<const char*>(&v), 4);
  }
  const double number = 7;
  const std::string fields =
      std::string("mm\0\0\0\0\0\0", 8) + std::string("unit\0\0\0\0", 8) + std::string("volume\0\0", 8);
  const std::string length = mat_word(5 | 4 << 16) + mat_word(8);  // a small element
  std::string variable =
      mat_matrix(2, one, "scan",
                 length + mat_element(1, fields) +
                     mat_matrix(6, one, "", mat_element(9, {reinterpret_cast<const char*>(&number), 8})) +
                     mat_matrix(4, mat_word(1) + mat_word(2), "", mat_element(4, std::string("m\0m\0", 4))) +
                     mat_matrix(7, mat_word(2) + mat_word(3) + mat_word(4), "", mat_element(7, values)));
  if (compressed) {
    std::string packed(::compressBound(variable.size()), '\0');
    uLongf size = packed.size();
    ::compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(variable.data()),
               variable.size());
    packed.resize(size);
    variable = mat_word(15) + mat_word(static_cast<std::uint32_t>(packed.size())) + packed;
  }
  return mat_header() + variable;
}

}  // namespace backlit::test
