// The CUDA backend: cuda (libbacklit_cuda), and its use with a program's own CUDA memory and streams.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <backlit/device/backend.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit {

/// Makes "cuda" a backend, without using a device. Call it once, before backends are made.
void register_cuda_backend();

/// Number of CUDA devices; 0 without a driver.
int cuda_devices();

/// Memory of a device, freed with its last owner.
std::shared_ptr<void> cuda_memory(int device, std::size_t bytes);

/// Values in CUDA memory that a program owns: three axes, slowest first, any strides (in values).
struct CudaMemory {
  enum class Type { f16, bf16, f32, f64 };

  void* data = nullptr;
  Type type = Type::f32;
  std::array<std::int64_t, 3> size{1, 1, 1}, stride{0, 0, 0};
};

/// Contiguous fp32 values as an array of `backend`, without a copy. The memory must outlive the array. Throws Failure
/// for a backend that is not cuda.
ArrayPtr cuda_array(Backend&, const ArrayShape&, float* data);
/// Overwrites `to` with the values of `from`. The array has as many values, in C order.
void read_cuda_memory(Backend&, const CudaMemory& from, DeviceArray& to);
/// Overwrites `to` with the values of `from`, or adds them.
void write_cuda_memory(Backend&, const DeviceArray& from, const CudaMemory& to, Write);

/// Orders a backend's work with the work of a program's stream. The host never waits.
class CudaStreamOrder {
 public:
  /// Throws Failure for a backend that is not cuda.
  explicit CudaStreamOrder(Backend&);
  ~CudaStreamOrder();

  /// Makes the backend's device current. The backend's next work begins after all work that `stream` (a cudaStream_t)
  /// has already got.
  void enter(void* stream);
  /// The next work of `stream` begins after all work of the backend. Makes the previous device current again.
  void leave(void* stream) noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// geometry_gradient() (<backlit/projectors/joseph/geometry_gradient.hpp>) of values in CUDA memory.
class CudaGeometryGradient {
 public:
  /// For so many views. Throws Failure for a backend that is not cuda.
  CudaGeometryGradient(Backend&, const VolumeGrid&, std::int64_t views);
  ~CudaGeometryGradient();

  /// Takes the views of this scan from now on. Throws Unsupported for curved detectors.
  void place(const Scan&);

  /// Adds to `gradients` [view][12], in CUDA memory: derivatives by source (parallel: direction), center, u and v.
  /// `volume` [z][y][x] and `weights` [view][row][column] are contiguous, both f32 or both f64 (throws Failure
  /// otherwise); sums are in double precision. The host does not wait.
  void add(const CudaMemory& volume, const CudaMemory& weights, double* gradients);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace backlit
