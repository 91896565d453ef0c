#include "large/ranks/ranked_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <set>

#include <backlit/core/error.hpp>
#include <backlit/projectors/emission/emission_options.hpp>
#include <backlit/projectors/sart_in_place/view_sart.hpp>
#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include "device/hosted_array.hpp"
#include "large/cut.hpp"
#include "large/ranks/ranked_filter.hpp"
#include "large/ranks/ranked_operator.hpp"
#include "large/ranks/row_source.hpp"

namespace backlit {
namespace {

void require_alike(const DeviceArray& x, const DeviceArray& y) {
  const RankedArray *a = as_ranked(x), *b = as_ranked(y);
  if (a && b ? !(a->parting() == b->parting()) : a != b)
    throw Failure("ranks", "arrays that are shared in different ways do not go together");
}

/// Numbers that decide where rays run, as one that any difference changes.
class Digest {
 public:
  void add(double number) {
    for (int shift = 0; shift < 64; shift += 8)
      hash_ = (hash_ ^ (std::bit_cast<std::uint64_t>(number) >> shift & 0xff)) * 0x100000001b3;
  }
  void add(const Vec3& v) {
    for (const double number : {v.x, v.y, v.z}) add(number);
  }
  double number() const { return static_cast<double>(hash_ >> 12); }  // all its bits fit a double

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

double digest(const VolumeGrid& grid, const Scan& scan) {
  Digest d;
  for (const std::int64_t n : grid.size) d.add(static_cast<double>(n));
  d.add(grid.spacing);
  d.add(grid.center);
  d.add(static_cast<double>(scan.detector.columns));
  d.add(static_cast<double>(scan.detector.rows));
  for (const View& view : scan.views)
    for (const Vec3& v : {view.source, view.direction, view.center, view.u, view.v}) d.add(v);
  return d.number();
}

}  // namespace

const RankedArray* as_ranked(const DeviceArray& array) { return dynamic_cast<const RankedArray*>(&array); }

DeviceArray& part_of(const DeviceArray& array) {
  const RankedArray* ranked = as_ranked(array);
  return ranked ? ranked->part() : const_cast<DeviceArray&>(array);
}

Capabilities RankedBackend::capabilities() const {
  Capabilities can = device_->capabilities();
  if (least_memory_ >= 0) can.memory_bytes = least_memory_;
  return can;
}

VolumeGrid RankedBackend::held(const VolumeGrid& grid) const {
  require_slices(grid.size[2], ranks_->size());
  const IndexRange slices = slices_of_rank(grid.size[2], ranks_->size(), ranks_->rank());
  return slab_of(grid, slices.first, slices.count);
}

IndexRange RankedBackend::rows_in_use(const VolumeGrid& grid, const Scan& scan, bool filtered) const {
  CtOptions options;
  options.weighting = filtered ? Weighting::fdk : Weighting::none;
  return share_among_ranks(grid, scan, options, ranks_->size())[static_cast<std::size_t>(ranks_->rank())].rows;
}

ArrayPtr RankedBackend::make_array(const ArrayShape& shape) {
  if (shape.count() > 1)
    throw Unsupported("ranks", "this method wants a whole volume on one device", "run it in one process");
  return device_->make_array(shape);
}

ArrayPtr RankedBackend::make_like(const DeviceArray& array) {
  const RankedArray* ranked = as_ranked(array);
  ArrayPtr part = device_->make_like(part_of(array));
  if (!ranked) return part;
  return std::make_unique<RankedArray>(ranked->shape(), ranked->shared_parting(), std::move(part));
}

ArrayPtr RankedBackend::rows(DeviceArray& array, std::int64_t first, std::int64_t count) {
  const RankedArray* ranked = as_ranked(array);
  if (ranked && ranked->in_slices()) return nullptr;
  ArrayPtr part = device_->rows(part_of(array), first, count);
  if (!ranked || !part) return part;
  const ArrayShape& s = ranked->shape();
  return std::make_unique<RankedArray>(ArrayShape{s.n0, s.n1, count}, ranked->shared_parting(), std::move(part));
}

bool RankedBackend::download_rows(const DeviceArray& array, std::int64_t first, std::span<float> host) {
  const auto* const own = dynamic_cast<const SelfDownloading*>(&array);
  if (!own) return device_->download_rows(part_of(array), first, host);
  own->download_rows(first, host);
  return true;
}

void RankedBackend::fill(DeviceArray& y, float value) { device_->fill(part_of(y), value); }
void RankedBackend::copy(const DeviceArray& x, DeviceArray& y) {
  require_alike(x, y);
  device_->copy(part_of(x), part_of(y));
}
void RankedBackend::scale(DeviceArray& y, float factor) { device_->scale(part_of(y), factor); }
void RankedBackend::axpy(float factor, const DeviceArray& x, DeviceArray& y) {
  require_alike(x, y);
  device_->axpy(factor, part_of(x), part_of(y));
}
void RankedBackend::subtract_from(const DeviceArray& x, DeviceArray& y) {
  require_alike(x, y);
  device_->subtract_from(part_of(x), part_of(y));
}
void RankedBackend::multiply(const DeviceArray& x, DeviceArray& y) {
  require_alike(x, y);
  device_->multiply(part_of(x), part_of(y));
}
void RankedBackend::divide(const DeviceArray& x, DeviceArray& y, float floor) {
  require_alike(x, y);
  device_->divide(part_of(x), part_of(y), floor);
}
void RankedBackend::clamp(DeviceArray& y, float low, float high) { device_->clamp(part_of(y), low, high); }
void RankedBackend::exponential(DeviceArray& y) { device_->exponential(part_of(y)); }

const DeviceArray& RankedBackend::counted(const RankedArray& x) {
  const Parting& parting = x.parting();
  const IndexRange& mine = parting.mine();
  std::vector<char> counts;
  for (std::int64_t row = mine.first; row < mine.end(); ++row) counts.push_back(parting.owner(row) == parting.rank());
  if (std::ranges::count(counts, 1) == mine.count) return x.part();
  if (!counts_for_ || !(*counts_for_ == parting) || !room_to_count(x.part().shape())) {
    counts_.reset();
    counted_.reset();
    counts_ = device_->make_like(x.part());
    counted_ = device_->make_like(x.part());
    counts_for_ = x.shared_parting();
    std::vector<float> host;
    for (std::int64_t view = 0; view < x.shape().n2; ++view)
      for (const char count : counts) host.insert(host.end(), static_cast<std::size_t>(x.shape().n0), count);
    device_->upload(host, *counts_);
    room_to_count(x.part().shape());
  }
  DeviceArray& counted = first_counted_ ? *first_counted_ : *counted_;
  device_->copy(x.part(), counted);
  device_->multiply(first_counts_ ? *first_counts_ : *counts_, counted);
  return counted;
}

/// Whether there are counts for so many views, or more.
bool RankedBackend::room_to_count(const ArrayShape& views) {
  if (!counts_ || counts_->shape().n0 != views.n0 || counts_->shape().n1 != views.n1 || counts_->shape().n2 < views.n2)
    return false;
  first_counted_ = counts_->shape().n2 == views.n2 ? nullptr : device_->rows(*counted_, 0, views.n2);
  first_counts_ = first_counted_ ? device_->rows(*counts_, 0, views.n2) : nullptr;
  return first_counts_ || counts_->shape().n2 == views.n2;
}

double RankedBackend::dot(const DeviceArray& x, const DeviceArray& y) {
  require_alike(x, y);
  const RankedArray* ranked = as_ranked(x);
  if (!ranked) return device_->dot(x, y);
  return ranks_->sum(device_->dot(ranked->in_slices() ? ranked->part() : counted(*ranked), part_of(y)));
}

double RankedBackend::sum(const DeviceArray& x) {
  const RankedArray* ranked = as_ranked(x);
  if (!ranked) return device_->sum(x);
  return ranks_->sum(device_->sum(ranked->in_slices() ? ranked->part() : counted(*ranked)));
}

float RankedBackend::maximum(const DeviceArray& x) {
  const RankedArray* ranked = as_ranked(x);
  if (!ranked) return device_->maximum(x);
  return static_cast<float>(ranks_->maximum(device_->maximum(ranked->part())));
}

std::unique_ptr<LinearOperator> RankedBackend::make_ct(const VolumeGrid& grid, const Scan& scan,
                                                       const CtOptions& options) {
  grid.check("grid");
  scan.check("scan");
  // Only projections are added up.
  const bool projects = options.weighting == Weighting::none;
  const double doubles = projects && device_->name() == "cpu" ? 1 : 0;
  if (ranks_->minimum(doubles) < ranks_->maximum(doubles))
    throw InputError("ranks",
                     fmt::format("some of them iterate on cpu, which keeps doubles, others on cards or gl{}{}",
                                 unlike_.empty() ? "" : "; ", unlike_),
                     "give all ranks the same `backend`");
  auto made = std::make_unique<RankedOperator>(*ranks_, projects ? link() : nullptr, *device_, grid, scan, options);
  made->prefer_whole(agree(grid, scan, made->slab_prefers_whole()));
  return made;
}

std::shared_ptr<RowLink> RankedBackend::link() {
  if (link_) return *link_;
  auto* const card = dynamic_cast<LinksRows*>(&device_->innermost());
  const std::string name = card ? card->card_name() : std::string();
  Digest digest;
  for (const char c : name) digest.add(c);
  const double mine[] = {name.empty() ? 0 : 1.0, digest.number()};
  const std::vector<double> all = ranks_->gather(mine);
  std::set<double> cards;
  bool all_have_one = true;
  for (std::size_t r = 0; r < all.size(); r += std::size(mine)) {
    all_have_one = all_have_one && all[r] > 0;
    cards.insert(all[r + 1]);
  }
  link_ = all_have_one && ranks_->size() > 1 ? card->link_rows(ranks_, std::ssize(cards) == ranks_->size()) : nullptr;
  return *link_;
}

bool RankedBackend::agree(const VolumeGrid& grid, const Scan& scan, bool here) {
  constexpr std::size_t numbers = 3;
  const double mine[numbers] = {static_cast<double>(device_->capabilities().memory_bytes), digest(grid, scan),
                                here ? 1.0 : 0.0};
  const std::vector<double> all = ranks_->gather(mine);
  bool everywhere = true;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; numbers * r < all.size(); ++r) {
    const auto of_rank = std::span(all).subspan(numbers * r, numbers);
    if (of_rank[0] > 0) least = std::min(least, of_rank[0]);
    everywhere = everywhere && of_rank[2] > 0;
    if (of_rank[1] != all[1])
      throw InputError("ranks", fmt::format("rank {} has another volume or scan than rank 0", r),
                       "give all ranks the same files and options");
  }
  least_memory_ = least < std::numeric_limits<double>::infinity() ? static_cast<std::int64_t>(least) : 0;
  return everywhere;
}

std::shared_ptr<ProjectionSource> RankedBackend::source_of_rows(std::shared_ptr<ProjectionSource> source,
                                                                const VolumeGrid& grid) const {
  const IndexRange rows = rows_in_use(grid, source->scan(), true);
  return rows_of_source(std::move(source), rows, *ranks_);
}

std::unique_ptr<FdkPipeline> RankedBackend::make_fdk_pipeline(const Scan& scan, const VolumeGrid& grid,
                                                              const FdkPipelineOptions& options) {
  auto made = device_->make_fdk_pipeline(rows_of_scan(scan, rows_in_use(grid, scan, true)), held(grid), options);
  if (!agree(grid, scan, made != nullptr)) return nullptr;
  return made;
}

Support RankedBackend::supports(const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
  return device_->supports(held(grid), scan, options);
}

std::int64_t RankedBackend::plan_bytes(const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                                       std::int64_t views) const {
  // Whoever asks for a single slice means it.
  return device_->plan_bytes(grid.size[2] < ranks_->size() ? grid : held(grid), scan, options, views);
}

std::unique_ptr<ProjectionFilter> RankedBackend::make_filter(const Scan& scan, const FilterOptions& options) {
  return std::make_unique<RankedFilter>(*device_, scan, options);
}

std::unique_ptr<ViewSart> RankedBackend::make_view_sart(const VolumeGrid&, const Scan&, const ViewSartOptions&) {
  throw Unsupported("method", "SART in place has the whole volume on one device, and no ranks",
                    "use `method` sart, or run it in one process");
}

std::unique_ptr<LinearOperator> RankedBackend::make_emission(const VolumeGrid&, const Scan&, std::span<const float>,
                                                             const EmissionOptions&) {
  throw Unsupported("model", "emission has the whole volume on one device, and no ranks", "run it in one process");
}

}  // namespace backlit
