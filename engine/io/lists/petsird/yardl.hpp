// Binary streams of yardl, the format of PETSIRD: a schema as JSON, then values that follow it. Any schema is read; the
// meaning of the values is not known here.
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

/// Reads a file byte by byte. Throws InputError naming the file when it ends too early.
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
  /// Goes behind this many varints.
  void skip_varints(std::uint64_t count);
  /// Reads a count of items that take at least one byte each. Throws InputError when the rest of the file is shorter.
  std::uint64_t count(const char* of);
  std::string text();

  /// Position of the next byte from the beginning of the file; seek() goes to a position.
  std::int64_t position() const { return first_ + static_cast<std::int64_t>(at_); }
  void seek(std::int64_t position);
  std::int64_t left() const { return source_->size() - position(); }
  /// The bytes in memory, at least `wanted` unless the file ends before. For loops that do not check each byte.
  std::pair<const std::uint8_t*, const std::uint8_t*> ahead(std::size_t wanted);
  void advance(const std::uint8_t* to) { at_ = static_cast<std::size_t>(to - buffer_.data()); }

  [[noreturn]] void fail(const std::string& problem) const;
  const std::string& where() const { return where_; }

 private:
  void fill(std::size_t wanted);

  std::string where_;
  std::unique_ptr<ByteSource> source_;
  std::vector<std::uint8_t> buffer_;
  std::int64_t first_ = 0;        ///< position of the buffer in the file
  std::size_t at_ = 0, end_ = 0;  ///< positions in the buffer
};

/// A value of any type. `numbers` holds the numbers of vectors and arrays, row after row.
struct YardlValue {
  double number = 0;
  std::string text{};  ///< a string, or the symbol of an enum
  std::vector<double> numbers{};
  std::vector<std::int64_t> shape{};  ///< of an array of numbers
  std::vector<YardlValue> items{};
  std::vector<std::pair<std::string, YardlValue>> fields{};  ///< of a record; of a union: the held value, by its tag
  bool present = true;                                       ///< false: an optional without a value
  bool scalar = false;                                       ///< a number or an enum
  mutable bool asked = false;                                ///< find() returned it

  /// Null where there is none.
  const YardlValue* find(std::string_view name) const;
};

/// A type as written in the schema, with the values of its generic's parameters.
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

  /// Reads or skips a value of a type. Throws InputError naming the file.
  YardlValue value(const YardlType&, int depth = 0);
  void skip(const YardlType&, int depth = 0);

  /// The type that a name, alias or generic means. The result is never a bare name, except of a primitive.
  YardlType resolved(YardlType, int depth = 0) const;
  /// Name and type of each field of a record type; empty for others.
  std::vector<std::pair<std::string, YardlType>> fields(const YardlType&) const;
  /// The type of the items of a vector without fixed length, a stream or an optional; null for others.
  YardlType items(const YardlType&) const;
  bool is_optional(const YardlType&) const;
  /// Tags and types of a union.
  std::vector<std::pair<std::string, YardlType>> choices(const YardlType&) const;

 private:
  const nlohmann::json* definition(const std::string& name) const;
  std::vector<std::int64_t> array_shape(const nlohmann::json& array);
  YardlValue list(const YardlType& items, std::uint64_t count, int depth);
  double primitive(const std::string& name);
  /// Counts the memory of values. Throws InputError when they take too much.
  void account(std::uint64_t count, std::uint64_t bytes_each);
  /// Throws InputError when types are nested too deeply, or when too many values take no bytes of the file.
  void enter(int depth);

  ByteCursor cursor_;
  std::unique_ptr<const nlohmann::json> schema_;
  std::string protocol_;
  std::vector<std::pair<std::string, YardlType>> steps_;
  std::uint64_t bytes_ = 0;  ///< bytes of values in memory
  std::int64_t last_ = 0;    ///< position when a value was last entered
  std::int64_t idle_ = 0;    ///< values entered since the position changed
};

}  // namespace backlit::formats
