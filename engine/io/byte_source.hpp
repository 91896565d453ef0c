// Bytes of a file at any offset, compressed or not, with a size that is known before anything is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace backlit {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::int64_t size() const = 0;
  /// Fills `out` from `offset`. Throws InputError when the file ends before, or has been changed in place since it was
  /// opened.
  virtual void read(std::int64_t offset, std::span<std::byte> out) = 0;
  /// The whole file mapped into memory, copy on write; null where that is not possible.
  virtual std::shared_ptr<void> map() { return nullptr; }
};

/// Opens a file without decompression. Throws InputError when it is not a regular file that can be opened.
std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path&);

/// `size` bytes of an inflated gzip or zlib stream, after `skip` other bytes. The stream begins at `offset` of `file`.
/// The first read inflates it once, into an unnamed temporary file. Throws InputError at once when the stream is too
/// short for that many bytes.
std::unique_ptr<ByteSource> open_inflated(const std::filesystem::path& file, std::int64_t offset, std::int64_t skip,
                                          std::int64_t size);

/// A raw deflate stream within a file.
struct DeflatedPart {
  std::int64_t offset = 0, bytes = 0;
};
/// All `size` bytes of a raw deflate stream, inflated as above. The first read throws InputError when their CRC-32 is
/// another one.
std::unique_ptr<ByteSource> open_deflated(const std::filesystem::path& file, const DeflatedPart&, std::int64_t size,
                                          std::uint32_t checksum);
/// At most `size` bytes from its front; fewer when it ends or breaks.
std::string deflated_front(const std::filesystem::path& file, const DeflatedPart&, std::size_t size);

/// At most `size` bytes from the front of a gzip or zlib stream; fewer when it ends or breaks.
std::string inflate_front(const std::filesystem::path& file, std::size_t size);

/// At most `size` bytes from the front of a file.
std::string read_front(const std::filesystem::path& file, std::size_t size);

}  // namespace backlit
