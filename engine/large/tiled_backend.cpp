#include "large/tiled_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>
#include <backlit/device/unsupported.hpp>
#include <backlit/geometry/quarter_turns.hpp>
#include "large/tiled_emission.hpp"
#include "large/tiled_operator.hpp"

namespace backlit {
namespace {

const TiledArray* as_tiled(const DeviceArray& array) { return dynamic_cast<const TiledArray*>(&array); }

void check_count(std::size_t host, const DeviceArray& array) {
  if (static_cast<std::int64_t>(host) != array.count())
    throw Failure("tiled array", fmt::format("{} values on the host, {} in the array", host, array.count()));
}

/// f(y on the device) for each tile.
template <class F>
void each(const DeviceArray& y, Access access, F&& f) {
  for (const Tile& t : tiles_of(y)) t.use(access, 0, f);
}

bool cut_alike(std::span<const Tile> a, std::span<const Tile> b) {
  return std::ranges::equal(a, b, {}, &Tile::box, &Tile::box);
}

/// Whether they are one thing to operators that want other tiles.
bool of_other_tiles(const DeviceArray& a, const DeviceArray& b) {
  return a.shape() == b.shape() && !cut_alike(tiles_of(a), tiles_of(b));
}

/// f(x on the device, y on the device) for each tile.
template <class F>
void each(const DeviceArray& x, const DeviceArray& y, Access access, F&& f) {
  const auto from = tiles_of(x), to = tiles_of(y);
  if (!cut_alike(from, to)) throw Failure("tiled array", "arrays that are cut differently do not go together");
  for (std::size_t i = 0; i < to.size(); ++i)
    from[i].use(Access::read, 1, [&](DeviceArray& a) { to[i].use(access, 0, [&](DeviceArray& b) { f(a, b); }); });
}

/// Filters into tiles that may lie in host memory.
class TiledFilter final : public ProjectionFilter {
 public:
  explicit TiledFilter(std::unique_ptr<ProjectionFilter> filter) : filter_(std::move(filter)) {}

  const Scan& scan() const override { return filter_->scan(); }
  void run(std::int64_t first, std::span<const float> views, DeviceArray& out) override {
    if (out.shape().n2 == 0) return;
    const std::size_t view = views.size() / static_cast<std::size_t>(out.shape().n2);
    for (const Tile& t : tiles_of(out)) {
      const auto skip = static_cast<std::size_t>(t.box.first[2]), count = static_cast<std::size_t>(t.box.size[2]);
      t.use(Access::write, 0, [&](DeviceArray& filtered) {
        filter_->run(first + t.box.first[2], views.subspan(skip * view, count * view), filtered);
      });
    }
  }

  void run_on_device(std::int64_t first, const DeviceArray& views, DeviceArray& out) override {
    const std::vector<Tile> from = tiles_of(views), to = tiles_of(out);
    if (from.size() != 1 || to.size() != 1)
      throw Unsupported("filter", "the views do not fit the device", "filter them from the host, in batches");
    from[0].use(Access::read, 0, [&](DeviceArray& raw) {
      to[0].use(Access::write, 1, [&](DeviceArray& filtered) { filter_->run_on_device(first, raw, filtered); });
    });
  }

 private:
  std::unique_ptr<ProjectionFilter> filter_;
};

/// Of so many volumes and sets of views.
std::int64_t bytes_of(const VolumeGrid& grid, const Scan& scan, std::int64_t volumes, std::int64_t views) {
  const std::int64_t values = volumes * grid.voxels() + views * scan.view_count() * scan.detector.pixels();
  return values * static_cast<std::int64_t>(sizeof(float));
}

}  // namespace

TiledBackend::TiledBackend(std::unique_ptr<Backend> device, std::int64_t memory_bytes)
    : device_(std::move(device)),
      memory_(memory_bytes > 0 ? memory_bytes : device_->capabilities().memory_bytes),
      budget_(std::make_shared<Budget>(memory_ / 2)) {}

Capabilities TiledBackend::capabilities() const {
  Capabilities can = device_->capabilities();
  can.memory_bytes = memory_;
  can.largest_side = can.most_slices = can.largest_box = 0;
  return can;
}

ArrayPtr TiledBackend::make_like(const DeviceArray& a) {
  const TiledArray* tiled = as_tiled(a);
  return tiled ? tiled->make_like() : device_->make_like(a);
}

ArrayPtr TiledBackend::rows(DeviceArray& a, std::int64_t first, std::int64_t count) {
  const TiledArray* tiled = as_tiled(a);
  return tiled ? tiled->rows(first, count) : device_->rows(a, first, count);
}

void TiledBackend::upload(std::span<const float> host, DeviceArray& a) {
  auto* tiled = dynamic_cast<TiledArray*>(&a);
  if (!tiled) return device_->upload(host, a);
  check_count(host.size(), a);
  tiled->upload(host);
}

void TiledBackend::download(const DeviceArray& a, std::span<float> host) {
  const TiledArray* tiled = as_tiled(a);
  if (!tiled) return device_->download(a, host);
  check_count(host.size(), a);
  tiled->download(host);
}

std::int64_t TiledBackend::stored_bytes(const DeviceArray& a) const {
  return as_tiled(a) ? Backend::stored_bytes(a) : device_->stored_bytes(a);
}
void TiledBackend::store(const DeviceArray& a, std::span<std::byte> host) {
  as_tiled(a) ? Backend::store(a, host) : device_->store(a, host);
}
void TiledBackend::restore(std::span<const std::byte> host, DeviceArray& a) {
  as_tiled(a) ? Backend::restore(host, a) : device_->restore(host, a);
}

void TiledBackend::fill(DeviceArray& y, float value) {
  each(y, Access::write, [&](DeviceArray& b) { device_->fill(b, value); });
}
void TiledBackend::copy(const DeviceArray& x, DeviceArray& y) {
  if (of_other_tiles(x, y)) {
    HostArray<float> values(x.count());
    download(x, values.span());
    return upload(values.span(), y);
  }
  each(x, y, Access::write, [&](DeviceArray& a, DeviceArray& b) { device_->copy(a, b); });
}
void TiledBackend::scale(DeviceArray& y, float factor) {
  each(y, Access::update, [&](DeviceArray& b) { device_->scale(b, factor); });
}
void TiledBackend::axpy(float factor, const DeviceArray& x, DeviceArray& y) {
  if (of_other_tiles(x, y)) {
    const ArrayPtr alike = make_like(y);
    copy(x, *alike);
    return axpy(factor, *alike, y);
  }
  each(x, y, Access::update, [&](DeviceArray& a, DeviceArray& b) { device_->axpy(factor, a, b); });
}
void TiledBackend::subtract_from(const DeviceArray& x, DeviceArray& y) {
  each(x, y, Access::update, [&](DeviceArray& a, DeviceArray& b) { device_->subtract_from(a, b); });
}
void TiledBackend::multiply(const DeviceArray& x, DeviceArray& y) {
  each(x, y, Access::update, [&](DeviceArray& a, DeviceArray& b) { device_->multiply(a, b); });
}
void TiledBackend::divide(const DeviceArray& x, DeviceArray& y, float floor) {
  each(x, y, Access::update, [&](DeviceArray& a, DeviceArray& b) { device_->divide(a, b, floor); });
}
void TiledBackend::clamp(DeviceArray& y, float low, float high) {
  each(y, Access::update, [&](DeviceArray& b) { device_->clamp(b, low, high); });
}
void TiledBackend::exponential(DeviceArray& y) {
  each(y, Access::update, [&](DeviceArray& b) { device_->exponential(b); });
}

double TiledBackend::dot(const DeviceArray& x, const DeviceArray& y) {
  if (&x == &y) {
    double square = 0;
    each(x, Access::read, [&](DeviceArray& a) { square += device_->dot(a, a); });
    return square;
  }
  double total = 0;
  each(x, y, Access::read, [&](DeviceArray& a, DeviceArray& b) { total += device_->dot(a, b); });
  return total;
}

void TiledBackend::add_square(const DeviceArray& x, DeviceArray& total) {
  each(x, Access::read, [&](DeviceArray& a) { device_->add_square(a, total); });
}

double TiledBackend::sum(const DeviceArray& x) {
  double total = 0;
  each(x, Access::read, [&](DeviceArray& a) { total += device_->sum(a); });
  return total;
}

float TiledBackend::maximum(const DeviceArray& x) {
  float largest = -std::numeric_limits<float>::infinity();
  each(x, Access::read, [&](DeviceArray& a) {
    // Not a number where any is: what went wrong must show.
    if (const float m = device_->maximum(a); m > largest || std::isnan(m)) largest = m;
  });
  return largest;
}

std::unique_ptr<LinearOperator> TiledBackend::make_packed(const VolumeGrid& grid, const Scan& scan,
                                                          const CtOptions& options) {
  const auto make = [&](std::int64_t views) -> std::unique_ptr<TiledOperator> {
    const auto tiling = find_tiling_in_slabs(*device_, grid, scan, options, memory_, views);
    if (!tiling) return nullptr;
    return std::make_unique<TiledOperator>(*device_, budget_, grid, scan, options, *tiling);
  };
  if (auto all = make(scan.view_count()); all && all->packs()) return all;
  if (!find_quarter_turns(scan, grid).in_order()) return nullptr;
  auto groups = make(std::max<std::int64_t>(4, views_at_a_time(scan, memory_) / 4 * 4));
  return groups && !groups->packs() ? std::move(groups) : nullptr;  // one that packs whole scans alone packs none
}

std::unique_ptr<LinearOperator> TiledBackend::make_ct(const VolumeGrid& grid, const Scan& scan,
                                                      const CtOptions& options) {
  grid.check("grid");
  scan.check("scan");
  if (fits_whole(*device_, grid, scan, options, memory_)) return device_->make_ct(grid, scan, options);
  CtOptions part = options;
  std::int64_t views = 0;
  const bool back = options.model == Model::voxel_driven, slices = options.model == Model::joseph;
  const bool asked = options.packing == Packing::orbit && (back || slices);
  if (asked || (back && options.packing == Packing::automatic)) {
    if (auto packed = make_packed(grid, scan, options)) return packed;
    if (!asked) {
      part.packing = Packing::none;
    } else {
      views = scan.view_count();
      if (!find_tiling_in_slabs(*device_, grid, scan, options, memory_, views)) refuse_packing(grid, scan, options);
    }
  }
  const Tiling tiling = find_tiling(*device_, grid, scan, part, memory_, views);
  return std::make_unique<TiledOperator>(*device_, budget_, grid, scan, part, tiling);
}

void TiledBackend::refuse_packing(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) const {
  device_->make_tile(grid, {{0, 0, 0}, {grid.size[0], grid.size[1], 1}}, scan, options);  // what it has against it
  const std::int64_t side = device_->capabilities().largest_side;
  if (side > 0 && std::max(grid.size[0], grid.size[1]) > side)
    throw Unsupported("packing orbit", "slices do not fit the device's textures", "use --packing auto");
  throw InputError("--gpu-memory",
                   fmt::format("{} has no room for whole slices and, at once, all views that packing orbit takes",
                               byte_size_text(memory_)),
                   "give more, or use --packing auto");
}

std::int64_t TiledBackend::plan_bytes(const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                                      std::int64_t views) const {
  return device_->plan_bytes(grid, scan, options, views);
}

std::unique_ptr<LinearOperator> TiledBackend::make_emission(const VolumeGrid& grid, const Scan& scan,
                                                            std::span<const float> attenuation,
                                                            const EmissionOptions& options) {
  require_sound(grid, scan, attenuation, options);
  const Capabilities can = device_->capabilities();
  const std::int64_t side = std::max({grid.size[0], grid.size[1], grid.size[2]});
  const auto within = [](std::int64_t n, std::int64_t most) { return most == 0 || n <= most; };
  const bool facing = options.slices == EmissionOptions::Slices::facing;
  const bool fits = memory_ == 0 || most_bytes_of_emission(grid, scan, options) <= memory_;
  if (fits && within(std::max(side, scan.view_count()), can.most_slices) && (!facing || within(side, can.largest_box)))
    return device_->make_emission(grid, scan, attenuation, options);
  auto parts = TiledEmission::make({*device_, budget_, memory_}, {grid, scan, attenuation, options});
  return parts ? std::move(parts) : device_->make_emission(grid, scan, attenuation, options);
}

std::unique_ptr<ViewSart> TiledBackend::make_view_sart(const VolumeGrid& grid, const Scan& scan,
                                                       const std::string& variant) {
  const std::int64_t bytes = bytes_of(grid, scan, 2, 2);
  if (memory_ > 0 && bytes > memory_)
    throw InputError("--gpu-memory",
                     fmt::format("{} is too little for SART in place, whose volume is not cut: it takes {}",
                                 byte_size_text(memory_), byte_size_text(bytes)),
                     "give more, take fewer voxels or views, or leave --variant out");
  return device_->make_view_sart(grid, scan, variant);
}

std::unique_ptr<ProjectionFilter> TiledBackend::make_filter(const Scan& scan, const FilterOptions& options) {
  return std::make_unique<TiledFilter>(device_->make_filter(scan, options));
}

}  // namespace backlit
