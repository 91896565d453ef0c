// Values of a program as its array has them: any strides, 16 to 64 bits.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "bindings.hpp"

namespace backlit::python {

enum class ValueType { f16, bf16, f32, f64 };

/// Three axes, slowest first; strides in values. An array of fewer axes has the others at 1.
struct Strided {
  void* data = nullptr;
  ValueType type = ValueType::f32;
  std::array<std::int64_t, 3> size{1, 1, 1}, stride{0, 0, 0};

  std::int64_t count() const { return size[0] * size[1] * size[2]; }
  /// One value after another, the last axis fastest.
  bool contiguous() const;
  bool plain(ValueType wanted) const { return type == wanted && contiguous(); }
};

/// The device that an array lies on.
struct Place {
  bool cuda = false;
  int index = 0;
};
Place place_of(const ReadArray&, const char* what);

/// The last `axes` axes of an array, for each place along those before: a batch. Throws InputError naming `what` when
/// the array's shape is not (..., *shape) or its values are no floating-point numbers.
std::vector<Strided> batch_of(const ReadArray&, std::span<const std::int64_t> shape, const char* what);

/// Host memory: `to` = values, and values = or += `from`; both in C order.
void read_values(const Strided&, double* to);
void read_values(const Strided&, float* to);
void write_values(const double* from, const Strided&, bool add);
void write_values(const float* from, const Strided&, bool add);

}  // namespace backlit::python
