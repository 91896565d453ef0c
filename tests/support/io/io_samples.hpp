// Volumes and files for the tests of the formats.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <backlit/data/volume.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>

namespace backlit::test {

/// Odd, non-cubic, off centre, another spacing along each axis; every value another.
inline Volume odd_volume() {
  VolumeGrid grid;
  grid.size = {7, 5, 3};
  grid.spacing = {0.5, 0.75, 1.25};
  grid.center = {10.5, -20.25, 3.125};
  Volume volume(grid);
  for (std::int64_t i = 0; i < volume.values.size(); ++i) volume.values[i] = 0.25f * static_cast<float>(i) - 3.5f;
  return volume;
}

/// Extensions of volumes that are a file, or two, and not a folder.
inline std::vector<std::string> file_extensions() {
  std::vector<std::string> all = volume_extensions();
  std::erase_if(all, [](const std::string& extension) { return saved_as_folder("a" + extension); });
  return all;
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// `values` packed as T, in either byte order.
template <class T>
std::string packed(const std::vector<double>& values, bool big_endian) {
  std::string bytes;
  for (const double value : values) {
    const T stored = static_cast<T>(value);
    std::string one(reinterpret_cast<const char*>(&stored), sizeof(T));
    if (big_endian) std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

inline std::vector<double> counting(int count, double start = 0) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(start + i);
  return values;
}

/// All values of a file that open_stack() takes.
inline std::vector<float> read_stack(const std::filesystem::path& file) {
  const auto stack = open_stack(file.string());
  std::vector<float> values(static_cast<std::size_t>(stack->info().pixels() * stack->info().images));
  stack->read(0, stack->info().images, values);
  return values;
}

}  // namespace backlit::test
