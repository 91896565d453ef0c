#include "recon/iterative/iterative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <backlit/core/error.hpp>
#include <backlit/core/progress.hpp>
#include <backlit/data/selected_views.hpp>
#include <backlit/geometry/quarter_turns.hpp>
#include "device/shared_arrays.hpp"
#include "projectors/unmatched_pair.hpp"
#include "recon/batch_size.hpp"
#include "recon/method_bytes.hpp"
#include "recon/operator_options.hpp"
#include "recon/subset_choice.hpp"
#include "recon/support_mask.hpp"

namespace backlit {
namespace {

constexpr std::int64_t column_sum_bytes = std::int64_t{1} << 30;  // most host memory for kept column sums
constexpr double worth_waiting = 2e-2;       // seconds; waiting for the device costs some 50 microseconds
constexpr double whole_item[] = {0.1, 0.3};  // seconds a work item, where larger ones are faster: least, most
constexpr double items_of_once = 8;          // of that part of a call which does not depend on its views
constexpr double longest_measured = 0.1;     // seconds; longer calls are measured without warming up
constexpr double samples_per_second = 5e7;   // assumed speed for dividing work by its size; that of about two cores

std::unique_ptr<LinearOperator> make_emission(Backend& backend, const VolumeGrid& grid, const Scan& scan,
                                              const IterationOptions& options) {
  HostArray<float> nothing;
  std::span<const float> attenuation;
  if (options.attenuation_volume) {
    require_on_grid(*options.attenuation_volume, grid, options.emission.attenuation);
    attenuation = options.attenuation_volume->values.span();
  } else {
    nothing = HostArray<float>(grid.voxels());
    attenuation = nothing.span();
  }
  return backend.make_emission(grid, scan, attenuation, emission_of(options));
}

std::unique_ptr<LinearOperator> make_operator(const ReconInput& input, const IterationOptions& options) {
  Backend& backend = input.backend;
  const VolumeGrid& grid = input.grid;
  const Scan& scan = input.source->scan();
  if (options.model == "emission") return make_emission(backend, grid, scan, options);
  const OperatorPair pair = operator_pair(backend, options, input.method);
  auto forward = backend.make_ct(grid, scan, pair.forward);
  if (pair.matched) return forward;
  return std::make_unique<UnmatchedPair>(std::move(forward), backend.make_ct(grid, scan, pair.back));
}

/// The values of the parameters that `wanted` selects.
template <class Wanted>
RunFacts values_of(const MethodOptions& options, Wanted wanted) {
  RunFacts values;
  // parameters() changes nothing, but its targets could be written.
  for (const Parameter& p : const_cast<MethodOptions&>(options).parameters())
    if (wanted(p)) values.emplace_back(p.name, p.text());
  return values;
}

/// The options that the method adds to IterationOptions.
RunFacts own_options(const MethodOptions& options) {
  IterationOptions common;
  const Parameters known = common.parameters();
  return values_of(options,
                   [&](const Parameter& p) { return std::ranges::count(known, p.name, &Parameter::name) == 0; });
}

RunFacts fixed_options(const MethodOptions& options) {
  return values_of(options, [](const Parameter& p) { return !p.steers && p.needs.empty(); });
}

/// The scan's quarter turns, if the projector packs them: four views share a texel when a call has all four.
QuarterTurns packed_turns(const Scan& scan, const VolumeGrid& grid, const IterationOptions& options) {
  const bool packs = options.packing == Packing::orbit ||
                     (options.packing == Packing::automatic && options.precision == Precision::half);
  if (!packs || (options.model != "auto" && options.model != name(Model::joseph))) return {};
  return find_quarter_turns(scan, grid);
}

SubsetPlan subset_plan(const ReconInput& input, const IterationOptions& options, std::int64_t subsets) {
  const Scan& scan = input.source->scan();
  if (subsets > scan.view_count())
    throw InputError("subsets", fmt::format("{} subsets of {} views", subsets, scan.view_count()),
                     "give at most one a view");
  const QuarterTurns turns = packed_turns(scan, input.grid, options);
  const auto groups = std::ssize(turns.groups);
  if (subsets <= groups) return {turns, subsets};
  if (options.packing == Packing::orbit && groups > 0)
    throw InputError("packing orbit", fmt::format("{} subsets of {} groups of quarter turns", subsets, groups),
                     fmt::format("use `packing` auto, or {}{} subset{}",
                                 input.method == "sart" ? "method ossart with " : "", groups, groups == 1 ? "" : "s"));
  return {scan.view_count(), subsets};
}

std::shared_ptr<ProjectionSource> in_order(std::shared_ptr<ProjectionSource> source, const SubsetPlan& plan) {
  if (plan.view_order().empty()) return source;
  return std::make_shared<SelectedViews>(std::move(source), plan.view_order());
}

}  // namespace

IterativeReconstruction::IterativeReconstruction(const ReconInput& input, const IterationOptions& options,
                                                 const SubsetOptions& subset, int passes, bool nonnegative)
    : backend_(input.backend),
      grid_(input.grid),
      options_(options),
      subset_plan_(subset_plan(input, options, subset_count(subset.subsets, input.source->scan().view_count()))),
      source_(in_order(input.source, subset_plan_)),
      method_(input.method),
      nonnegative_(nonnegative),
      own_options_(own_options(options)),
      fixed_(fixed_options(options)),
      passes_(passes) {
  operator_ = make_operator({backend_, source_, grid_, method_}, options);
  order_ = subset_order(subset.subset_order, subset_count(subset.subsets, source_->scan().view_count()));
  volume_ = operator_->make_domain();
  if (subsets() > 1) keep_finished();
  residual_square_ = backend_.make_array({1, 1, 1});
  prepare_start();
}

IterativeReconstruction::~IterativeReconstruction() = default;

/// Seconds to project and backproject `views` views. Measures the last of `runs` runs; the first one warms up.
double IterativeReconstruction::measure(std::int64_t views, DeviceArray& image, int runs) {
  const auto some = operator_->make_range(views);
  double seconds = 0;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    operator_->forward(image, *some, {0, views, 1}, Write::overwrite);
    operator_->back(*some, image, {0, views, 1}, Write::overwrite);
    backend_.finish();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return largest(backend_, seconds);
}

/// Measures the time of a call, and the time of each further view in it. Reproducible runs use the size of the work in
/// place of measured times.
CallSeconds IterativeReconstruction::measure() {
  const Scan& scan = source_->scan();
  if (backend_.capabilities().reproducible)
    return {0,
            static_cast<double>(scan.detector.pixels() * *std::ranges::max_element(grid_.size)) / samples_per_second};
  const auto image = operator_->make_domain();
  // A single view may be projected another way than several.
  const std::int64_t few = std::min(scan.view_count(), std::max<std::int64_t>(2, subset_plan_.together()));
  const double one = measure(few, *image, 2) / static_cast<double>(few);
  const std::int64_t several =
      few * (8 * one < BatchSize::target ? 8 : 2);  // longer calls can be measured more precisely
  if (scan.view_count() < several) return {0, one};
  const int runs = one > longest_measured ? 1 : 2;
  const double all = static_cast<double>(few) * one;
  const double more = (measure(several, *image, runs) - all) / static_cast<double>(several - few);
  const double each = std::clamp(more, one / 64, one);  // limits the effect of noise
  return {all - static_cast<double>(few) * each, each};
}

/// Divides the subsets into blocks of about 20 ms.
void IterativeReconstruction::plan() {
  look_at_rows_in_use(backend_, *source_, grid_, false);
  call_ = measure();
  block_views_ = resumed_ ? resumed_->block_views() : views_per_block();
  for (std::int64_t position = 0; position < subsets(); ++position) {
    const std::int64_t s = order_[static_cast<std::size_t>(position)];
    const auto pieces = subset_plan_.pieces_of(s, block_views_);
    for (const Subset& p : pieces) {
      ViewBlock block;
      block.views = p;
      block.subset = position;
      block.opens = &p == &pieces.front();
      block.closes = &p == &pieces.back();
      blocks_.push_back(std::move(block));
    }
  }
  waits_ = backend_.capabilities().reproducible || call_.of(blocks_.front().views.count) > worth_waiting;
}

/// Some operators read the whole volume in each call, even for few views. Their blocks are larger.
std::int64_t IterativeReconstruction::views_per_block() const {
  const std::int64_t views = source_->scan().view_count();
  const double item = operator_->prefers_whole() ? std::clamp(items_of_once * call_.once, whole_item[0], whole_item[1])
                                                 : BatchSize::target;
  return static_cast<std::int64_t>(std::clamp(call_.worth_calling(item), 1.0, static_cast<double>(views)));
}

/// Reads views [first, first + to.size() / pixels) of the block.
void IterativeReconstruction::read(const Subset& views, std::int64_t first, std::span<float> to) {
  const Stopwatch watch(seconds_, "read");
  const std::int64_t pixels = source_->scan().detector.pixels(), count = std::ssize(to) / pixels,
                     at_once = views.stride == 1 ? count : 1;
  for (std::int64_t i = 0; i < count; i += at_once)
    source_->read(views.first + (first + i) * views.stride, at_once,
                  to.subspan(static_cast<std::size_t>(i * pixels), static_cast<std::size_t>(at_once * pixels)));
}

std::span<float> IterativeReconstruction::room(std::int64_t values) {
  if (room_values_ < values) {
    room_ = backend_.host_memory(values * std::int64_t{sizeof(float)});
    room_values_ = values;
  }
  return {reinterpret_cast<float*>(room_.get()), static_cast<std::size_t>(values)};
}

/// Views go to the device some at a time, where an array can be filled like that: fresh memory for all of them would
/// take longer than reading does.
void IterativeReconstruction::load(ViewBlock& block) {
  const std::int64_t pixels = source_->scan().detector.pixels(), all = block.views.count;
  block.data = operator_->make_range(all);
  for (std::int64_t first = 0, count = 0; first < all; first += count) {
    count = std::min(items_at_once(pixels), all - first);
    ArrayPtr part = backend_.rows(*block.data, first, count);
    if (!part) part = backend_.rows(*block.data, first, count = 1);  // these lie in two arrays
    if (!part) count = all;
    const std::span<float> views = room(count * pixels);
    read(block.views, first, views);
    const Stopwatch watch(seconds_, "prepare");
    backend_.upload(views, part ? *part : *block.data);
    backend_.finish();  // the next views take the same memory
  }
  const Stopwatch watch(seconds_, "prepare");
  prepare(block);
  data_square_ += backend_.dot(*block.data, *block.data);
  data_sum_ += backend_.sum(*block.data);
}

Reconstruction::Status IterativeReconstruction::step() {
  if (ended_) return Status::finished;
  if (initial_) {
    step_initial();
  } else if (blocks_.empty()) {
    plan();
  } else if (loaded_ < blocks_.size()) {
    load(blocks_[loaded_++]);
    if (loaded_ < blocks_.size()) return Status::more;
    room_.reset();
    room_values_ = 0;
    start_iterations();
  } else {
    Stopwatch watch(seconds_, "iterate");
    auto status = visit_next();
    const double each = call_.of(blocks_.front().views.count);
    double planned = each;
    while (!waits_ && status == Status::more && (planned += each) < BatchSize::target) status = visit_next();
    if (!waits_) backend_.finish();
    return status;
  }
  return Status::more;
}

bool IterativeReconstruction::steer(const Method& method) {
  if (method.name() != method_ || fixed_options(method.options()) != fixed_) return false;
  steered_ = method;
  ended_ = false;
  return true;
}

void IterativeReconstruction::take_steered() {
  const auto& options = *steered_->get<IterationOptions>();
  options_.iterations = options.iterations;
  options_.stop_residual = options.stop_residual;
  options_.noise = options.noise;
  own_options_ = own_options(options);
  if (const auto* relaxation = steered_->get<RelaxationOptions>()) nonnegative_ = relaxation->nonnegative;
  steered_after_ = iterations_done();
  stopped_by_.clear();
  constrain(*volume_);
  take(options);
  steered_.reset();
}

Reconstruction::Status IterativeReconstruction::visit_next() {
  if (steered_ && next_ == 0 && pass_ == 0) take_steered();
  visit(pass_, blocks_[next_]);
  views_done_ += blocks_[next_].views.count;
  if (++next_ < blocks_.size()) return Status::more;
  next_ = 0;
  if (++pass_ < passes_) return Status::more;
  pass_ = 0;
  return end_iteration();
}

Reconstruction::Status IterativeReconstruction::end_iteration() {
  const double square = backend_.sum(*residual_square_);
  backend_.fill(*residual_square_, 0);
  residuals_.push_back(data_square_ > 0 ? std::sqrt(square / data_square_) : 0);
  if (finished_) backend_.copy(*volume_, *finished_);
  backend_.finish();
  look_for_end();
  save_if_due();
  return ended_ ? Status::finished : Status::iteration_done;
}

void IterativeReconstruction::look_for_end() {
  const double residual = residuals_.back();
  const auto values = static_cast<double>(operator_->range().count());
  const double root_mean_square = residual * std::sqrt(data_square_ / values);
  if (options_.stop_residual > 0 && residual <= options_.stop_residual)
    stopped_by_ = fmt::format("residual {:.4g} of the data, no more than {:g}", residual, options_.stop_residual);
  else if (options_.noise > 0 && root_mean_square <= options_.noise)
    stopped_by_ = fmt::format("r.m.s. residual {:.4g}, no more than the noise, {:g}", root_mean_square, options_.noise);
  ended_ = !steered_ && (!stopped_by_.empty() || iterations_done() >= steered_after_ + options_.iterations);
}

ReconProgress IterativeReconstruction::progress() const {
  if (initial_) return initial_->progress();
  const std::int64_t views = source_->scan().view_count();
  if (!blocks_.empty() && loaded_ == blocks_.size()) {
    const std::int64_t all = ended_ ? views_done_ : views * passes_ * (steered_after_ + options_.iterations);
    return {"iterate", views_done_, all, "views", iterations_done()};
  }
  std::int64_t read = 0;
  for (std::size_t b = 0; b < loaded_; ++b) read += blocks_[b].views.count;
  return {"read", read, views, "views", 0};
}

void IterativeReconstruction::publish(DisplayVolume& display) {
  if (initial_)
    initial_->publish(display);
  else
    display.publish(*volume_, grid_);
}

Volume IterativeReconstruction::download() {
  Stopwatch watch(seconds_, "download");
  Volume volume(held_part(backend_, grid_));
  backend_.download(*device_volume(), volume.values.span());
  return volume;
}

void IterativeReconstruction::project(const DeviceArray& x, DeviceArray& y, const Subset& views) {
  if (!waits_) return operator_->forward(x, y, views, Write::overwrite);
  Stopwatch watch(seconds_, "project");
  operator_->forward(x, y, views, Write::overwrite);
  backend_.finish();
}

void IterativeReconstruction::backproject(const DeviceArray& y, DeviceArray& x, const Subset& views, Write write) {
  if (!waits_) return operator_->back(y, x, views, write);
  Stopwatch watch(seconds_, "backproject");
  operator_->back(y, x, views, write);
  backend_.finish();
}

bool IterativeReconstruction::relax_at_once(const DeviceArray& y, DeviceArray& x, float factor, float least,
                                            const Subset& views) {
  if (!waits_) return operator_->relax(y, x, factor, least, views);
  Stopwatch watch(seconds_, "backproject");
  const bool done = operator_->relax(y, x, factor, least, views);
  backend_.finish();
  return done;
}

DeviceArray& IterativeReconstruction::scratch(const ViewBlock& block) {
  ArrayPtr& array = scratch_[block.views.count];
  if (!array) array = operator_->make_range(block.views.count);
  return *array;
}

/// Arrays with paging must fit host memory; others must fit the device.
bool IterativeReconstruction::keeps_column_sums() const {
  const std::int64_t volume = grid_.voxels() * static_cast<std::int64_t>(sizeof(float));
  if (subsets() == 1) return true;
  const std::int64_t memory = backend_.capabilities().memory_bytes;
  if (memory == 0 || volume_->pages()) return volume <= column_sum_bytes / subsets();
  const Scan& scan = source_->scan();
  const std::int64_t others = options_.model == "emission" ? most_bytes_of_emission(grid_, scan, emission_of(options_))
                                                           : most_bytes_of_a_method(grid_, scan);
  return others + subsets() * volume <= memory;
}

ColumnSums IterativeReconstruction::column_sums(std::int64_t position) {
  if (column_sums_.empty()) column_sums_.resize(keeps_column_sums() ? static_cast<std::size_t>(subsets()) : 1);
  const bool keep = std::ssize(column_sums_) == subsets();
  ArrayPtr& sums = column_sums_[keep ? static_cast<std::size_t>(position) : 0];
  if (!sums || (!keep && column_sums_of_ != position)) {
    if (!sums) sums = operator_->make_domain();
    operator_->sensitivity(*sums, subset_plan_.views_of(order_[static_cast<std::size_t>(position)]));
    column_sums_of_ = position;
  }
  const auto known = floors_.find(position);  // maximum() waits for the device
  const float floor = known != floors_.end() ? known->second : (floors_[position] = grazing * backend_.maximum(*sums));
  return {*sums, floor};
}

void IterativeReconstruction::constrain(DeviceArray& x) {
  if (nonnegative_) backend_.clamp(x, 0, std::numeric_limits<float>::max());
  apply_mask(x);
}

}  // namespace backlit
