#include "recon/iterative/primal_dual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace backlit {
namespace {

constexpr double field_weight = 0.05;                               // D's rows, as a share of A's largest column sum
constexpr double margin = 0.95;                                     // share of the longest steps of x
constexpr float column_of_differences = 6, row_of_differences = 2;  // largest sums of |D|

/// Options for the base class: the constrained form does not end when its residual is that of the noise.
PdhgOptions without_stop(PdhgOptions options) {
  if (options.form == PdhgOptions::Form::constrained) options.noise = 0;
  return options;
}

}  // namespace

PrimalDual::PrimalDual(const ReconInput& input, const PdhgOptions& options)
    : IterativeReconstruction(input, without_stop(options), options,
                              options.form == PdhgOptions::Form::constrained ? 2 : 1),
      pdhg_(options),
      views_(input.source),
      dual_(backend_, *operator_, input.grid, options, true),
      gradient_(operator_->make_domain()),
      change_(operator_->make_domain()),
      steps_(operator_->make_domain()) {
  keep_finished();
  backend_.fill(*steps_, 1);  // to compute row sums
  apply_mask(*steps_);
}

void PrimalDual::prepare(ViewBlock& block) {
  block.extra = operator_->make_range(block.views.count);
  ArrayPtr sums = operator_->make_range(block.views.count);
  operator_->forward(*steps_, *sums, block.views, Write::overwrite);
  most_row_ = std::max(most_row_, backend_.maximum(*sums));
  if (!constrained()) shares_[block.views.first] = std::move(sums);
}

void PrimalDual::begin() {
  choose_weight();
  const float scale = static_cast<float>(pdhg_.balance) * most_row_;  // mm
  for (const ViewBlock& block : blocks_) {
    if (constrained()) break;
    DeviceArray &sums = *shares_.at(block.views.first), &share = scratch(block);
    backend_.fill(share, scale);
    backend_.axpy(1, share, sums);
    backend_.divide(sums, share, 0);
    backend_.copy(share, sums);
  }
  operator_->sensitivity(*gradient_, operator_->all());
  const float weight = static_cast<float>(field_weight) * backend_.maximum(*gradient_);
  backend_.fill(*change_, column_of_differences * weight);
  backend_.axpy(1, *change_, *gradient_);
  backend_.fill(*steps_, scale > 0 ? static_cast<float>(margin) / scale : 0);
  backend_.divide(*gradient_, *steps_, 0);
  field_step_ = scale * weight / row_of_differences;
  backend_.fill(*gradient_, 0);
  backend_.fill(*change_, 0);
}

void PrimalDual::choose_weight() {
  choice_ = choose_lambda(pdhg_, pdhg_.noise, backend_, *operator_, *views_, choice_);
  if (!constrained() || choice_.noise > 0) return;  // lambda was given, and no noise
  if (choice_.estimated_noise == 0) choice_.estimated_noise = known_noise(0, *views_);
  choice_.noise = choice_.estimated_noise;
}

/// Its duals stay: they suit the volume.
void PrimalDual::take(const MethodOptions& options) {
  pdhg_ = dynamic_cast<const PdhgOptions&>(options);
  if (constrained()) options_.noise = 0;  // see without_stop()
  choose_weight();
  dual_.set_box(pdhg_);
}

void PrimalDual::visit(int pass, ViewBlock& block) {
  if (pass == 0) {
    if (&block == &blocks_.front()) reorder();
    if (block.opens) open();
    raise(block);
    if (constrained()) return;
  } else {
    const double length = std::sqrt(dual_square_),
                 reach = pdhg_.balance * choice_.noise * std::sqrt(static_cast<double>(operator_->range().count()));
    backend_.scale(*block.extra, static_cast<float>(length > reach ? 1 - reach / length : 0));
    backproject(*block.extra, *change_, block.views);
  }
  if (block.closes) close();
}

void PrimalDual::open() {
  dual_.descend(*volume_, *steps_, *change_);
  apply_mask(*volume_);
  backend_.fill(*change_, 0);
  dual_square_ = 0;
}

void PrimalDual::raise(ViewBlock& block) {
  DeviceArray &residual = scratch(block), &y = *block.extra;
  project(*volume_, residual, block.views);
  backend_.axpy(-1, *block.data, residual);
  add_residual(residual);
  if (constrained()) {
    backend_.axpy(static_cast<float>(pdhg_.balance), residual, y);
    dual_square_ += backend_.dot(y, y);
    return;
  }
  backend_.axpy(-1, y, residual);
  backend_.multiply(*shares_.at(block.views.first), residual);
  backend_.axpy(1, residual, y);
  backproject(subsets() > 1 ? residual : y, *change_, block.views);
}

/// Updates g and its change by the subset's change, and then z. With one subset `change_` is all of A'y, so that
/// rounding errors do not add up.
void PrimalDual::close() {
  if (subsets() > 1) {
    backend_.axpy(1, *change_, *gradient_);
    backend_.scale(*change_, static_cast<float>(subsets()));
    backend_.axpy(1, *gradient_, *change_);
  } else {
    backend_.scale(*gradient_, -1);
    backend_.axpy(2, *change_, *gradient_);
    std::swap(gradient_, change_);
  }
  dual_.ascend(*volume_, field_step_, static_cast<float>(choice_.lambda));
}

std::vector<ViewBlock*> PrimalDual::sorted_blocks() {
  std::vector<ViewBlock*> list;
  for (ViewBlock& block : blocks_) list.push_back(&block);
  std::ranges::sort(list, {}, [](const ViewBlock* b) { return std::pair{b->subset, b->views.first}; });
  return list;
}

/// Sorts the subsets in an order that depends only on the iteration's number.
void PrimalDual::reorder() {
  if (subsets() == 1) return;
  std::vector<std::int64_t> order(static_cast<std::size_t>(subsets()));
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = static_cast<std::int64_t>(n);
  std::mt19937_64 random(residuals().size());
  for (std::size_t n = order.size() - 1; n > 0; --n) std::swap(order[n], order[random() % (n + 1)]);
  std::vector<ViewBlock> next;
  const auto sorted = sorted_blocks();
  for (const std::int64_t subset : order)
    for (ViewBlock* block : sorted)
      if (block->subset == subset) next.push_back(std::move(*block));
  std::ranges::move(next, blocks_.begin());  // in place, so that the caller's references stay valid
}

std::vector<std::pair<std::string, double>> PrimalDual::chosen() const {
  if (field_step_ == 0) return {};
  return {{"subsets", static_cast<double>(subsets())}, {"noise", choice_.noise}, {"lambda", choice_.lambda}};
}

void PrimalDual::remember(RunState& state) {
  state.numbers.emplace_back("lambda", &choice_.lambda);
  state.arrays.emplace_back("gradient", gradient_.get());
  state.arrays.emplace_back("next gradient", change_.get());
  dual_.remember(state);
  for (const ViewBlock* block : sorted_blocks())
    state.arrays.emplace_back(fmt::format("dual of views {}+", block->views.first), block->extra.get());
}

}  // namespace backlit
