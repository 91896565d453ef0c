// The CUDA backend: cuda (libbacklit_cuda), and how a program's own CUDA memory and streams meet it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <backlit/device/backend.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit {

/// Makes "cuda" a backend. Touches no device. Call it once, before backends are made.
void register_cuda_backend();

/// How many CUDA devices there are; 0 without a driver.
int cuda_devices();

/// Values in CUDA memory that a program owns: three axes, slowest first, any strides (in values).
struct CudaMemory {
  enum class Type { f16, bf16, f32, f64 };

  void* data = nullptr;
  Type type = Type::f32;
  std::array<std::int64_t, 3> size{1, 1, 1}, stride{0, 0, 0};
};

/// fp32 values, one after another, as an array of `backend` without a copy; the memory must outlive it. Throws Failure
/// for a backend that is not cuda.
ArrayPtr cuda_array(Backend&, const ArrayShape&, float* data);
/// `to` = the values; the array has as many, in C order.
void read_cuda_memory(Backend&, const CudaMemory& from, DeviceArray& to);
/// The values = or += `from`.
void write_cuda_memory(Backend&, const DeviceArray& from, const CudaMemory& to, Write);

/// Puts a backend's work in order with that of a program's stream. Nobody waits on the host.
class CudaStreamOrder {
 public:
  /// Throws Failure for a backend that is not cuda.
  explicit CudaStreamOrder(Backend&);
  ~CudaStreamOrder();

  /// Makes the backend's device current. The backend's next work begins after all work that `stream` (a cudaStream_t)
  /// has got.
  void enter(void* stream);
  /// The next work of `stream` begins after all work of the backend. Restores the device that was current.
  void leave(void* stream) noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace backlit
