#include "recon/subset_relaxation.hpp"

#include <algorithm>
#include <limits>

namespace backlit {
namespace {

/// Rays with less than this share of the longest ray's length in the grid are ignored. They meet only its edge, and the
/// voxels there would get all that such a ray crosses outside the grid, divided by so little.
constexpr float grazing_ray = 1e-3f;

}  // namespace

SubsetRelaxation::SubsetRelaxation(const ReconInput& input, const IterationOptions& options,
                                   const SubsetOptions& subsets, const RelaxationOptions& relaxation)
    : IterativeReconstruction(input, options, subsets, 1, relaxation.nonnegative),
      change_(operator_->make_domain()),
      relaxation_(relaxation),
      ones_(operator_->make_domain()) {
  backend_.fill(*ones_, 1);
  apply_mask(*ones_);
}

void SubsetRelaxation::prepare(ViewBlock& block) {
  block.extra = operator_->make_range(block.views.count);
  operator_->forward(*ones_, *block.extra, block.views, Write::overwrite);
  longest_ = std::max(longest_, backend_.maximum(*block.extra));
}

void SubsetRelaxation::begin() {
  for (ViewBlock& block : blocks_) {
    DeviceArray& weights = scratch(block);
    backend_.fill(weights, 1);
    backend_.divide(*block.extra, weights, grazing_ray * longest_);
    backend_.copy(weights, *block.extra);
  }
}

void SubsetRelaxation::take(const MethodOptions& options) {
  relaxation_ = dynamic_cast<const RelaxationOptions&>(options);
}

void SubsetRelaxation::visit(int, ViewBlock& block) {
  DeviceArray& residual = scratch(block);
  project(*volume_, residual, block.views);
  weigh_residual(*block.data, *block.extra, residual);
  if (relax(residual, block)) return;
  backproject(residual, *change_, block.views, first_overwrites(block));
  if (block.closes) update(block.subset);
}

float SubsetRelaxation::least() const { return relaxation_.nonnegative ? 0 : std::numeric_limits<float>::lowest(); }

/// Does the whole correction in one pass, if the operator can and the subset is one block.
bool SubsetRelaxation::relax(const DeviceArray& residual, const ViewBlock& block) {
  if (!block.opens || !block.closes) return false;
  if (!relax_at_once(residual, *volume_, static_cast<float>(relaxation_.relaxation), least(), block.views))
    return false;
  apply_mask(*volume_);
  return true;
}

void SubsetRelaxation::update(std::int64_t subset) {
  const ColumnSums sums = column_sums(subset);
  add_quotient(backend_, static_cast<float>(relaxation_.relaxation), *change_, sums.values, sums.floor, least(),
               *volume_);
  apply_mask(*volume_);
}

}  // namespace backlit
