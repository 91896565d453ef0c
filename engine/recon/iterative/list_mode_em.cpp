#include <backlit/recon/list_mode_em.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/device/ranks.hpp>

namespace backlit {
namespace {

constexpr float tiny = 1e-3f;                   // of the largest sensitivity: voxels that hardly any pair sees stay 0
constexpr float smallest = 1e-30f;              // expected events below this explain nothing
constexpr std::int64_t rows_at_once = 1 << 17;  // where parts of a block cost no more than the whole

/// Of ranks, which have a share of the events and the whole image each: the sum of their images, with the same bits on
/// all.
void add_up_image(Backend& backend, DeviceArray& image) {
  const std::shared_ptr<Ranks>& ranks = shared_among();
  if (!ranks) return;
  const auto count = static_cast<std::size_t>(ranks->size()), me = static_cast<std::size_t>(ranks->rank());
  const std::size_t values = static_cast<std::size_t>(image.count());
  std::vector<float> mine(values), sum(values);
  backend.download(image, mine);
  // Each rank adds up a part of the image, in the order of ranks, and sends it to the others.
  const auto part = [&](std::size_t rank) { return std::pair(values * rank / count, values * (rank + 1) / count); };
  const auto [first, end] = part(me);
  std::vector<std::vector<float>> theirs(count, std::vector<float>(end - first));
  Ranks::Out out(count);
  Ranks::In in(count);
  for (std::size_t r = 0; r < count; ++r) {
    if (r == me) continue;
    const auto [from, to] = part(r);
    out[r] = std::as_bytes(std::span(mine).subspan(from, to - from));
    in[r] = std::as_writable_bytes(std::span(theirs[r]));
  }
  ranks->exchange(out, in);
  theirs[me].assign(mine.begin() + static_cast<std::ptrdiff_t>(first), mine.begin() + static_cast<std::ptrdiff_t>(end));
  for (const std::vector<float>& values_of_rank : theirs)
    for (std::size_t i = 0; i < values_of_rank.size(); ++i) sum[first + i] += values_of_rank[i];
  for (std::size_t r = 0; r < count; ++r) {
    if (r == me) continue;
    const auto [from, to] = part(r);
    out[r] = std::as_bytes(std::span(sum).subspan(first, end - first));
    in[r] = std::as_writable_bytes(std::span(sum).subspan(from, to - from));
  }
  ranks->exchange(out, in);
  backend.upload(sum, image);
  backend.finish();
}

}  // namespace

ListModeEm::ListModeEm(Backend& backend, std::unique_ptr<EventBlocks> source, std::span<const float> sensitivity,
                       const VolumeGrid& grid, Show show, const ListModeEmOptions& options, RunFacts facts)
    : backend_(backend),
      source_(std::move(source)),
      sensitivity_(sensitivity.begin(), sensitivity.end()),
      grid_(grid),
      show_(std::move(show)),
      options_(options),
      facts_(std::move(facts)),
      blocks_(static_cast<std::size_t>(source_->subsets())) {
  if (source_->events() == 0) throw InputError("list mode", "there are no events", "is it the right file?");
  if (sensitivity_.empty() || !(*std::ranges::max_element(sensitivity_) > 0))
    throw InputError("sensitivity", "is 0 everywhere", "does the image lie within the scanner?");
}

/// The image's arrays, the constant start or what a checkpoint holds.
void ListModeEm::start(EventBlock& first) {
  variant_ = first.lines->variant();
  volume_ = first.lines->make_domain();
  finished_ = first.lines->make_domain();
  factor_ = first.lines->make_domain();
  inverse_ = first.lines->make_domain();
  if (static_cast<std::int64_t>(sensitivity_.size()) != volume_->count())
    throw InputError("sensitivity", fmt::format("{} values for an image of {}", sensitivity_.size(), volume_->count()),
                     "give the sensitivity of this image");
  const float floor = tiny * *std::ranges::max_element(sensitivity_);
  double whole = 0;
  std::vector<float> inverse(sensitivity_.size()), constant(sensitivity_.size());
  for (float& s : sensitivity_) {
    if (!(s > floor)) s = 0;
    whole += s;
  }
  const auto value = static_cast<float>(static_cast<double>(source_->events()) / whole);
  for (std::size_t i = 0; i < inverse.size(); ++i) {
    inverse[i] = sensitivity_[i] > 0 ? 1 / sensitivity_[i] : 0;
    constant[i] = sensitivity_[i] > 0 ? value : 0;
  }
  backend_.upload(inverse, *inverse_);
  backend_.upload(constant, *volume_);
  backend_.finish();
  if (options_.likelihood) {
    sums_ = first.lines->make_domain();
    backend_.upload(sensitivity_, *sums_);
    backend_.finish();
  }
  if (options_.resume.empty()) return;
  const Checkpoint checkpoint(options_.resume);
  RunFacts same = facts_;
  if (options_.resume_elsewhere)
    std::erase_if(same, [](const auto& fact) { return fact.first == "backend"; });
  else
    same.emplace_back("operator", variant_);
  checkpoint.require(same);
  checkpoint_ = options_.resume;
  if (checkpoint.iterations() >= options_.iterations && !options_.resume_elsewhere)
    throw InputError(options_.resume, fmt::format("holds {} iterations already", checkpoint.iterations()),
                     fmt::format("ask for more than that; `iterations` is {}", options_.iterations));
  RunState restored = state();
  checkpoint.restore(backend_, restored);
  history_ = restored.residuals;
  iterations_ = static_cast<std::int64_t>(history_.size());
  if (options_.likelihood) likelihoods_ = history_;
  events_done_ = iterations_ * source_->events();
}

EventBlock& ListModeEm::block(std::int64_t subset) {
  EventBlock& block = blocks_[static_cast<std::size_t>(subset)];
  if (!block.lines) {
    const double read = source_->read_seconds();
    {
      Stopwatch watch(seconds_, "plan");
      block = source_->make(subset);
      backend_.finish();
    }
    seconds_["read"] += source_->read_seconds() - read;
    seconds_["plan"] -= source_->read_seconds() - read;
  }
  return block;
}

Reconstruction::Status ListModeEm::step() {
  if (iterations_ >= options_.iterations) return Status::finished;
  EventBlock& events = block(next_);
  if (!volume_) {
    start(events);
    return Status::more;
  }
  {
    Stopwatch watch(seconds_, "iterate");
    if (!work(events)) return Status::more;
  }
  events_done_ = iterations_ * source_->events();
  for (std::int64_t s = 0; s <= next_; ++s) events_done_ += source_->events_in(s);
  if (!source_->keep()) events = {};
  if (++next_ < source_->subsets()) return Status::more;
  next_ = 0;
  return end_iteration();
}

/// One piece of a block, forward or back; true when the block is done.
bool ListModeEm::work(EventBlock& events) {
  const std::int64_t n = events.lines->range().n2;
  // Whoever computes the same bits however work is cut does parts of a block as fast, and can be stopped between them.
  const std::int64_t piece = backend_.capabilities().reproducible ? std::min(n, rows_at_once) : n;
  const std::int64_t pieces = std::max<std::int64_t>(1, (n + piece - 1) / std::max<std::int64_t>(1, piece));
  const std::int64_t first = pieces_done_ % pieces * piece;
  const Subset rows{first, std::min(piece, n - first), 1};
  if (!source_->keep() && pieces_done_ == 0) scratch_.clear();
  auto& [expected, ratio] = scratch_[n];
  if (!expected) {
    expected = events.lines->make_range(n);
    ratio = events.lines->make_range(n);
  }
  if (pieces_done_ == 0) {
    events.background ? backend_.copy(*events.background, *expected) : backend_.fill(*expected, 0);
    if (options_.likelihood && next_ == 0) expected_sum_ = backend_.dot(*sums_, *volume_);
  }
  if (pieces_done_ < pieces) {
    events.lines->forward(*volume_, *expected, rows, Write::accumulate);
    if (pieces_done_ == pieces - 1) {
      if (options_.likelihood) log_sum_ += log_sum(*expected);
      backend_.fill(*ratio, 1);
      backend_.divide(*expected, *ratio, smallest);
    }
  } else {
    events.lines->back(*ratio, *factor_, rows, pieces_done_ == pieces ? Write::overwrite : Write::accumulate);
  }
  if (++pieces_done_ < 2 * pieces) {
    events_done_ += source_->events_in(next_) / (2 * pieces);
    // What follows needs no wait where a block is one piece.
    return pieces == 1 ? work(events) : false;
  }
  pieces_done_ = 0;
  update();
  return true;
}

void ListModeEm::update() {
  add_up_image(backend_, *factor_);
  backend_.multiply(*inverse_, *factor_);
  backend_.multiply(*factor_, *volume_);
  if (source_->subsets() > 1)
    backend_.scale(*volume_, static_cast<float>(static_cast<double>(source_->events()) /
                                                static_cast<double>(source_->events_in(next_))));
  backend_.finish();
}

double ListModeEm::log_sum(const DeviceArray& expected) {
  std::vector<float> host(static_cast<std::size_t>(expected.count()));
  backend_.download(expected, host);
  return parallel_sum(expected.count(), [&](std::int64_t begin, std::int64_t end) {
    double sum = 0;
    for (std::int64_t i = begin; i < end; ++i)
      if (host[static_cast<std::size_t>(i)] > smallest) sum += std::log(double(host[static_cast<std::size_t>(i)]));
    return sum;
  });
}

Reconstruction::Status ListModeEm::end_iteration() {
  ++iterations_;
  double likelihood = 0;
  if (options_.likelihood) {
    likelihood = (shared_among() ? shared_among()->sum(log_sum_) : log_sum_) - expected_sum_;
    likelihoods_.push_back(likelihood);
    log_sum_ = 0;
  }
  history_.push_back(likelihood);
  backend_.copy(*volume_, *finished_);
  backend_.finish();
  const bool ended = iterations_ >= options_.iterations;
  if (!options_.checkpoint.empty() && (ended || iterations_ % options_.checkpoint_every == 0)) {
    Stopwatch watch(seconds_, "checkpoint");
    RunFacts facts = facts_;
    facts.emplace_back("operator", variant_);
    if (!shared_among() || shared_among()->rank() == 0) save_checkpoint(options_.checkpoint, facts, backend_, state());
    checkpoint_ = options_.checkpoint;
  }
  return ended ? Status::finished : Status::iteration_done;
}

RunState ListModeEm::state() { return {source_->subsets(), history_, {}, {{"volume", volume_.get()}}}; }

ReconProgress ListModeEm::progress() const {
  return {"iterate", events_done_, options_.iterations * source_->events(), "events", iterations_};
}

Volume ListModeEm::download() {
  Stopwatch watch(seconds_, "download");
  if (!volume_) return Volume(grid_);
  std::vector<float> host(sensitivity_.size());
  backend_.download(iterations_ > 0 && next_ > 0 ? *finished_ : *volume_, host);
  return voxels(std::move(host));
}

Volume ListModeEm::voxels(std::vector<float> values) const {
  if (show_) return show_(values);
  Volume volume(grid_);
  std::ranges::copy(values, volume.values.begin());
  return volume;
}

void ListModeEm::publish(DisplayVolume& display) {
  if (!volume_) return;
  if (!show_) return display.publish(*volume_, grid_);
  std::vector<float> host(sensitivity_.size());
  backend_.download(*volume_, host);
  const Volume volume = voxels(std::move(host));
  if (!shown_) shown_ = backend_.make_array(shape_of(grid_));
  backend_.upload(volume.values.span(), *shown_);
  backend_.finish();
  display.publish(*shown_, grid_);
}

}  // namespace backlit
