#include "strided.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include <backlit/core/error.hpp>
#include <backlit/core/half.hpp>
#include <backlit/core/parallel.hpp>

namespace backlit::python {
namespace {

struct Half {
  std::uint16_t bits;
  operator float() const { return float_from_half(bits); }
  static Half from(float v) { return {half_from_float(v)}; }
};

struct Bfloat {
  std::uint16_t bits;
  operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
  static Bfloat from(float v) {
    const auto b = std::bit_cast<std::uint32_t>(v);
    if ((b & 0x7fffffffu) > 0x7f800000u) return {static_cast<std::uint16_t>(b >> 16 | 0x40u)};  // NaN stays NaN
    return {static_cast<std::uint16_t>((b + 0x7fffu + (b >> 16 & 1u)) >> 16)};                  // round to nearest even
  }
};

template <class T, class From>
T converted(From v) {
  if constexpr (requires { T::from(0.0f); })
    return T::from(static_cast<float>(v));
  else
    return static_cast<T>(v);
}

/// Calls f(pointer to the row's first value, index of the row's first value) on all cores.
template <class T, class F>
void for_rows(const Strided& s, F&& f) {
  T* const data = static_cast<T*>(s.data);
  parallel_chunks(
      s.size[0] * s.size[1],
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
          f(data + row / s.size[1] * s.stride[0] + row % s.size[1] * s.stride[1], row * s.size[2]);
      },
      std::max<std::int64_t>(1, (1 << 16) / std::max<std::int64_t>(1, s.size[2])));
}

template <class F>
void with_type(ValueType type, F&& f) {
  switch (type) {
    case ValueType::f16:
      return f(Half{});
    case ValueType::bf16:
      return f(Bfloat{});
    case ValueType::f32:
      return f(float{});
    case ValueType::f64:
      return f(double{});
  }
}

template <class To>
void read(const Strided& from, To* to) {
  with_type(from.type, [&](auto sample) {
    using T = decltype(sample);
    for_rows<T>(from, [&](const T* row, std::int64_t first) {
      for (std::int64_t i = 0; i < from.size[2]; ++i) to[first + i] = static_cast<To>(row[i * from.stride[2]]);
    });
  });
}

template <class From>
void write(const From* from, const Strided& to, bool add) {
  with_type(to.type, [&](auto sample) {
    using T = decltype(sample);
    for_rows<T>(to, [&](T* row, std::int64_t first) {
      for (std::int64_t i = 0; i < to.size[2]; ++i) {
        T& value = row[i * to.stride[2]];
        value = converted<T>(add ? static_cast<double>(value) + static_cast<double>(from[first + i])
                                 : static_cast<double>(from[first + i]));
      }
    });
  });
}

Place place_of(const ReadArray& array, const char* what) {
  switch (array.device_type()) {
    case nb::device::cpu::value:
    case nb::device::cuda_host::value:
      return {false, 0};
    case nb::device::cuda::value:
    case nb::device::cuda_managed::value:
      return {true, array.device_id()};
    default:
      throw InputError(what, "lies on a device that Backlit does not know", "move it to the CPU or to CUDA");
  }
}

std::string text(std::span<const std::int64_t> shape, const char* before) {
  std::string all = std::string("(") + before;
  for (std::size_t i = 0; i < shape.size(); ++i) all += (i ? ", " : "") + std::to_string(shape[i]);
  return all + (shape.size() == 1 && !*before ? ",)" : ")");
}

}  // namespace

std::optional<ValueType> value_type(const nb::dlpack::dtype& t) {
  const auto code = static_cast<nb::dlpack::dtype_code>(t.code);
  if (t.lanes != 1) return {};
  if (code == nb::dlpack::dtype_code::Bfloat && t.bits == 16) return ValueType::bf16;
  if (code != nb::dlpack::dtype_code::Float) return {};
  if (t.bits == 16) return ValueType::f16;
  if (t.bits == 32) return ValueType::f32;
  if (t.bits == 64) return ValueType::f64;
  return {};
}

bool Strided::contiguous() const {
  std::int64_t step = 1;
  for (int axis = 2; axis >= 0; --axis) {
    if (size[axis] > 1 && stride[axis] != step) return false;
    step *= size[axis];
  }
  return true;
}

ProgramArray program_array(const ReadArray& array, const char* what) {
  const std::optional<ValueType> type = value_type(array.dtype());
  if (!type)
    throw InputError(what, "is no array of floating-point numbers of 16, 32 or 64 bits", "convert it to float32");
  ProgramArray a{const_cast<void*>(array.data()), *type, place_of(array, what), {}, {}};
  for (std::size_t axis = 0; axis < array.ndim(); ++axis) {
    a.shape.push_back(static_cast<std::int64_t>(array.shape(axis)));
    a.stride.push_back(array.stride(axis));
  }
  return a;
}

std::vector<Strided> batch_of(const ProgramArray& array, std::span<const std::int64_t> shape, const char* what) {
  const std::size_t axes = shape.size(), ndim = array.shape.size();
  if (ndim < axes || !std::equal(shape.begin(), shape.end(), array.shape.end() - std::ssize(shape)))
    throw InputError(what, "has shape " + text(array.shape, ""),
                     "give " + text(shape, "") + ", or " + text(shape, "..., ") + " for a batch");
  Strided one;
  one.type = array.type;
  one.data = array.data;
  for (std::size_t a = 0; a < axes; ++a) {
    one.size[3 - axes + a] = shape[a];
    one.stride[3 - axes + a] = array.stride[ndim - axes + a];
  }
  const std::int64_t bytes = one.type == ValueType::f64 ? 8 : one.type == ValueType::f32 ? 4 : 2;
  std::vector<Strided> batch{one};
  for (std::size_t a = ndim - axes; a-- > 0;) {
    const std::vector<Strided> inner = std::move(batch);
    batch.clear();
    for (std::int64_t i = 0; i < array.shape[a]; ++i)
      for (Strided s : inner) {
        s.data = static_cast<char*>(s.data) + i * array.stride[a] * bytes;
        batch.push_back(s);
      }
  }
  return batch;
}

void read_values(const Strided& from, double* to) { read(from, to); }
void read_values(const Strided& from, float* to) { read(from, to); }
void write_values(const double* from, const Strided& to, bool add) { write(from, to, add); }
void write_values(const float* from, const Strided& to, bool add) { write(from, to, add); }

}  // namespace backlit::python
