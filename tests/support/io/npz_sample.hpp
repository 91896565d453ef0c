// Zip archives and NumPy arrays as bytes, for tests of .npz.
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "support/io/deflate.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/scan_folder.hpp"

namespace backlit::test {

/// An array of 32-bit floats 0, 1, 2, ...
inline std::string counting_npy(const std::vector<std::int64_t>& shape) {
  const auto count = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  std::vector<float> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0.0f);
  return npy_bytes(shape, values);
}

struct ZipFile {
  std::string name, bytes;
  bool deflated = false;
  int method = 8;  ///< as the archive says of a deflated file
};

/// An archive; `large`: sizes and offsets stand where archives beyond 4 GiB have them.
inline std::string zip_bytes(const std::vector<ZipFile>& files, bool large = false) {
  const auto u16 = [](double n) { return packed<std::uint16_t>({n}, false); };
  const auto u32 = [](double n) { return packed<std::uint32_t>({n}, false); };
  const auto u64 = [](std::vector<double> n) { return packed<std::uint64_t>(n, false); };
  std::string archive, list;
  for (const ZipFile& file : files) {
    const std::string stored = file.deflated ? deflated(file.bytes) : file.bytes;
    const auto sum =
        ::crc32(0, reinterpret_cast<const Bytef*>(file.bytes.data()), static_cast<uInt>(file.bytes.size()));
    const double at = double(archive.size()), size = double(file.bytes.size()), packed_size = double(stored.size());
    const std::string kind = u16(file.deflated ? file.method : 0) + u32(0) + u32(double(sum));
    const std::string sizes = large ? u32(0xffffffff) + u32(0xffffffff) : u32(packed_size) + u32(size);
    const std::string local = large ? u16(1) + u16(16) + u64({size, packed_size}) : "";
    const std::string extra = large ? u16(99) + u16(2) + "ab" + u16(1) + u16(24) + u64({size, packed_size, at}) : "";
    archive += "PK\3\4" + u16(45) + u16(0) + kind + sizes + u16(double(file.name.size())) + u16(double(local.size())) +
               file.name + local + stored;
    list += "PK\1\2" + u16(45) + u16(45) + u16(0) + kind + sizes + u16(double(file.name.size())) +
            u16(double(extra.size())) + u16(0) + u32(0) + u32(0) + u32(large ? 0xffffffff : at) + file.name + extra;
  }
  const double at = double(archive.size()), bytes = double(list.size()), count = double(files.size());
  archive += list;
  if (large)
    archive += "PK\6\6" + u64({44}) + u16(45) + u16(45) + u32(0) + u32(0) + u64({count, count, bytes, at}) + "PK\6\7" +
               u32(0) + u64({at + bytes}) + u32(1);
  return archive + "PK\5\6" + u32(0) + u16(large ? 0xffff : count) + u16(large ? 0xffff : count) +
         u32(large ? 0xffffffff : bytes) + u32(large ? 0xffffffff : at) + u16(0);
}

/// Views, angles and a name, as numpy.savez or numpy.savez_compressed write them.
inline std::string npz_bytes(bool compressed) {
  return zip_bytes({{"views.npy", counting_npy({4, 3, 2}), compressed}, {"theta.npy", counting_npy({4}), compressed}});
}

}  // namespace backlit::test
