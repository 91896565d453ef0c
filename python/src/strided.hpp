// Values in a program's array: any strides, 16 to 64 bits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "bindings.hpp"

namespace backlit::python {

enum class ValueType { f16, bf16, f32, f64 };

/// Three axes, slowest first; strides in values. Missing axes have size 1.
struct Strided {
  void* data = nullptr;
  ValueType type = ValueType::f32;
  std::array<std::int64_t, 3> size{1, 1, 1}, stride{0, 0, 0};

  std::int64_t count() const { return size[0] * size[1] * size[2]; }
  /// Whether values follow each other without gaps, the last axis fastest.
  bool contiguous() const;
  bool plain(ValueType wanted) const { return type == wanted && contiguous(); }
};

/// The device that an array lies on.
struct Place {
  bool cuda = false;
  int index = 0;

  bool operator==(const Place&) const = default;
};

/// An array of any number of axes, slowest first; strides in values. Somebody else owns the values.
struct ProgramArray {
  void* data = nullptr;
  ValueType type = ValueType::f32;
  Place place;
  std::vector<std::int64_t> shape, stride;
};
/// Nothing for other values than floating-point numbers of 16, 32 or 64 bits.
std::optional<ValueType> value_type(const nb::dlpack::dtype&);
/// Throws InputError naming `what` when the values are not floating-point numbers, or lie on an unknown device.
ProgramArray program_array(const ReadArray&, const char* what);

/// Splits an array into a batch: one entry for each index of the leading axes, with the last axes of `shape`. Throws
/// InputError naming `what` when the array's shape is not (..., *shape).
std::vector<Strided> batch_of(const ProgramArray&, std::span<const std::int64_t> shape, const char* what);

/// Convert between strided memory and host memory in C order. write_values() overwrites, or adds if `add`.
void read_values(const Strided&, double* to);
void read_values(const Strided&, float* to);
void write_values(const double* from, const Strided&, bool add);
void write_values(const float* from, const Strided&, bool add);

}  // namespace backlit::python
