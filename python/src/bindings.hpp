// Shared by all parts of the extension: types for Python's arrays, and one function that adds each part.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <backlit/core/progress.hpp>
#include <backlit/data/host_array.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/device/device_options.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace nb = nanobind;

namespace backlit::python {

/// Any array of a program; ReadArray is read-only.
using Array = nb::ndarray<>;
using ReadArray = nb::ndarray<nb::ro>;
/// fp32 in host memory, C order.
using FloatArray = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using DoubleArray = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
/// fp32 or fp64 in host memory, C order.
using HostValues = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using Point = std::array<double, 3>;

inline Vec3 vec(const Point& p) { return {p[0], p[1], p[2]}; }
inline Point point(const Vec3& v) { return {v.x, v.y, v.z}; }

/// A NumPy array that takes over the vector's memory.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape, owner);
}
/// The same for an array of the engine.
nb::ndarray<nb::numpy, float> to_numpy(HostArray<float> values, std::initializer_list<std::size_t> shape);
/// The values of a Python array without a copy; the result keeps the Python array alive.
HostArray<float> from_numpy(const FloatArray&);

/// Throws the exception of a Python signal handler (KeyboardInterrupt at Ctrl-C). Call it without the GIL.
void check_signals();

/// Shows no progress, but lets Ctrl-C stop long work of the engine between two work items. Work must run without the
/// GIL.
class SignalProgress final : public Progress {
 public:
  void advance(std::int64_t) override { check_signals(); }
  Watch watch() { return {*this, never_}; }

 private:
  CancelToken never_;
};

/// The devices for the work: "auto", "cpu", "gl" or "cuda", and their indices.
struct DeviceChoice {
  std::string name = "auto";
  std::vector<std::int64_t> devices{};  ///< several share the work; empty: the first
  std::int64_t memory = 0;              ///< bytes, limit for arrays and plans; 0: all available memory

  std::int64_t index() const { return devices.empty() ? 0 : devices.front(); }
  DeviceOptions for_session() const { return {name, devices, memory}; }
  BackendOptions options() const { return backend_options(for_session()); }
};

void add_errors(nb::module_&);
void add_geometry(nb::module_&);
void add_operators(nb::module_&);
void add_scans(nb::module_&);
void add_calibration(nb::module_&);
void add_volumes(nb::module_&);
void add_measures(nb::module_&);
void add_runs(nb::module_&);
void add_methods(nb::module_&);
void add_pet(nb::module_&);
void add_pictures(nb::module_&);

}  // namespace backlit::python
