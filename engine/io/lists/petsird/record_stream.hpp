// The common part of lists of words and records of one size.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <backlit/data/list_mode.hpp>
#include "io/byte_source.hpp"

namespace backlit::formats {

/// Records of one size, read a few MiB at a time.
class RecordStream {
 public:
  /// The file must hold `offset` bytes of header and `count` records of `bytes`.
  RecordStream(std::unique_ptr<ByteSource> source, std::int64_t offset, std::int64_t bytes, std::int64_t count)
      : source_(std::move(source)), offset_(offset), bytes_(bytes), count_(count) {}

  /// The next record, or null at the end. It stays valid until the next call.
  const std::byte* next();
  void rewind() { next_ = first_ = held_ = 0; }
  /// Index of the record that next() will return.
  std::int64_t position() const { return next_; }
  std::int64_t count() const { return count_; }

 private:
  std::unique_ptr<ByteSource> source_;
  std::int64_t offset_, bytes_, count_;
  std::int64_t next_ = 0, first_ = 0, held_ = 0;  ///< the buffer holds records [first, first + held)
  std::vector<std::byte> buffer_;
};

/// The little-endian number at `bytes`, on a little-endian machine.
template <class T>
T load_number(const std::byte* bytes) {
  T value;
  __builtin_memcpy(&value, bytes, sizeof(T));
  return value;
}

/// A list of words of one size, each an event or a time tag.
template <class Word>
class WordSource : public ListModeSource {
 public:
  WordSource(std::string where, RecordStream words, bool delayeds)
      : where_(std::move(where)), delayeds_(delayeds), words_(std::move(words)) {}

  const ListModeInfo& info() const final { return info_; }
  ListModeCounts counts() const final { return counts_; }
  void rewind() final {
    words_.rewind();
    counts_ = {};
    time_ms_ = 0;
  }
  bool read(std::int64_t most, EventList& out) final {
    out.clear();
    while (out.size() < most) {
      const std::byte* bytes = words_.next();
      if (!bytes) break;
      take(load_number<Word>(bytes), out);
    }
    return !out.empty();
  }

 protected:
  /// Counts the word by its kind. Appends it to `out` when it is a wanted event.
  virtual void take(Word, EventList& out) = 0;
  /// Index of the word in take().
  std::int64_t position() const { return words_.position() - 1; }

  ListModeInfo info_;
  std::string where_;
  bool delayeds_;
  ListModeCounts counts_;
  std::uint32_t time_ms_ = 0;  ///< time of the last time tag

 private:
  RecordStream words_;
};

}  // namespace backlit::formats
