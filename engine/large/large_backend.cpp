#include "large/large_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>
#include <backlit/data/host_array.hpp>
#include <backlit/geometry/quarter_turns.hpp>
#include <backlit/projectors/require.hpp>
#include "device/hosted_array.hpp"
#include "device/shares_card.hpp"
#include "large/large_operator.hpp"
#include "recon/method_bytes.hpp"

namespace backlit {
namespace {

const LargeArray* as_large(const DeviceArray& array) { return dynamic_cast<const LargeArray*>(&array); }

void check_count(std::size_t host, const DeviceArray& array) {
  if (static_cast<std::int64_t>(host) != array.count())
    throw Failure("large array", fmt::format("{} values on the host, {} in the array", host, array.count()));
}

/// Calls f(part of y on the device) for each part.
template <class F>
void each(const DeviceArray& y, Access access, F&& f) {
  for (const ArrayPart& p : parts_of(y)) p.use(access, 0, f);
}

bool cut_alike(std::span<const ArrayPart> a, std::span<const ArrayPart> b) {
  return std::ranges::equal(a, b, {}, &ArrayPart::first, &ArrayPart::first);
}

/// A filter that writes to parts that may lie in host memory.
class LargeFilter final : public ProjectionFilter {
 public:
  explicit LargeFilter(std::unique_ptr<ProjectionFilter> filter) : filter_(std::move(filter)) {}

  const Scan& scan() const override { return filter_->scan(); }
  void run(std::int64_t first, std::span<const float> views, DeviceArray& out) override {
    if (out.shape().n2 == 0) return;
    const std::size_t view = views.size() / static_cast<std::size_t>(out.shape().n2);
    for (const ArrayPart& p : parts_of(out)) {
      const auto skip = static_cast<std::size_t>(p.first), count = static_cast<std::size_t>(p.count());
      p.use(Access::write, 0, [&](DeviceArray& filtered) {
        filter_->run(first + p.first, views.subspan(skip * view, count * view), filtered);
      });
    }
  }

  void run_on_device(std::int64_t first, const DeviceArray& views, DeviceArray& out) override {
    const std::vector<ArrayPart> from = parts_of(views), to = parts_of(out);
    if (from.size() != 1 || to.size() != 1)
      throw Unsupported("filter", "the views do not fit the device", "filter them from the host, in batches");
    from[0].use(Access::read, 0, [&](DeviceArray& raw) {
      to[0].use(Access::write, 1, [&](DeviceArray& filtered) { filter_->run_on_device(first, raw, filtered); });
    });
  }

 private:
  std::unique_ptr<ProjectionFilter> filter_;
};

/// Bytes of `volumes` volumes and `views` sets of all views.
std::int64_t bytes_of(const VolumeGrid& grid, const Scan& scan, std::int64_t volumes, std::int64_t views) {
  const std::int64_t values = volumes * grid.voxels() + views * scan.view_count() * scan.detector.pixels();
  return values * static_cast<std::int64_t>(sizeof(float));
}

}  // namespace

LargeBackend::LargeBackend(std::unique_ptr<Backend> device, std::int64_t memory_bytes)
    : device_(std::move(device)),
      given_(memory_bytes > 0),
      memory_(memory_bytes > 0 ? memory_bytes : device_->capabilities().memory_bytes),
      budget_(std::make_shared<Budget>(memory_ / 2)) {}

void LargeBackend::share_card(std::int64_t processes) {
  auto* const card = dynamic_cast<SharesCard*>(&device_->innermost());
  if (!card || given_) return;
  card->share_card(processes);
  memory_ = device_->capabilities().memory_bytes;
  budget_->set_limit(memory_ / 2);
}

Capabilities LargeBackend::capabilities() const {
  Capabilities can = device_->capabilities();
  can.memory_bytes = memory_;
  can.largest_side = can.most_slices = 0;
  return can;
}

ArrayPtr LargeBackend::make_like(const DeviceArray& a) {
  const LargeArray* large = as_large(a);
  return large ? large->make_like() : device_->make_like(a);
}

ArrayPtr LargeBackend::rows(DeviceArray& a, std::int64_t first, std::int64_t count) {
  const LargeArray* large = as_large(a);
  return large ? large->rows(first, count) : device_->rows(a, first, count);
}

void LargeBackend::upload(std::span<const float> host, DeviceArray& a) {
  auto* large = dynamic_cast<LargeArray*>(&a);
  if (!large) return device_->upload(host, a);
  check_count(host.size(), a);
  large->upload(host);
}

void LargeBackend::download(const DeviceArray& a, std::span<float> host) {
  const LargeArray* large = as_large(a);
  if (!large) return device_->download(a, host);
  check_count(host.size(), a);
  large->download(host);
}

bool LargeBackend::download_rows(const DeviceArray& a, std::int64_t first, std::span<float> host) {
  if (const LargeArray* large = as_large(a)) return large->download_rows(first, host);
  const auto* const own = dynamic_cast<const SelfDownloading*>(&a);
  if (!own) return device_->download_rows(a, first, host);
  own->download_rows(first, host);
  return true;
}

std::int64_t LargeBackend::stored_bytes(const DeviceArray& a) const {
  return as_large(a) ? Backend::stored_bytes(a) : device_->stored_bytes(a);
}
void LargeBackend::store(const DeviceArray& a, std::span<std::byte> host) {
  as_large(a) ? Backend::store(a, host) : device_->store(a, host);
}
void LargeBackend::restore(std::span<const std::byte> host, DeviceArray& a) {
  as_large(a) ? Backend::restore(host, a) : device_->restore(host, a);
}

void LargeBackend::fill(DeviceArray& y, float value) {
  each(y, Access::write, [&](DeviceArray& b) { device_->fill(b, value); });
}
template <class F>
void LargeBackend::for_parts(const DeviceArray& x, const DeviceArray& y, Access access, F&& f) {
  const auto to = parts_of(y);
  auto from = parts_of(x);
  ArrayPtr alike;
  if (!cut_alike(from, to)) {  // arrays of different operators
    if (x.shape() != y.shape()) throw Failure("large array", "arrays of different shapes do not go together");
    HostArray<float> values(x.count());
    download(x, values.span());
    alike = make_like(y);
    upload(values.span(), *alike);
    from = parts_of(*alike);
  }
  for (std::size_t i = 0; i < to.size(); ++i)
    from[i].use(Access::read, 1, [&](DeviceArray& a) { to[i].use(access, 0, [&](DeviceArray& b) { f(a, b); }); });
}

void LargeBackend::copy(const DeviceArray& x, DeviceArray& y) {
  for_parts(x, y, Access::write, [&](DeviceArray& a, DeviceArray& b) { device_->copy(a, b); });
}
void LargeBackend::scale(DeviceArray& y, float factor) {
  each(y, Access::update, [&](DeviceArray& b) { device_->scale(b, factor); });
}
void LargeBackend::axpy(float factor, const DeviceArray& x, DeviceArray& y) {
  for_parts(x, y, Access::update, [&](DeviceArray& a, DeviceArray& b) { device_->axpy(factor, a, b); });
}
void LargeBackend::subtract_from(const DeviceArray& x, DeviceArray& y) {
  for_parts(x, y, Access::update, [&](DeviceArray& a, DeviceArray& b) { device_->subtract_from(a, b); });
}
void LargeBackend::multiply(const DeviceArray& x, DeviceArray& y) {
  for_parts(x, y, Access::update, [&](DeviceArray& a, DeviceArray& b) { device_->multiply(a, b); });
}
void LargeBackend::divide(const DeviceArray& x, DeviceArray& y, float floor) {
  for_parts(x, y, Access::update, [&](DeviceArray& a, DeviceArray& b) { device_->divide(a, b, floor); });
}
void LargeBackend::clamp(DeviceArray& y, float low, float high) {
  each(y, Access::update, [&](DeviceArray& b) { device_->clamp(b, low, high); });
}
void LargeBackend::exponential(DeviceArray& y) {
  each(y, Access::update, [&](DeviceArray& b) { device_->exponential(b); });
}

double LargeBackend::dot(const DeviceArray& x, const DeviceArray& y) {
  if (&x == &y) {
    double square = 0;
    each(x, Access::read, [&](DeviceArray& a) { square += device_->dot(a, a); });
    return square;
  }
  double total = 0;
  for_parts(x, y, Access::read, [&](DeviceArray& a, DeviceArray& b) { total += device_->dot(a, b); });
  return total;
}

void LargeBackend::add_square(const DeviceArray& x, DeviceArray& total) {
  each(x, Access::read, [&](DeviceArray& a) { device_->add_square(a, total); });
}

double LargeBackend::sum(const DeviceArray& x) {
  double total = 0;
  each(x, Access::read, [&](DeviceArray& a) { total += device_->sum(a); });
  return total;
}

float LargeBackend::maximum(const DeviceArray& x) {
  float largest = -std::numeric_limits<float>::infinity();
  each(x, Access::read, [&](DeviceArray& a) {
    // NaN when any value is NaN, so that faults are visible.
    if (const float m = device_->maximum(a); m > largest || std::isnan(m)) largest = m;
  });
  return largest;
}

std::unique_ptr<LinearOperator> LargeBackend::make_packed(const VolumeGrid& grid, const Scan& scan,
                                                          const CtOptions& options) {
  const auto make = [&](std::int64_t views) -> std::unique_ptr<LargeOperator> {
    try {
      const Cut cut = find_cut(*device_, grid, scan, options, memory_, views);
      return std::make_unique<LargeOperator>(*device_, budget_, grid, scan, options, cut, memory_);
    } catch (const InputError&) {  // no room for this number of views
      return nullptr;
    }
  };
  if (auto all = make(scan.view_count()); all && all->packs()) return all;
  if (!find_quarter_turns(scan, grid).in_order()) return nullptr;
  auto groups = make(std::max<std::int64_t>(4, views_at_a_time(scan, memory_) / 4 * 4));
  return groups && !groups->packs() ? std::move(groups) : nullptr;  // some pack whole scans only, not groups
}

std::unique_ptr<LinearOperator> LargeBackend::make_ct(const VolumeGrid& grid, const Scan& scan,
                                                      const CtOptions& options) {
  grid.check("grid");
  scan.check("scan");
  const Capabilities can = device_->capabilities();
  const bool layers = can.most_slices == 0 || grid.size[2] <= can.most_slices;
  const auto make = [&](const CtOptions& o, const Cut& cut) {
    return std::make_unique<LargeOperator>(*device_, budget_, grid, scan, o, cut, memory_);
  };
  if (memory_ == 0 && layers && (can.largest_side == 0 || std::max(grid.size[0], grid.size[1]) <= can.largest_side))
    return device_->make_ct(grid, scan, options);
  if (layers && (memory_ == 0 || bytes_of_a_method(*device_, grid, scan, options) <= memory_)) {
    require_slices(*device_, grid);
    return make(options, {grid.size[2], scan.view_count(), true});
  }
  CtOptions part = options;
  const bool back = options.model == Model::voxel_driven, slices = options.model == Model::joseph;
  const bool asked = options.packing == Packing::orbit && (back || slices);
  if (asked || (back && options.packing == Packing::automatic)) {
    if (auto packed = make_packed(grid, scan, options)) return packed;
    if (asked) return make(options, find_packed_cut(grid, scan, options));
    part.packing = Packing::none;
  }
  return make(part, find_cut(*device_, grid, scan, part, memory_));
}

Support LargeBackend::supports(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  const std::int64_t most = device_->capabilities().most_slices;
  const bool cut = most > 0 && grid.size[2] > most;
  return device_->supports(cut ? slab_of(grid, 0, most) : grid, scan, options);
}

Cut LargeBackend::find_packed_cut(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) const {
  try {
    return find_cut(*device_, grid, scan, options, memory_, scan.view_count());
  } catch (const InputError&) {
    require_supported(*device_, slab_of(grid, 0, 1), scan, options);  // a refusal of packing comes first
    throw InputError("gpu_memory",
                     fmt::format("{} has no room for a slice and, at once, all views that packing orbit takes",
                                 byte_size_text(memory_)),
                     "give more, or use `packing` auto");
  }
}

std::unique_ptr<LinearOperator> LargeBackend::make_emission(const VolumeGrid& grid, const Scan& scan,
                                                            std::span<const float> attenuation,
                                                            const EmissionOptions& options) {
  require_sound(grid, scan, attenuation, options);
  const auto bytes = [&](const VolumeGrid& g) { return most_bytes_of_emission(g, scan, options); };
  if (memory_ > 0 && bytes(grid) > memory_) {
    const auto fitting = largest_size(grid, true, [&](const VolumeGrid& g) { return bytes(g) <= memory_; });
    throw InputError("gpu_memory",
                     fmt::format("{} is too little for emission, whose volume is not cut: it takes {}",
                                 byte_size_text(memory_), byte_size_text(bytes(grid))),
                     fitting ? fmt::format("give more, or use at most {} x {} x {} voxels", (*fitting)[0],
                                           (*fitting)[1], (*fitting)[2])
                             : "give more");
  }
  return device_->make_emission(grid, scan, attenuation, options);
}

std::unique_ptr<ViewSart> LargeBackend::make_view_sart(const VolumeGrid& grid, const Scan& scan,
                                                       const ViewSartOptions& options) {
  const std::int64_t bytes = bytes_of(grid, scan, 2, 2);
  if (memory_ > 0 && bytes > memory_)
    throw InputError("gpu_memory",
                     fmt::format("{} is too little for SART in place, whose volume is not cut: it takes {}",
                                 byte_size_text(memory_), byte_size_text(bytes)),
                     "give more, take fewer voxels or views, or use `method` sart");
  return device_->make_view_sart(grid, scan, options);
}

std::unique_ptr<ProjectionFilter> LargeBackend::make_filter(const Scan& scan, const FilterOptions& options) {
  return std::make_unique<LargeFilter>(device_->make_filter(scan, options));
}

}  // namespace backlit
