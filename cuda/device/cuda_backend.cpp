#include "cuda/device/cuda_backend.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/cuda.hpp>
#include "cuda/corrections/views.hpp"
#include "cuda/device/cuda_array.hpp"
#include "cuda/device/pinned.hpp"
#include "cuda/fdk/pipeline.hpp"
#include "cuda/filter/cuda_filter.hpp"
#include "cuda/interop/shared_volume.hpp"
#include "cuda/joseph/operator.hpp"
#include "cuda/projectors.hpp"
#include "cuda/ranks/nccl.hpp"
#include "cuda/raycast/raycast.hpp"
#include "cuda/voxel_driven/ct_operator.hpp"
#include "device/array_rows.hpp"
#include "device/gpu_signs.hpp"

namespace backlit {

void register_cuda_backend() {
  register_backend("cuda", [](const BackendOptions& options) { return std::make_unique<cuda::CudaBackend>(options); });
  cuda::register_shared_volumes();
  cuda::register_projectors();
}

namespace cuda {
namespace {

void same_shape(const DeviceArray& x, const DeviceArray& y) {
  if (x.shape() == y.shape()) return;
  throw Failure("cuda", fmt::format("arrays of {} and {} values do not go together", x.count(), y.count()));
}

/// Some rows of all images, for copies.
struct RowsInArray {
  RowsInArray(const ArrayShape& s, const IndexRange& rows)
      : first(rows.first * s.n0),
        bytes(static_cast<std::size_t>(rows.count * s.n0) * sizeof(float)),
        pitch(static_cast<std::size_t>(s.n0 * s.n1) * sizeof(float)),
        images(static_cast<std::size_t>(s.n2)) {}

  std::int64_t first;        ///< value of an image
  std::size_t bytes, pitch;  ///< of the rows, and from image to image
  std::size_t images;
};

}  // namespace

CudaBackend::Device::Device(std::int64_t wanted, std::int64_t processes) {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess) cudaGetLastError();
  if (status != cudaSuccess || devices == 0)
    throw Failure("cuda", fmt::format("no device ({})", cudaGetErrorString(status)),
                  remedy_without_cuda_device(find_gpu_signs(), CUDART_VERSION));
  if (wanted < 0 || (wanted >= devices && processes == 1))
    throw InputError("device", fmt::format("there is no CUDA device {}", wanted),
                     fmt::format("choose 0 to {}", devices - 1));
  index = static_cast<int>(wanted % devices);
  // A launcher that shows each process a card of its own leaves nothing to share.
  const bool own_card = devices == 1 && std::getenv("CUDA_VISIBLE_DEVICES");
  sharing = own_card ? 1 : (processes + devices - 1) / devices;
  BACKLIT_CUDA(cudaSetDevice(index));
}

void CudaBackend::activate() { BACKLIT_CUDA(cudaSetDevice(device_.index)); }

CudaBackend::CudaBackend(const BackendOptions& options) : device_(options.device, options.processes) {
  cudaDeviceProp properties{};
  BACKLIT_CUDA(cudaGetDeviceProperties(&properties, device_.index));
  device_name_ = properties.name;
  memory_bytes_ = options.memory_bytes;
  if (memory_bytes_ == 0) share_card(device_.sharing);
}

Capabilities CudaBackend::capabilities() const { return {.memory_bytes = memory_bytes_}; }

ArrayPtr CudaBackend::make_array(const ArrayShape& shape) {
  auto array = std::make_unique<CudaArray>(shape);
  BACKLIT_CUDA(cudaMemsetAsync(array->data(), 0, array->bytes(), stream_));
  return array;
}

ArrayPtr CudaBackend::make_like(const DeviceArray& array) { return make_array(array.shape()); }

ArrayPtr CudaBackend::rows(DeviceArray& array, std::int64_t first, std::int64_t count) {
  const ArrayShape& s = array.shape();
  if (first < 0 || count < 0 || first + count > s.n2)
    throw Failure("cuda", fmt::format("rows {} to {} of an array of {}", first, first + count, s.n2));
  return std::make_unique<CudaArray>(ArrayShape{s.n0, s.n1, count}, ours(array).data() + first * s.n0 * s.n1);
}

void CudaBackend::upload(std::span<const float> host, DeviceArray& array) {
  if (static_cast<std::int64_t>(host.size()) != array.count())
    throw Failure("cuda", fmt::format("{} values uploaded to an array of {}", host.size(), array.count()));
  stream_.timed("upload", [&] {
    BACKLIT_CUDA(cudaMemcpyAsync(ours(array).data(), host.data(), host.size_bytes(), cudaMemcpyHostToDevice, stream_));
  });
}

std::string CudaBackend::versions() const {
  int runtime = 0, driver = 0;
  BACKLIT_CUDA(cudaRuntimeGetVersion(&runtime));
  BACKLIT_CUDA(cudaDriverGetVersion(&driver));
  const auto text = [](int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); };
  return fmt::format("CUDA {}, driver for CUDA {}", text(runtime), text(driver));
}

void CudaBackend::download(const DeviceArray& array, std::span<float> host) {
  if (static_cast<std::int64_t>(host.size()) != array.count())
    throw Failure("cuda", fmt::format("an array of {} values downloaded to {}", array.count(), host.size()));
  download_rows(array, 0, host);
}

bool CudaBackend::download_rows(const DeviceArray& array, std::int64_t first, std::span<float> host) {
  const float* const from = ours(array).data() + begin_of_rows(array.shape(), first, host.size(), "cuda");
  stream_.timed("download", [&] {
    BACKLIT_CUDA(cudaMemcpyAsync(host.data(), from, host.size_bytes(), cudaMemcpyDeviceToHost, stream_));
  });
  stream_.wait();
  return true;
}

bool CudaBackend::store_rows(const DeviceArray& array, const IndexRange& rows, std::span<std::byte> host) {
  if (!dynamic_cast<const CudaArray*>(&array)) return false;
  const RowsInArray at(array.shape(), rows);
  std::byte* const staging = staged(host.size());
  stream_.timed("download", [&] {
    BACKLIT_CUDA(cudaMemcpy2DAsync(staging, at.bytes, ours(array).data() + at.first, at.pitch, at.bytes, at.images,
                                   cudaMemcpyDeviceToHost, stream_));
  });
  stream_.wait();
  std::copy_n(staging, host.size(), host.data());
  return true;
}

bool CudaBackend::restore_rows(std::span<const std::byte> host, const IndexRange& rows, DeviceArray& array) {
  if (!dynamic_cast<const CudaArray*>(&array)) return false;
  const RowsInArray at(array.shape(), rows);
  stream_.wait();  // for an earlier copy from the staging memory
  std::byte* const staging = staged(host.size());
  std::copy_n(host.data(), host.size(), staging);
  stream_.timed("upload", [&] {
    BACKLIT_CUDA(cudaMemcpy2DAsync(ours(array).data() + at.first, at.pitch, staging, at.bytes, at.bytes, at.images,
                                   cudaMemcpyHostToDevice, stream_));
  });
  return true;
}

bool CudaBackend::links_machines() const { return find_nccl() != nullptr; }

std::string CudaBackend::card_name() const {
  cudaDeviceProp card{};
  BACKLIT_CUDA(cudaGetDeviceProperties(&card, device_.index));
  return {card.uuid.bytes, sizeof card.uuid.bytes};
}

void CudaBackend::share_card(std::int64_t processes) {
  activate();
  std::size_t free = 0, total = 0;
  BACKLIT_CUDA(cudaMemGetInfo(&free, &total));
  memory_bytes_ = static_cast<std::int64_t>(free) / processes;
}

/// Page-locked memory for copies of rows: from other memory each row would be copied by itself.
std::byte* CudaBackend::staged(std::size_t bytes) {
  if (staging_.bytes() < bytes) {
    stream_.wait();  // for copies from the old one
    staging_ = PinnedBuffer(bytes);
  }
  return staging_.data();
}

void CudaBackend::send(const DeviceArray& from, Backend& to, DeviceArray& into) {
  auto* other = dynamic_cast<CudaBackend*>(&to.innermost());
  if (!other) return Backend::send(from, to, into);
  same_shape(from, into);
  activate();
  sent_.record(stream_);
  other->activate();
  if (other->device_.index != device_.index && other->peers_.insert(device_.index).second) {
    int reachable = 0;
    BACKLIT_CUDA(cudaDeviceCanAccessPeer(&reachable, other->device_.index, device_.index));
    // Another backend of the same device may have opened peer access already. Without peer access, copies go through
    // the host.
    if (reachable && cudaDeviceEnablePeerAccess(device_.index, 0) != cudaSuccess) cudaGetLastError();
  }
  sent_.hold(other->stream_);
  other->stream_.timed("from another device", [&] {
    BACKLIT_CUDA(cudaMemcpyPeerAsync(ours(into).data(), other->device_.index, ours(from).data(), device_.index,
                                     ours(from).bytes(), other->stream_));
  });
}

std::shared_ptr<DeviceViews> CudaBackend::load(ProjectionSource& source, const Watch& watch) {
  return load_views(*this, source, watch);
}

std::shared_ptr<std::byte> CudaBackend::host_memory(std::int64_t bytes) {
  auto buffer = std::make_shared<PinnedBuffer>(static_cast<std::size_t>(bytes));
  return {buffer, buffer->data()};
}

void CudaBackend::fill(DeviceArray& y, float value) { cuda::fill(stream_, ours(y).data(), y.count(), value); }
void CudaBackend::copy(const DeviceArray& x, DeviceArray& y) {
  same_shape(x, y);
  stream_.timed("copy", [&] {
    BACKLIT_CUDA(cudaMemcpyAsync(ours(y).data(), ours(x).data(), ours(x).bytes(), cudaMemcpyDeviceToDevice, stream_));
  });
}
void CudaBackend::scale(DeviceArray& y, float a) { cuda::scale(stream_, ours(y).data(), y.count(), a); }
void CudaBackend::axpy(float a, const DeviceArray& x, DeviceArray& y) {
  same_shape(x, y);
  cuda::axpy(stream_, a, ours(x).data(), ours(y).data(), y.count());
}
void CudaBackend::subtract_from(const DeviceArray& x, DeviceArray& y) {
  same_shape(x, y);
  cuda::subtract_from(stream_, ours(x).data(), ours(y).data(), y.count());
}
void CudaBackend::multiply(const DeviceArray& x, DeviceArray& y) {
  same_shape(x, y);
  cuda::multiply(stream_, ours(x).data(), ours(y).data(), y.count());
}
void CudaBackend::divide(const DeviceArray& x, DeviceArray& y, float floor) {
  same_shape(x, y);
  cuda::divide(stream_, ours(x).data(), ours(y).data(), y.count(), floor);
}
void CudaBackend::clamp(DeviceArray& y, float low, float high) {
  cuda::clamp(stream_, ours(y).data(), y.count(), low, high);
}
void CudaBackend::exponential(DeviceArray& y) { cuda::exponential(stream_, ours(y).data(), y.count()); }
double CudaBackend::dot(const DeviceArray& x, const DeviceArray& y) {
  same_shape(x, y);
  return reducer_.dot(stream_, ours(x).data(), ours(y).data(), x.count());
}
void CudaBackend::add_square(const DeviceArray& x, DeviceArray& total) {
  reducer_.add_square(stream_, ours(x).data(), x.count(), ours(total).data());
}
bool CudaBackend::owns(const DeviceArray& array) const { return dynamic_cast<const CudaArray*>(&array); }
void CudaBackend::weigh_residual(const DeviceArray& b, const DeviceArray& w, DeviceArray& r, DeviceArray& total) {
  same_shape(b, r);
  same_shape(w, r);
  reducer_.weigh_residual(stream_, ours(b).data(), ours(w).data(), ours(r).data(), r.count(), ours(total).data());
}
void CudaBackend::add_quotient(float a, const DeviceArray& d, const DeviceArray& s, float floor, float least,
                               DeviceArray& x) {
  same_shape(d, x);
  same_shape(s, x);
  cuda::add_quotient(stream_, a, ours(d).data(), ours(s).data(), floor, least, ours(x).data(), x.count());
}
void CudaBackend::multiply_quotient(const DeviceArray& d, const DeviceArray& s, float floor, DeviceArray& x) {
  same_shape(d, x);
  same_shape(s, x);
  cuda::multiply_quotient(stream_, ours(d).data(), ours(s).data(), floor, ours(x).data(), x.count());
}
void CudaBackend::extrapolate(float momentum, const DeviceArray& x, DeviceArray& before) {
  same_shape(x, before);
  cuda::extrapolate(stream_, momentum, ours(x).data(), ours(before).data(), before.count());
}

double CudaBackend::sum(const DeviceArray& x) { return reducer_.sum(stream_, ours(x).data(), x.count()); }
float CudaBackend::maximum(const DeviceArray& x) { return reducer_.maximum(stream_, ours(x).data(), x.count()); }

std::unique_ptr<ProjectionFilter> CudaBackend::make_filter(const Scan& scan, const FilterOptions& options) {
  auto filter = make_cuda_filter(*this, scan, options);
  return filter ? std::move(filter) : Backend::make_filter(scan, options);
}

std::unique_ptr<FdkPipeline> CudaBackend::make_fdk_pipeline(const Scan& scan, const VolumeGrid& grid,
                                                            const FdkPipelineOptions& options) {
  return cuda::make_fdk_pipeline(*this, scan, grid, options);
}

}  // namespace cuda
}  // namespace backlit
