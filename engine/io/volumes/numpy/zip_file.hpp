// The files in a zip archive, stored or deflated, of any size.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/byte_source.hpp"

namespace backlit {

struct ZipEntry {
  std::string name;
  bool deflated = false;         ///< else stored as it is
  std::int64_t begin = 0;        ///< of its bytes in the archive
  std::int64_t stored_size = 0;  ///< bytes there
  std::int64_t size = 0;         ///< bytes of the file
  std::uint32_t checksum = 0;    ///< CRC-32 of the file
};

/// Throws InputError when the archive is damaged, encrypted, or packed otherwise.
std::vector<ZipEntry> zip_entries(const std::filesystem::path&);

/// At most `size` bytes from the front of an entry.
std::string zip_front(const std::filesystem::path&, const ZipEntry&, std::size_t size);

/// All bytes of a deflated entry. Those of a stored one are in the archive at `begin`.
std::unique_ptr<ByteSource> open_deflated(const std::filesystem::path&, const ZipEntry&);

}  // namespace backlit
