// Numbers at known offsets of a binary header.
#pragma once

#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit {

class BinaryFields {
 public:
  /// `where` names the file in errors.
  BinaryFields(std::string_view bytes, std::string where, bool big_endian = false)
      : bytes_(bytes), where_(std::move(where)), big_endian_(big_endian) {}

  /// The number at offset `at`. Throws InputError when the header ends before it.
  template <class T>
  requires std::is_arithmetic_v<T> T get(std::size_t at)
  const {
    char raw[sizeof(T)];
    std::memcpy(raw, text(at, sizeof(T)).data(), sizeof(T));
    if (big_endian_ != (std::endian::native == std::endian::big))
      for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(raw[i], raw[sizeof(T) - 1 - i]);
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return value;
  }
  std::string_view text(std::size_t at, std::size_t size) const {
    if (size > bytes_.size() || at > bytes_.size() - size)
      throw InputError(where_, fmt::format("its header ends at byte {}", bytes_.size()),
                       "the file is cut off: copy it again");
    return bytes_.substr(at, size);
  }
  std::size_t size() const { return bytes_.size(); }
  const std::string& where() const { return where_; }

 private:
  std::string_view bytes_;
  std::string where_;
  bool big_endian_;
};

}  // namespace backlit
