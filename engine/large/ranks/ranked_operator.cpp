#include "large/ranks/ranked_operator.hpp"

#include <backlit/core/error.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "large/cut.hpp"
#include "large/ranks/ranked_backend.hpp"
#include "large/seen_views.hpp"
#include "projectors/voxel_driven/cpu.hpp"

namespace backlit {
namespace {

/// On the cpu, filtered backprojection keeps the coordinates of the whole: its bits are those of one process.
std::unique_ptr<LinearOperator> make_slab(Backend& device, const VolumeGrid& grid, const Scan& scan,
                                          const CtOptions& options, const RankShare& share) {
  const VolumeGrid slab = slab_of(grid, share.slices.first, share.slices.count);
  const Scan rows = rows_of_scan(scan, share.rows);
  if (device.name() != "cpu" || options.model != Model::voxel_driven) return device.make_ct(slab, rows, options);
  device.make_ct(slab, rows, options);  // throws where it refuses the options
  return std::make_unique<CpuVoxelDriven>(grid, scan, options.weighting, options.interpolation, share.slices,
                                          share.rows);
}

}  // namespace

RankedOperator::RankedOperator(Ranks& ranks, std::shared_ptr<RowLink> link, Backend& device, const VolumeGrid& grid,
                               const Scan& scan, const CtOptions& options)
    : ranks_(ranks),
      link_(std::move(link)),
      device_(device),
      grid_(grid),
      detector_(scan.detector),
      views_(scan.view_count()) {
  const std::vector<RankShare> shares = share_among_ranks(grid, scan, options, ranks.size());
  std::vector<IndexRange> slices, rows;
  for (const RankShare& share : shares) {
    slices.push_back(share.slices);
    rows.push_back(share.rows);
  }
  slices_ = std::make_shared<Parting>(Parting::Axis::slices, std::move(slices), ranks.rank());
  rows_ = std::make_shared<Parting>(Parting::Axis::rows, std::move(rows), ranks.rank());
  const RankShare& mine = shares[static_cast<std::size_t>(ranks.rank())];
  slab_ = of_seen_views(device, make_slab(device, grid, scan, options, mine),
                        views_seen(slab_of(grid, mine.slices.first, mine.slices.count), scan));
}

ArrayPtr RankedOperator::make_domain() {
  return std::make_unique<RankedArray>(domain(), slices_, slab_->make_domain());
}

ArrayPtr RankedOperator::make_range(std::int64_t rows) {
  return std::make_unique<RankedArray>(shape_of(detector_, rows), rows_, slab_->make_range(rows));
}

void RankedOperator::forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) {
  DeviceArray& to = part_of(y);
  const SubsetRows rows(range(), subset, y.shape());
  const bool compact = to.shape().n2 == subset.count;
  if (compact && write == Write::overwrite) {
    slab_->forward(part_of(x), to, subset, Write::overwrite);
    return sums_.add_up(ranks_, link_.get(), device_, *rows_, to);
  }
  const ArrayPtr images = slab_->make_range(subset.count);
  slab_->forward(part_of(x), *images, subset, Write::overwrite);
  sums_.add_up(ranks_, link_.get(), device_, *rows_, *images);
  if (compact) return device_.axpy(1, *images, to);
  for (std::int64_t i = 0; i < subset.count; ++i) {
    const ArrayPtr one = device_.rows(*images, i, 1), place = device_.rows(to, rows.slot(i), 1);
    if (!one || !place) throw Unsupported("ranks", "views of this layout cannot be projected one by one");
    write == Write::overwrite ? device_.copy(*one, *place) : device_.axpy(1, *one, *place);
  }
}

void RankedOperator::back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) {
  slab_->back(part_of(y), part_of(x), subset, write);
}

std::int64_t RankedOperator::back_slab(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write,
                                       std::int64_t first) {
  if (auto* const slabs = dynamic_cast<Slabwise*>(slab_.get()))
    return slabs->back_slab(part_of(y), part_of(x), subset, write, first);
  back(y, x, subset, write);
  return 0;
}

bool RankedOperator::in_slabs(const DeviceArray& x) const {
  const auto* const slabs = dynamic_cast<const Slabwise*>(slab_.get());
  return slabs && slabs->in_slabs(part_of(x));
}

std::int64_t RankedOperator::slab_slices(const DeviceArray& x) const {
  const auto* const slabs = dynamic_cast<const Slabwise*>(slab_.get());
  return slabs ? slabs->slab_slices(part_of(x)) : part_of(x).shape().n2;
}

void RankedOperator::sensitivity(DeviceArray& x, const Subset& subset) { slab_->sensitivity(part_of(x), subset); }

bool RankedOperator::relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset& subset) {
  return slab_->relax(part_of(y), part_of(x), factor, least, subset);
}

}  // namespace backlit
