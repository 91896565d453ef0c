// The formats behind load_list_mode(): one .cpp file each.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "io/byte_source.hpp"
#include "io/list_mode_file.hpp"

namespace backlit::formats {

bool is_castor(const std::string& front);
bool is_siemens(const std::string& front);
bool is_safir(const std::string& front);

ListModeFile open_castor(const std::filesystem::path&, const ListModeOptions&);
ListModeFile open_siemens(const std::filesystem::path&, const ListModeOptions&);
ListModeFile open_safir(const std::filesystem::path&, const ListModeOptions&);

/// Records of one size, read a few MiB at a time.
class RecordStream {
 public:
  /// `offset` bytes of header, then `count` records of `bytes`, which the file must hold.
  RecordStream(std::unique_ptr<ByteSource> source, std::int64_t offset, std::int64_t bytes, std::int64_t count)
      : source_(std::move(source)), offset_(offset), bytes_(bytes), count_(count) {}

  /// The next record, or null at the end. It stays until the next call.
  const std::byte* next();
  void rewind() { next_ = first_ = held_ = 0; }
  /// Of the record that next() will give.
  std::int64_t position() const { return next_; }
  std::int64_t count() const { return count_; }

 private:
  std::unique_ptr<ByteSource> source_;
  std::int64_t offset_, bytes_, count_;
  std::int64_t next_ = 0, first_ = 0, held_ = 0;  ///< the buffer holds records [first, first + held)
  std::vector<std::byte> buffer_;
};

/// A little-endian number at `bytes`, on a machine of that order.
template <class T>
T load_number(const std::byte* bytes) {
  T value;
  __builtin_memcpy(&value, bytes, sizeof(T));
  return value;
}

}  // namespace backlit::formats
