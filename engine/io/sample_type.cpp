#include "io/sample_type.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <backlit/core/half.hpp>

namespace backlit {
namespace {

static_assert(std::endian::native == std::endian::little, "files are read and written on little-endian machines");

struct Half {
  std::uint16_t bits;
};

template <class To, class From>
To as(From value) {
  if constexpr (std::is_same_v<From, Half>)
    return static_cast<To>(float_from_half(value.bits));
  else
    return static_cast<To>(value);
}

template <class Stored, class To>
void convert(const std::byte* in, const SampleFormat& format, std::span<To> out) {
  const bool plain = format.slope == 1 && format.intercept == 0;
  for (To& value : out) {
    std::array<std::byte, sizeof(Stored)> bytes;
    std::memcpy(bytes.data(), in, sizeof(Stored));
    if (format.big_endian) std::reverse(bytes.begin(), bytes.end());
    const Stored stored = std::bit_cast<Stored>(bytes);
    value = plain ? as<To>(stored) : static_cast<To>(as<double>(stored) * format.slope + format.intercept);
    in += sizeof(Stored);
  }
}

template <class To>
void convert_any(const std::byte* in, const SampleFormat& format, std::span<To> out) {
  switch (format.type) {
    case SampleType::u8:
      return convert<std::uint8_t>(in, format, out);
    case SampleType::i8:
      return convert<std::int8_t>(in, format, out);
    case SampleType::u16:
      return convert<std::uint16_t>(in, format, out);
    case SampleType::i16:
      return convert<std::int16_t>(in, format, out);
    case SampleType::u32:
      return convert<std::uint32_t>(in, format, out);
    case SampleType::i32:
      return convert<std::int32_t>(in, format, out);
    case SampleType::u64:
      return convert<std::uint64_t>(in, format, out);
    case SampleType::i64:
      return convert<std::int64_t>(in, format, out);
    case SampleType::f16:
      return convert<Half>(in, format, out);
    case SampleType::f32:
      return convert<float>(in, format, out);
    case SampleType::f64:
      return convert<double>(in, format, out);
  }
}

}  // namespace

std::int64_t sample_bytes(SampleType type) {
  static constexpr std::int64_t bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
  return bytes[static_cast<std::size_t>(type)];
}

std::string sample_name(SampleType type) {
  static constexpr const char* names[] = {"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f16", "f32", "f64"};
  return names[static_cast<std::size_t>(type)];
}

void convert_samples(std::span<const std::byte> in, const SampleFormat& format, std::span<float> out) {
  convert_any(in.data(), format, out);
}

void convert_samples(std::span<const std::byte> in, const SampleFormat& format, std::span<double> out) {
  convert_any(in.data(), format, out);
}

}  // namespace backlit
