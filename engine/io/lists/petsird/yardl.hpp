// Binary streams of yardl, which PETSIRD is written in: a schema as JSON, then values that follow it. Any schema is
// walked; nothing here knows what the values mean.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "io/byte_source.hpp"

namespace backlit::formats {

/// Bytes of a file one after the other. Throws InputError naming the file where it ends too early.
class ByteCursor {
 public:
  explicit ByteCursor(const std::filesystem::path&);

  std::uint8_t byte() {
    if (at_ == end_) fill(1);
    return buffer_[at_++];
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t b = byte();
      value |= static_cast<std::uint64_t>(b & 127) << shift;
      if (b < 128) return value;
    }
    fail("a number of more than 64 bits");
  }
  std::int64_t zigzag() {
    const std::uint64_t v = varint();
    return static_cast<std::int64_t>(v >> 1) ^ -static_cast<std::int64_t>(v & 1);
  }
  void bytes(void* out, std::size_t size);
  void skip(std::uint64_t size);
  /// A count of things that take one byte each at least. Throws InputError when the file has no room for them.
  std::uint64_t count(const char* of);
  std::string text();

  /// Of the next byte, from the beginning of the file; seek() goes back there.
  std::int64_t position() const { return first_ + static_cast<std::int64_t>(at_); }
  void seek(std::int64_t position);
  std::int64_t left() const { return source_->size() - position(); }
  /// Bytes that lie in memory, at least `wanted` unless the file ends before: for loops that may not check each byte.
  std::pair<const std::uint8_t*, const std::uint8_t*> ahead(std::size_t wanted);
  void advance(const std::uint8_t* to) { at_ = static_cast<std::size_t>(to - buffer_.data()); }

  [[noreturn]] void fail(const std::string& problem) const;
  const std::string& where() const { return where_; }

 private:
  void fill(std::size_t wanted);

  std::string where_;
  std::unique_ptr<ByteSource> source_;
  std::vector<std::uint8_t> buffer_;
  std::int64_t first_ = 0;        ///< of the buffer in the file
  std::size_t at_ = 0, end_ = 0;  ///< in the buffer
};

/// A value of any type. Numbers in vectors and arrays lie in `numbers`, row after row.
struct YardlValue {
  double number = 0;
  std::string text{};  ///< a string, or the symbol of an enum
  std::vector<double> numbers{};
  std::vector<std::int64_t> shape{};  ///< of an array of numbers
  std::vector<YardlValue> items{};
  std::vector<std::pair<std::string, YardlValue>> fields{};  ///< of a record; the one that a union holds, by its tag
  bool present = true;                                       ///< false: an optional that is not there

  /// Null where there is none.
  const YardlValue* find(std::string_view name) const;
};

/// A type as the schema writes it, with what the parameters of its generic stand for.
struct YardlType {
  const nlohmann::json* type = nullptr;
  std::shared_ptr<const std::vector<std::pair<std::string, YardlType>>> arguments{};
};

class YardlReader {
 public:
  /// Reads magic and schema. Throws InputError when the file is no yardl stream.
  explicit YardlReader(const std::filesystem::path&);
  ~YardlReader();

  ByteCursor& cursor() { return cursor_; }
  const std::string& protocol() const { return protocol_; }
  /// Steps of the protocol: names and types.
  const std::vector<std::pair<std::string, YardlType>>& steps() const { return steps_; }

  /// Reads a value of a type, or passes over it. Throws InputError naming the file.
  YardlValue value(const YardlType&, int depth = 0);
  void skip(const YardlType&, int depth = 0);

  /// What a name, alias or generic stands for: never a bare name but of a primitive.
  YardlType resolved(YardlType, int depth = 0) const;
  /// Name and type of each field of a record type; empty for others.
  std::vector<std::pair<std::string, YardlType>> fields(const YardlType&) const;
  /// What a vector of no fixed length, a stream or an optional holds; null for others.
  YardlType items(const YardlType&) const;
  bool is_optional(const YardlType&) const;
  /// Tags and types of a union.
  std::vector<std::pair<std::string, YardlType>> choices(const YardlType&) const;

 private:
  const nlohmann::json* definition(const std::string& name) const;
  std::vector<std::int64_t> array_shape(const nlohmann::json& array);
  YardlValue list(const YardlType& items, std::uint64_t count, int depth);
  double primitive(const std::string& name);
  /// Counts what a header takes in memory, and stops what would not fit.
  void account(std::uint64_t count, std::uint64_t bytes_each);
  /// Stops types within types that take no bytes of the file.
  void enter(int depth);

  ByteCursor cursor_;
  std::unique_ptr<const nlohmann::json> schema_;
  std::string protocol_;
  std::vector<std::pair<std::string, YardlType>> steps_;
  std::uint64_t bytes_ = 0;  ///< of values in memory
  std::int64_t last_ = 0;    ///< position when a value was last entered
  std::int64_t idle_ = 0;    ///< values entered since the position changed
};

}  // namespace backlit::formats
