#include "recon/iterative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "recon/batch_size.hpp"
#include "recon/operator_options.hpp"
#include "recon/subset_plan.hpp"

namespace backlit {
namespace {

constexpr std::int64_t column_sum_bytes = std::int64_t{1} << 30;  // what kept column sums may take

}  // namespace

IterativeReconstruction::IterativeReconstruction(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                                 const VolumeGrid& grid, const ReconOptions& options,
                                                 std::int64_t subsets, int passes)
    : backend_(backend), grid_(grid), options_(options), source_(std::move(source)), passes_(passes) {
  const std::int64_t views = source_->scan().view_count();
  if (subsets > views)
    throw InputError("subsets", fmt::format("{} subsets of {} views", subsets, views), "give at most one a view");
  const CtOptions ct = operator_options(options, Model::slice_interpolated);
  if (ct.model == Model::voxel_driven)
    throw Unsupported("model", fmt::format("voxel_driven gives no line integrals, which {} needs", options.method),
                      "choose slice_interpolated");
  operator_ = backend.make_ct(grid, source_->scan(), ct);
  order_ = subset_order(options.subset_order, subsets);
  volume_ = operator_->make_domain();
  if (subsets > 1) finished_ = operator_->make_domain();
}

/// Measures one view there and back, and cuts the subsets into blocks of about 20 ms.
void IterativeReconstruction::plan() {
  const auto one = operator_->make_range(1);
  const auto image = operator_->make_domain();
  StageSeconds measured;
  double seconds = 0;
  for (int run = 0; run < 2; ++run) {  // the first warms up
    Stopwatch watch(measured, "plan");
    operator_->forward(*image, *one, {0, 1, 1}, Write::overwrite);
    operator_->back(*one, *image, {0, 1, 1}, Write::overwrite);
    backend_.finish();
    seconds = watch.elapsed();
  }
  const auto views = source_->scan().view_count();
  const auto piece = static_cast<std::int64_t>(
      std::clamp(BatchSize::target / std::max(seconds, 1e-6), 1.0, static_cast<double>(views)));
  for (std::int64_t position = 0; position < subsets(); ++position) {
    const std::int64_t s = order_[static_cast<std::size_t>(position)];
    const auto pieces = subset_pieces(views, subsets(), s, piece);
    for (const Subset& p : pieces) {
      ViewBlock block;
      block.views = p;
      block.subset = position;
      block.opens = &p == &pieces.front();
      block.closes = &p == &pieces.back();
      blocks_.push_back(std::move(block));
    }
  }
}

void IterativeReconstruction::load(ViewBlock& block) {
  const std::int64_t pixels = source_->scan().detector.pixels();
  std::vector<float> host(static_cast<std::size_t>(block.views.count * pixels));
  {
    Stopwatch watch(seconds_, "read");
    for (std::int64_t i = 0; i < block.views.count; ++i)
      source_->read(block.views.first + i * block.views.stride, 1,
                    std::span(host).subspan(static_cast<std::size_t>(i * pixels), static_cast<std::size_t>(pixels)));
  }
  Stopwatch watch(seconds_, "prepare");
  block.data = operator_->make_range(block.views.count);
  backend_.upload(host, *block.data);
  prepare(block);
  data_square_ += backend_.dot(*block.data, *block.data);
  data_sum_ += backend_.sum(*block.data);
}

bool IterativeReconstruction::end_iteration() {
  residuals_.push_back(data_square_ > 0 ? std::sqrt(residual_square_ / data_square_) : 0);
  residual_square_ = 0;
  if (finished_) backend_.copy(*volume_, *finished_);
  backend_.finish();
  return static_cast<std::int64_t>(residuals_.size()) == options_.iterations;
}

Reconstruction::Status IterativeReconstruction::step() {
  if (static_cast<std::int64_t>(residuals_.size()) == options_.iterations) return Status::finished;
  if (blocks_.empty()) {
    plan();
    return Status::more;
  }
  if (loaded_ < blocks_.size()) {
    load(blocks_[loaded_++]);
    if (loaded_ < blocks_.size()) return Status::more;
    Stopwatch watch(seconds_, "prepare");
    begin();
    if (finished_) backend_.copy(*volume_, *finished_);
    return Status::more;
  }
  visit(pass_, blocks_[next_]);
  views_done_ += blocks_[next_].views.count;
  if (++next_ < blocks_.size()) return Status::more;
  next_ = 0;
  if (++pass_ < passes_) return Status::more;
  pass_ = 0;
  return end_iteration() ? Status::finished : Status::iteration_done;
}

ReconProgress IterativeReconstruction::progress() const {
  const std::int64_t views = source_->scan().view_count();
  const auto iteration = static_cast<std::int64_t>(residuals_.size());
  if (views_done_ > 0 || (!blocks_.empty() && loaded_ == blocks_.size()))
    return {"iterate", views_done_, views * passes_ * options_.iterations, "views", iteration};
  std::int64_t read = 0;
  for (std::size_t b = 0; b < loaded_; ++b) read += blocks_[b].views.count;
  return {"read", read, views, "views", 0};
}

Volume IterativeReconstruction::download() {
  Stopwatch watch(seconds_, "download");
  Volume volume(grid_);
  backend_.download(finished_ ? *finished_ : *volume_, volume.values.span());
  return volume;
}

void IterativeReconstruction::project(const DeviceArray& x, DeviceArray& y, const Subset& views) {
  Stopwatch watch(seconds_, "project");
  operator_->forward(x, y, views, Write::overwrite);
  backend_.finish();
}

void IterativeReconstruction::backproject(const DeviceArray& y, DeviceArray& x, const Subset& views) {
  Stopwatch watch(seconds_, "backproject");
  operator_->back(y, x, views, Write::accumulate);
  backend_.finish();
}

DeviceArray& IterativeReconstruction::scratch(const ViewBlock& block) {
  ArrayPtr& array = scratch_[block.views.count];
  if (!array) array = operator_->make_range(block.views.count);
  return *array;
}

const DeviceArray& IterativeReconstruction::column_sums(std::int64_t position) {
  const std::int64_t bytes = grid_.voxels() * static_cast<std::int64_t>(sizeof(float));
  const bool keep = subsets() == 1 || bytes <= column_sum_bytes / subsets();
  column_sums_.resize(keep ? static_cast<std::size_t>(subsets()) : 1);
  ArrayPtr& sums = column_sums_[keep ? static_cast<std::size_t>(position) : 0];
  if (sums && (keep || column_sums_of_ == position)) return *sums;
  if (!sums) sums = operator_->make_domain();
  const std::int64_t views = source_->scan().view_count(), s = order_[static_cast<std::size_t>(position)];
  operator_->sensitivity(*sums, subset_pieces(views, subsets(), s, views).front());
  column_sums_of_ = position;
  return *sums;
}

}  // namespace backlit
