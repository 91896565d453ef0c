#include "large/large_operator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "large/seen_views.hpp"
#include "recon/method_bytes.hpp"

namespace backlit {
namespace {

constexpr std::size_t x_slot = 0, y_slot = 1, gather_slot = 2;

/// The number of slabs whose plans fit in memory at a time, including the slab at work.
std::size_t most_plans(const Backend& device, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                       const Cut& cut, std::int64_t memory) {
  const std::int64_t slabs = (grid.size[2] + cut.slices - 1) / cut.slices;
  if (memory == 0 || slabs == 1) return static_cast<std::size_t>(slabs);
  const VolumeGrid slab = slab_of(grid, 0, cut.slices);
  const std::int64_t left = memory / 2 - working_bytes(device, slab, scan, options, cut.views),
                     plan = std::max<std::int64_t>(1, device.plan_bytes(slab, scan, options, cut.views));
  return static_cast<std::size_t>(1 + std::max<std::int64_t>(0, left) / plan);
}

}  // namespace

LargeOperator::LargeOperator(Backend& device, std::shared_ptr<Budget> budget, const VolumeGrid& grid, const Scan& scan,
                             const CtOptions& options, const Cut& cut, std::int64_t memory)
    : device_(device),
      budget_(std::move(budget)),
      grid_(grid),
      scan_(scan),
      options_(options),
      cut_(cut),
      most_plans_(most_plans(device, grid, scan, options, cut, memory)),
      staging_(std::make_shared<Staging>(device)) {
  const std::int64_t slabs = (grid.size[2] + cut.slices - 1) / cut.slices;
  const LinearOperator& first = plan_for(0, cut.slices);
  variant_ = first.variant() + (slabs > 1 ? fmt::format(",slabs={}", slabs) : "");
  matched_ = first.matched();
  packs_ = first.prefers_whole();
  const std::int64_t bytes = grid_.voxels() * static_cast<std::int64_t>(sizeof(float));
  pages_ = slabs > 1 && budget_->limit() > 0 && bytes > budget_->limit();
}

/// When nothing is cut, arrays are ordinary arrays of the device.
ArrayPtr LargeOperator::make_array(const ArrayShape& shape, std::int64_t rows) {
  if (cut_.whole) return device_.make_array(shape);
  return std::make_unique<LargeArray>(shape, rows, staging_, budget_);
}

LinearOperator& LargeOperator::plan_for(std::int64_t first, std::int64_t count) {
  const auto found = std::ranges::find_if(plans_, [&](const Plan& p) { return p.first == first && p.count == count; });
  if (found != plans_.end()) {
    std::rotate(found, found + 1, plans_.end());
    return *plans_.back().ct;
  }
  // Slabs are used in a cycle, so the plan used last is the one that is needed latest.
  if (plans_.size() >= most_plans_) plans_.pop_back();
  const VolumeGrid slab = slab_of(grid_, first, count);
  plans_.push_back(
      {first, count, of_seen_views(device_, device_.make_ct(slab, scan_, options_), views_seen(slab, scan_))});
  return *plans_.back().ct;
}

/// Drops plans of slabs that the array does not have: most_plans_ does not count them.
std::vector<ArrayPart> LargeOperator::slabs_of(const DeviceArray& x) {
  if (x.shape() != domain())
    throw Failure("large operator", "the volume's array has another shape than the plan's grid");
  std::vector<ArrayPart> slabs = parts_of(x);
  std::erase_if(plans_, [&](const Plan& plan) {
    return std::ranges::none_of(
        slabs, [&](const ArrayPart& slab) { return slab.first == plan.first && slab.count() == plan.count; });
  });
  if (const auto* large = dynamic_cast<const LargeArray*>(&x)) pages_ = pages_ || large->paged();
  return slabs;
}

std::vector<LargeOperator::Batch> LargeOperator::batches(const DeviceArray& y, const std::vector<ArrayPart>& parts,
                                                         const Subset& s) const {
  const SubsetRows rows(range(), s, y.shape());
  std::vector<Batch> list;
  if (y.shape().n2 != scan_.view_count()) {  // the array holds only the subset's rows
    for (const ArrayPart& p : parts) list.push_back({&p, {rows.row(p.first), p.count(), s.stride}, 0, 0});
    return list;
  }
  const auto index_from = [&](std::int64_t row) {  // index of the subset's first row that is not below `row`
    return row <= s.first ? 0 : std::min(s.count, (row - s.first + s.stride - 1) / s.stride);
  };
  for (const ArrayPart& p : parts) {
    const std::int64_t from = index_from(p.first), count = index_from(p.first + p.count()) - from;
    if (count == 0) continue;
    const Subset views{rows.row(from), count, s.stride};
    const bool as_it_is = count == p.count() || p.count() == scan_.view_count();
    list.push_back({&p, views, views.first - p.first, as_it_is ? 0 : s.stride});
  }
  return list;
}

/// Calls f(array on the device). The array holds exactly the batch's rows, or all rows of the operator.
template <class F>
void LargeOperator::use(const Batch& batch, Access access, F&& f) {
  const ArrayPart& p = *batch.part;
  if (batch.stride == 0) return p.use(access, y_slot, f);
  const std::int64_t pixels = scan_.detector.pixels();
  std::vector<float> all, some(static_cast<std::size_t>(batch.views.count * pixels));
  std::span<float> values = p.host;
  if (p.device) {
    all.resize(static_cast<std::size_t>(p.shape.count()));
    values = all;
    device_.download(*p.device, values);
  }
  const auto for_rows = [&](auto&& g) {
    for (std::int64_t i = 0; i < batch.views.count; ++i)
      g(values.begin() + (batch.first + i * batch.stride) * pixels, some.begin() + i * pixels);
  };
  for_rows([&](auto from, auto to) { std::copy_n(from, pixels, to); });
  DeviceArray& gathered = staging_->slot(gather_slot, shape_of(scan_.detector, batch.views.count));
  device_.upload(some, gathered);
  f(gathered);
  if (access == Access::read) return;
  device_.download(gathered, some);
  for_rows([&](auto to, auto from) { std::copy_n(from, pixels, to); });
  if (p.device) device_.upload(values, *p.device);
}

void LargeOperator::forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) {
  const auto slabs = slabs_of(x), views = parts_of(y);
  const auto parts = batches(y, views, subset);
  for (const ArrayPart& slab : slabs) {
    const Write how = &slab == &slabs.front() ? write : Write::accumulate;
    const Access access = how == Write::overwrite ? Access::write : Access::update;
    LinearOperator& plan = plan_for(slab.first, slab.count());
    slab.use(Access::read, x_slot, [&](DeviceArray& volume) {
      for (const Batch& b : parts)
        use(b, access, [&](DeviceArray& images) { plan.forward(volume, images, b.views, how); });
    });
  }
}

void LargeOperator::back_into(const ArrayPart& slab, const std::vector<Batch>& views, Write write) {
  LinearOperator& plan = plan_for(slab.first, slab.count());
  slab.use(write == Write::overwrite ? Access::write : Access::update, x_slot, [&](DeviceArray& volume) {
    if (views.empty() && write == Write::overwrite) device_.fill(volume, 0);
    for (const Batch& b : views) {
      const Write how = &b == &views.front() ? write : Write::accumulate;
      use(b, Access::read, [&](DeviceArray& images) { plan.back(images, volume, b.views, how); });
    }
  });
}

void LargeOperator::back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) {
  const auto slabs = slabs_of(x), views = parts_of(y);
  const auto parts = batches(y, views, subset);
  for (const ArrayPart& slab : slabs) back_into(slab, parts, write);
}

std::int64_t LargeOperator::back_slab(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write,
                                      std::int64_t first) {
  const auto slabs = slabs_of(x), views = parts_of(y);
  const auto slab = std::ranges::find(slabs, first, &ArrayPart::first);
  if (slab == slabs.end()) throw Failure("large operator", fmt::format("no slab begins with slice {}", first));
  back_into(*slab, batches(y, views, subset), write);
  return slab + 1 == slabs.end() ? 0 : first + slab->count();
}

std::int64_t LargeOperator::slab_slices(const DeviceArray& x) const {
  std::int64_t most = 0;
  for (const ArrayPart& slab : parts_of(x)) most = std::max(most, slab.count());
  return most;
}

bool LargeOperator::relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset& subset) {
  const auto slabs = slabs_of(x), views = parts_of(y);
  const auto parts = batches(y, views, subset);
  if (parts.size() != 1) return false;
  bool done = true;
  use(parts.front(), Access::read, [&](DeviceArray& images) {
    for (const ArrayPart& slab : slabs) {
      LinearOperator& plan = plan_for(slab.first, slab.count());
      slab.use(Access::update, x_slot,
               [&](DeviceArray& volume) { done = plan.relax(images, volume, factor, least, parts.front().views); });
      if (!done && &slab == &slabs.front()) return;
      if (!done) throw Failure("large operator", "one slab refuses what another did");
    }
  });
  return done;
}

void LargeOperator::sensitivity(DeviceArray& x, const Subset& subset) {
  for (const ArrayPart& slab : slabs_of(x)) {
    LinearOperator& plan = plan_for(slab.first, slab.count());
    slab.use(Access::write, x_slot, [&](DeviceArray& volume) { plan.sensitivity(volume, subset); });
  }
}

}  // namespace backlit
