// A program's own memory, as in <backlit/cuda.hpp>: read and written in place, with any strides.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <backlit/cuda.hpp>
#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"

namespace backlit {
namespace cuda {
namespace {

struct Place {
  std::int64_t rows, columns;  ///< along the middle and the fastest axis
  std::int64_t stride[3];

  __device__ std::int64_t of(std::int64_t i) const {
    const std::int64_t column = i % columns, line = i / columns;
    return line / rows * stride[0] + line % rows * stride[1] + column * stride[2];
  }
};

__device__ float value_of(__half v) { return __half2float(v); }
__device__ float value_of(__nv_bfloat16 v) { return __bfloat162float(v); }
__device__ float value_of(float v) { return v; }
__device__ float value_of(double v) { return static_cast<float>(v); }
__device__ void put(float v, __half& to) { to = __float2half_rn(v); }
__device__ void put(float v, __nv_bfloat16& to) { to = __float2bfloat16_rn(v); }
__device__ void put(float v, float& to) { to = v; }
__device__ void put(float v, double& to) { to = v; }

template <class T>
__global__ void gather(const T* from, Place place, std::int64_t n, float* to) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n; i += stride)
    to[i] = value_of(from[place.of(i)]);
}

template <class T>
__global__ void scatter(const float* from, Place place, std::int64_t n, bool add, T* to) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n; i += stride) {
    T& value = to[place.of(i)];
    put(add ? value_of(value) + from[i] : from[i], value);
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
Place place_of(const CudaMemory& m) { return {m.size[1], m.size[2], {m.stride[0], m.stride[1], m.stride[2]}}; }

dim3 grid_for(std::int64_t n) { return dim3(static_cast<unsigned>(std::min<std::int64_t>(blocks(n, 256), 1 << 16))); }

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
    backend_of(backend).stream().launch("gather", grid_for(to.count()), dim3(256), 0, gather<T>,
                                        static_cast<const T*>(from.data), place_of(from), to.count(), ours(to).data());
  });
}

void write_cuda_memory(Backend& backend, const DeviceArray& from, const CudaMemory& to, Write write) {
  using namespace cuda;
  same_count(to, from);
  if (from.count() == 0) return;
  with_type(to.type, [&](auto sample) {
    using T = decltype(sample);
    backend_of(backend).stream().launch("scatter", grid_for(from.count()), dim3(256), 0, scatter<T>, ours(from).data(),
                                        place_of(to), from.count(), write == Write::accumulate,
                                        static_cast<T*>(to.data));
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
