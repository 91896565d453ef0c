// Numbers as files store them, and their conversion to float.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace backlit {

enum class SampleType { u8, i8, u16, i16, u32, i32, u64, i64, f16, f32, f64 };

/// Bytes of one value.
std::int64_t sample_bytes(SampleType);
/// "u8", "i16", "f32", ...
std::string sample_name(SampleType);

/// Conversion of stored values to floats: value * slope + intercept.
struct SampleFormat {
  SampleType type = SampleType::f32;
  bool big_endian = false;
  double slope = 1, intercept = 0;

  /// Whether samples are this machine's floats, so that no conversion is needed.
  bool is_native_float() const { return type == SampleType::f32 && !big_endian && slope == 1 && intercept == 0; }
};

/// Converts out.size() values; `in` holds as many, packed.
void convert_samples(std::span<const std::byte> in, const SampleFormat&, std::span<float> out);
/// The same in double precision.
void convert_samples(std::span<const std::byte> in, const SampleFormat&, std::span<double> out);

}  // namespace backlit
