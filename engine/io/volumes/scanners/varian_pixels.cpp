#include "io/volumes/scanners/varian_pixels.hpp"

#include <cstring>
#include <vector>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

/// Reads little-endian numbers one after another.
class Numbers {
 public:
  Numbers(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}
  std::int32_t next(std::size_t size) {
    if (size > bytes_.size() - at_)
      throw InputError(where_, "its packed pixels end too early", "the file is cut off: copy it again");
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes_[at_ + i])) << (8 * i);
    at_ += size;
    const auto unused = static_cast<int>(32 - 8 * size);  // extends the sign of short numbers
    return static_cast<std::int32_t>(value << unused) >> unused;
  }

 private:
  std::string_view bytes_;
  const std::string& where_;
  std::size_t at_ = 0;
};

}  // namespace

void unpack_varian(std::string_view lengths, std::string_view pixels, std::int64_t columns, std::span<float> out,
                   const std::string& where) {
  const auto width = static_cast<std::size_t>(columns);
  if (out.size() <= width) throw InputError(where, "its packed image has one row", "the file is damaged");
  if (lengths.size() < (out.size() - width - 1 + 3) / 4)
    throw InputError(where, "its table of lengths ends too early", "the file is damaged");
  Numbers numbers(pixels, where);
  std::vector<std::uint32_t> values(out.size());  // sums overflow as they did during packing
  for (std::size_t i = 0; i <= width; ++i) values[i] = static_cast<std::uint32_t>(numbers.next(4));
  for (std::size_t i = width + 1, n = 0; i < values.size(); ++i, ++n) {
    const int code = (static_cast<unsigned char>(lengths[n / 4]) >> (2 * (n % 4))) & 3;
    if (code == 3) throw InputError(where, "its table of lengths holds a length of 8 bytes", "the file is damaged");
    values[i] = static_cast<std::uint32_t>(numbers.next(std::size_t{1} << code)) + values[i - 1] + values[i - width] -
                values[i - width - 1];
  }
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = static_cast<float>(static_cast<std::int32_t>(values[i]));
}

}  // namespace backlit
