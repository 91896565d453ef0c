#include "recon/iterative/expectation_maximization.hpp"

#include <limits>

namespace backlit {
namespace {

constexpr float largest_value = std::numeric_limits<float>::max();
constexpr double dimmest = 1e-3;  // least value of an initial volume over the constant: zero would stay zero

}  // namespace

ExpectationMaximization::ExpectationMaximization(const ReconInput& input, const BackModelOptions& options,
                                                 const SubsetOptions& subsets)
    : IterativeReconstruction(input, options, subsets, 1), factor_(operator_->make_domain()) {}

void ExpectationMaximization::prepare(ViewBlock& block) {
  backend_.clamp(*block.data, 0, largest_value);
  block.extra = operator_->make_range(block.views.count);
}

void ExpectationMaximization::begin() {
  backend_.fill(*factor_, 0);
  for (std::int64_t s = 0; s < subsets(); ++s) backend_.axpy(1, column_sums(s).values, *factor_);
  apply_mask(*factor_);
  const double seen = backend_.sum(*factor_);
  const auto constant = static_cast<float>(seen > 0 ? data_sum_ / seen : 1);  // its projection has the data's sum
  if (has_initial())
    backend_.clamp(*volume_, static_cast<float>(dimmest * constant), largest_value);
  else
    backend_.fill(*volume_, constant);
  // x factor / factor is 0 for voxels that no ray sees.
  backend_.multiply(*factor_, *volume_);
  backend_.divide(*factor_, *volume_, grazing * backend_.maximum(*factor_));
  least_ = static_cast<float>(1e-6 * data_sum_ / static_cast<double>(operator_->range().count()));
}

void ExpectationMaximization::visit(int, ViewBlock& block) {
  DeviceArray& projected = scratch(block);
  project(*volume_, projected, block.views);
  backend_.copy(*block.data, *block.extra);
  backend_.divide(projected, *block.extra, least_);
  backproject(*block.extra, *factor_, block.views, first_overwrites(block));
  backend_.subtract_from(*block.data, projected);
  add_residual(projected);
  if (block.closes) update(block.subset);
}

void ExpectationMaximization::update(std::int64_t subset) {
  const ColumnSums sums = column_sums(subset);
  multiply_quotient(backend_, *factor_, sums.values, sums.floor, *volume_);
  backend_.clamp(*volume_, 0, largest_value);
}

}  // namespace backlit
