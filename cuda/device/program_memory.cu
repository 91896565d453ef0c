// A program's own memory, as in <backlit/cuda.hpp>: read and written in place, with any strides.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdlib>

#include <backlit/cuda.hpp>
#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"

namespace backlit {
namespace cuda {
namespace {

/// The axes of a program's memory, slowest first in the array that it is copied to or from. That one is contiguous.
struct Axes {
  std::int64_t size[3], stride[3];
  int fast;  ///< the axis along which the memory's values lie closest
};

__device__ float value_of(__half v) { return __half2float(v); }
__device__ float value_of(__nv_bfloat16 v) { return __bfloat162float(v); }
__device__ float value_of(float v) { return v; }
__device__ float value_of(double v) { return static_cast<float>(v); }
__device__ void put(float v, __half& to) { to = __float2half_rn(v); }
__device__ void put(float v, __nv_bfloat16& to) { to = __float2bfloat16_rn(v); }
__device__ void put(float v, float& to) { to = v; }
__device__ void put(float v, double& to) { to = v; }

/// A copy from a program's memory to an array, or back: `load` and `store` take places on their own sides.
template <class T>
struct Read {
  const T* from;
  float* to;

  __device__ float load(std::int64_t at) const { return value_of(from[at]); }
  __device__ void store(std::int64_t at, float value) const { to[at] = value; }
  static constexpr bool from_memory = true;
};
template <class T, bool add>
struct WriteTo {
  const float* from;
  T* to;

  __device__ float load(std::int64_t at) const { return from[at]; }
  __device__ void store(std::int64_t at, float value) const { put(add ? value_of(to[at]) + value : value, to[at]); }
  static constexpr bool from_memory = false;
};

constexpr int row_threads = 128, row_values = 4;

/// For memory whose fastest axis is the array's, too.
template <class Copy>
__global__ void __launch_bounds__(row_threads)
    copy_rows(__grid_constant__ const Copy copy, __grid_constant__ const Axes a) {
  const std::int64_t first = blockIdx.x * std::int64_t{row_threads * row_values} + threadIdx.x;
  for (std::int64_t slow = blockIdx.z; slow < a.size[0]; slow += gridDim.z)
    for (std::int64_t row = blockIdx.y; row < a.size[1]; row += gridDim.y) {
      const std::int64_t memory = slow * a.stride[0] + row * a.stride[1], array = (slow * a.size[1] + row) * a.size[2];
      float held[row_values];  // loads wait for memory together
#pragma unroll
      for (int n = 0; n < row_values; ++n)
        if (const std::int64_t i = first + n * row_threads; i < a.size[2])
          held[n] = copy.load(Copy::from_memory ? memory + i * a.stride[2] : array + i);
#pragma unroll
      for (int n = 0; n < row_values; ++n)
        if (const std::int64_t i = first + n * row_threads; i < a.size[2])
          copy.store(Copy::from_memory ? array + i : memory + i * a.stride[2], held[n]);
    }
}

constexpr int tile = 32, tile_rows = 8;

/// For other memory: tiles turn in shared memory, so that neighbouring threads have neighbouring values on both sides.
template <class Copy>
__global__ void __launch_bounds__(tile* tile_rows)
    copy_turned(__grid_constant__ const Copy copy, __grid_constant__ const Axes a) {
  __shared__ float turned[tile][tile + 1];  // [place along the array's fast axis][along the memory's]
  const int fast = a.fast, other = 1 - fast, x = threadIdx.x, y = threadIdx.y;
  const std::int64_t pitch[2] = {a.size[1] * a.size[2], a.size[2]}, column = blockIdx.x * std::int64_t{tile};
  const auto load = [&](std::int64_t at, float& held) { held = copy.load(at); };
  const auto store = [&](std::int64_t at, float& held) { copy.store(at, held); };
  for (std::int64_t rest = blockIdx.z; rest < a.size[other]; rest += gridDim.z)
    for (std::int64_t row = blockIdx.y * std::int64_t{tile}; row < a.size[fast];
         row += gridDim.y * std::int64_t{tile}) {
      const auto on_memory = [&](auto&& visit) {
        const std::int64_t at = (row + x) * a.stride[fast] + rest * a.stride[other] + column * a.stride[2];
        if (row + x >= a.size[fast]) return;
        for (int n = y; n < tile && column + n < a.size[2]; n += tile_rows) visit(at + n * a.stride[2], turned[n][x]);
      };
      const auto on_array = [&](auto&& visit) {
        const std::int64_t at = row * pitch[fast] + rest * pitch[other] + column + x;
        if (column + x >= a.size[2]) return;
        for (int n = y; n < tile && row + n < a.size[fast]; n += tile_rows) visit(at + n * pitch[fast], turned[x][n]);
      };
      __syncthreads();
      if constexpr (Copy::from_memory)
        on_memory(load);
      else
        on_array(load);
      __syncthreads();
      if constexpr (Copy::from_memory)
        on_array(store);
      else
        on_memory(store);
    }
}

template <class F>
void with_type(CudaMemory::Type type, F&& f) {
  switch (type) {
    case CudaMemory::Type::f16:
      return f(__half{});
    case CudaMemory::Type::bf16:
      return f(__nv_bfloat16{});
    case CudaMemory::Type::f32:
      return f(float{});
    case CudaMemory::Type::f64:
      return f(double{});
  }
}

std::int64_t count_of(const CudaMemory& m) { return m.size[0] * m.size[1] * m.size[2]; }
/// Memory without gaps in the array's order becomes one long row.
Axes axes_of(const CudaMemory& m) {
  Axes a{{m.size[0], m.size[1], m.size[2]}, {m.stride[0], m.stride[1], m.stride[2]}, 2};
  for (int axis = 1; axis >= 0; --axis)
    if (a.size[axis] > 1 && a.stride[axis] != 0 &&
        (a.size[a.fast] == 1 || std::abs(a.stride[axis]) < std::abs(a.stride[a.fast])))
      a.fast = axis;
  const bool rows = a.size[1] == 1 || a.stride[1] == a.size[2] * a.stride[2];
  const bool slices = a.size[0] == 1 || a.stride[0] == a.size[1] * a.size[2] * a.stride[2];
  if (rows && slices) return {{1, 1, count_of(m)}, {0, 0, a.stride[2]}, 2};
  return a;
}

unsigned at_most_65535(std::int64_t n) { return static_cast<unsigned>(std::min<std::int64_t>(n, 65535)); }

template <class Copy>
void start(Stream& stream, const char* name, const Axes& a, const Copy& copy) {
  if (a.fast == 2) {
    const dim3 grid(blocks(a.size[2], row_threads * row_values), at_most_65535(a.size[1]), at_most_65535(a.size[0]));
    return stream.launch(name, grid, dim3(row_threads), 0, copy_rows<Copy>, copy, a);
  }
  const dim3 grid(blocks(a.size[2], tile), at_most_65535(blocks(a.size[a.fast], tile)),
                  at_most_65535(a.size[1 - a.fast]));
  stream.launch(name, grid, dim3(tile, tile_rows), 0, copy_turned<Copy>, copy, a);
}

void same_count(const CudaMemory& memory, const DeviceArray& array) {
  if (count_of(memory) != array.count()) throw Failure("cuda", "memory and array have different numbers of values");
}

CudaBackend& backend_of(Backend& backend) {
  if (auto* const mine = dynamic_cast<CudaBackend*>(&backend.innermost())) return *mine;
  throw Failure("cuda", "CUDA memory was given to the backend " + backend.name());
}

}  // namespace
}  // namespace cuda

int cuda_devices() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess) return devices;
  cudaGetLastError();
  return 0;
}

std::shared_ptr<void> cuda_memory(int device, std::size_t bytes) {
  int before = 0;
  void* data = nullptr;
  BACKLIT_CUDA(cudaGetDevice(&before));
  BACKLIT_CUDA(cudaSetDevice(device));
  const cudaError_t status = cudaMalloc(&data, bytes);
  cudaSetDevice(before);
  cuda::check(status, "cudaMalloc");
  return {data, [](void* p) { cudaFree(p); }};
}

ArrayPtr cuda_array(Backend& backend, const ArrayShape& shape, float* data) {
  cuda::backend_of(backend);
  return std::make_unique<cuda::CudaArray>(shape, data);
}

void read_cuda_memory(Backend& backend, const CudaMemory& from, DeviceArray& to) {
  using namespace cuda;
  same_count(from, to);
  if (to.count() == 0) return;
  with_type(from.type, [&](auto sample) {
    using T = decltype(sample);
    start(backend_of(backend).stream(), "gather", axes_of(from),
          Read<T>{static_cast<const T*>(from.data), ours(to).data()});
  });
}

void write_cuda_memory(Backend& backend, const DeviceArray& from, const CudaMemory& to, Write write) {
  using namespace cuda;
  same_count(to, from);
  if (from.count() == 0) return;
  with_type(to.type, [&](auto sample) {
    using T = decltype(sample);
    Stream& stream = backend_of(backend).stream();
    auto* const data = static_cast<T*>(to.data);
    if (write == Write::accumulate)
      start(stream, "scatter", axes_of(to), WriteTo<T, true>{ours(from).data(), data});
    else
      start(stream, "scatter", axes_of(to), WriteTo<T, false>{ours(from).data(), data});
  });
}

struct CudaStreamOrder::State {
  cuda::CudaBackend& backend;
  cuda::Event entered{cuda::Event::Timing::off}, left{cuda::Event::Timing::off};
  int device_before = 0;
};

CudaStreamOrder::CudaStreamOrder(Backend& backend)
    : state_(std::make_unique<State>(State{cuda::backend_of(backend)})) {}
CudaStreamOrder::~CudaStreamOrder() = default;

void CudaStreamOrder::enter(void* stream) {
  BACKLIT_CUDA(cudaGetDevice(&state_->device_before));
  state_->backend.activate();
  state_->entered.record(static_cast<cudaStream_t>(stream));
  state_->entered.hold(state_->backend.stream());
}

void CudaStreamOrder::leave(void* stream) noexcept {
  try {
    state_->left.record(state_->backend.stream());
    state_->left.hold(static_cast<cudaStream_t>(stream));
  } catch (const Error&) {  // the device is lost: the next call reports it
  }
  cudaSetDevice(state_->device_before);
}

}  // namespace backlit
