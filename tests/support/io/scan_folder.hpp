// Scan files with their data, for tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "support/io/io_samples.hpp"
#include "support/scratch.hpp"

namespace backlit::test {

struct ScanFolder : Scratch {
  /// Writes a file and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    write_bytes(*this / name, bytes);
    return *this / name;
  }
};

/// A NumPy file of little-endian floats, written without the code under test.
inline std::string npy_bytes(const std::vector<std::int64_t>& shape, std::span<const float> values) {
  std::string sizes;
  for (std::int64_t n : shape) sizes += fmt::format("{}, ", n);
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}), }}", sizes);
  header.append(63 - (10 + header.size()) % 64, ' ').append("\n");
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

}  // namespace backlit::test
