#include "cuda/corrections/views.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cuda/corrections/counts.hpp"
#include "cuda/corrections/list.hpp"
#include "cuda/device/cuda_backend.hpp"
#include "cuda/device/device_speed.hpp"
#include "cuda/device/upload.hpp"
#include "cuda/shared/pool_buffer.hpp"
#include "preprocess/corrections/part_of_views.hpp"

namespace backlit::cuda {
namespace {

/// The caller's device is current again at the end.
class OnDevice {
 public:
  explicit OnDevice(int device) { BACKLIT_CUDA(cudaSetDevice(device)); }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = current_device();
};

struct Entry {
  std::string_view name;  ///< of the Correction
  bool needs_volume;
  CorrectOnDevice correct;
};
constexpr Entry entries[] = {{"flat_components", false, fit_flats},
                             {"defects", false, interpolate_defects},
                             {"zingers", false, replace_zingers},
                             {"air_columns", false, level_air},
                             {"dead_stripes", false, remove_dead_stripes},
                             {"stripes", false, remove_stripes},
                             {"large_stripes", false, remove_large_stripes},
                             {"phase_ratio", false, retrieve_phase},
                             {"scatter_share", false, remove_scatter},
                             {"water_spectrum", false, correct_water},
                             {"hardening", false, apply_polynomial},
                             {"scatter_share", true, fit_scatter},
                             {"flatten", true, flatten},
                             {"metal", true, reduce_metal}};

}  // namespace

CudaViews::CudaViews(const Scan& scan)
    : device_(current_device()), scan_(scan), values_(shape_of(scan.detector, scan.view_count())) {
  keep_pool();
}

Images CudaViews::images() {
  const ArrayShape& s = values_.shape();
  return {values_.data(), static_cast<int>(s.n0), static_cast<int>(s.n1), s.n2};
}

void CudaViews::read(std::int64_t first, std::int64_t count, std::span<float> out) {
  const OnDevice here(device_);
  const auto bytes = static_cast<std::size_t>(count * scan_.detector.pixels()) * sizeof(float);
  BACKLIT_CUDA(cudaMemcpyAsync(out.data(), images().image(first), bytes, cudaMemcpyDeviceToHost, stream_));
  stream_.wait();
}

void CudaViews::replace(std::span<const float> values) {
  const OnDevice here(device_);
  upload(values_.data(), values.data(), values_.bytes());
}

void CudaViews::copy(const CudaArray& from) {
  BACKLIT_CUDA(cudaMemcpyAsync(values_.data(), from.data(), values_.bytes(), cudaMemcpyDeviceToDevice, stream_));
  stream_.wait();
}

DeviceArray* CudaViews::views_on(Backend& backend) {
  auto* const cuda = dynamic_cast<CudaBackend*>(&backend.innermost());
  return cuda && cuda->device_index() == device_ ? &values_ : nullptr;
}

std::optional<std::string> CudaViews::correct(const Correction& c, const CorrectionOptions& options,
                                              const CorrectionInput& input, const Watch& watch) {
  const auto* const entry = std::ranges::find_if(
      entries, [&](const Entry& e) { return e.name == c.name && e.needs_volume == c.needs_volume; });
  if (entry == std::end(entries)) return std::nullopt;
  if (c.needs_volume && !(input.volume.backend && views_on(*input.volume.backend))) return std::nullopt;
  const OnDevice here(device_);
  auto done = entry->correct(*this, options, input, watch);
  stream_.wait();
  return done;
}

template <class T, class Read, class Take>
void CudaViews::in_turn(const Watch& watch, Read&& read, Take&& take) {
  constexpr int slots = 2;
  const std::int64_t pixels = scan_.detector.pixels(), views = scan_.view_count();
  const std::int64_t at_once = cached(pixels * static_cast<std::int64_t>(sizeof(float)), views);
  PinnedBuffer memory[slots];
  Event taken[slots];
  watch.begin("read", views, "views");
  int slot = 0;
  for (std::int64_t first = 0; first < views; first += at_once, slot = (slot + 1) % slots) {
    const std::int64_t count = std::min(at_once, views - first);
    const auto values = static_cast<std::size_t>(count * pixels);
    if (memory[slot].bytes() == 0) memory[slot] = PinnedBuffer(static_cast<std::size_t>(at_once * pixels) * sizeof(T));
    taken[slot].wait();
    T* const room = reinterpret_cast<T*>(memory[slot].data());
    read(first, count, std::span<T>(room, values));
    take(slot, first, count, room);
    taken[slot].record(stream_);
    watch.advance(count);
  }
  stream_.wait();
  watch.end();
}

void CudaViews::load(ProjectionSource& source, const Watch& watch) {
  if (!source.count_scale() || !source.read_counts(0, 0, {}) || !load_counts(source, watch))
    load_integrals(source, watch);
}

void CudaViews::load_integrals(ProjectionSource& source, const Watch& watch) {
  in_turn<float>(
      watch, [&](std::int64_t first, std::int64_t count, std::span<float> out) { source.read(first, count, out); },
      [&](int, std::int64_t first, std::int64_t count, const float* values) {
        const auto bytes = static_cast<std::size_t>(count * scan_.detector.pixels()) * sizeof(float);
        BACKLIT_CUDA(cudaMemcpyAsync(images().image(first), values, bytes, cudaMemcpyHostToDevice, stream_));
      });
}

bool CudaViews::load_counts(ProjectionSource& source, const Watch& watch) {
  const std::int64_t pixels = scan_.detector.pixels(), views = scan_.view_count();
  const CountScale& scale = *source.count_scale();
  if (static_cast<std::int64_t>(scale.dark.size()) != pixels || scale.open.size() != scale.dark.size())
    throw Failure("counts", "darks and flats are not of the detector's size",
                  fmt::format("give darks and flats of {} x {} pixels", scan_.detector.columns, scan_.detector.rows));
  PoolBuffer<float> dark(stream_, pixels), open(stream_, pixels);
  PoolBuffer<CountTables::Faults> faults(stream_, views);
  PoolBuffer<std::uint16_t> counts[2];
  BACKLIT_CUDA(cudaMemcpyAsync(dark.data(), scale.dark.data(), dark.bytes(), cudaMemcpyHostToDevice, stream_));
  BACKLIT_CUDA(cudaMemcpyAsync(open.data(), scale.open.data(), open.bytes(), cudaMemcpyHostToDevice, stream_));
  BACKLIT_CUDA(cudaMemsetAsync(faults.data(), 0, faults.bytes(), stream_));
  in_turn<std::uint16_t>(
      watch,
      [&](std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) {
        source.read_counts(first, count, out);
      },
      [&](int slot, std::int64_t first, std::int64_t count, const std::uint16_t* values) {
        PoolBuffer<std::uint16_t>& there = counts[slot];
        if (there.count() < count * pixels) there = PoolBuffer<std::uint16_t>(stream_, count * pixels);
        const auto bytes = static_cast<std::size_t>(count * pixels) * sizeof(std::uint16_t);
        BACKLIT_CUDA(cudaMemcpyAsync(there.data(), values, bytes, cudaMemcpyHostToDevice, stream_));
        integrals_of(stream_, there.data(), {dark.data(), open.data(), faults.data()}, first,
                     images().some(first, count));
      });
  std::vector<CountTables::Faults> found(static_cast<std::size_t>(views));
  BACKLIT_CUDA(cudaMemcpyAsync(found.data(), faults.data(), faults.bytes(), cudaMemcpyDeviceToHost, stream_));
  stream_.wait();
  if (std::ranges::any_of(found, [](const auto& f) { return f.unfilled > 0; })) return false;
  for (std::int64_t view = 0; view < views; ++view)
    source.note_replaced(view, found[static_cast<std::size_t>(view)].replaced);
  return true;
}

void copy_part(CudaViews& views, const IndexRange& rows, std::int64_t stride, CudaViews& part) {
  const Images from = views.images(), to = part.images();
  const auto bytes = [](std::int64_t values) { return static_cast<std::size_t>(values) * sizeof(float); };
  BACKLIT_CUDA(cudaMemcpy2DAsync(to.values, bytes(to.pixels()), from.values + rows.first * from.columns,
                                 bytes(stride * from.pixels()), bytes(to.pixels()), static_cast<std::size_t>(to.count),
                                 cudaMemcpyDeviceToDevice, views.stream()));
  views.stream().wait();
}

std::unique_ptr<CudaViews> part_of(CudaViews& views, const IndexRange& rows, std::int64_t stride) {
  auto part = std::make_unique<CudaViews>(part_of(views.scan(), rows, stride));
  copy_part(views, rows, stride, *part);
  return part;
}

std::shared_ptr<DeviceViews> load_views(CudaBackend& backend, ProjectionSource& source, const Watch& watch) {
  const Scan& scan = source.scan();
  const std::int64_t values = scan.view_count() * scan.detector.pixels();
  if (3 * values * static_cast<std::int64_t>(sizeof(float)) > backend.capabilities().memory_bytes) return nullptr;
  constexpr std::int64_t most_blocks = 65'535;  // along y and z of a kernel's grid: views and rows
  if (scan.view_count() > most_blocks || scan.detector.rows > most_blocks) return nullptr;
  backend.activate();
  auto views = std::make_shared<CudaViews>(scan);
  if (const DeviceArray* const there = resident_views(source, backend))
    views->copy(ours(*there));
  else
    views->load(source, watch);
  return views;
}

}  // namespace backlit::cuda
