#include "recon/fdk/slabs_in_turn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <backlit/core/progress.hpp>
#include <backlit/data/reads_rows.hpp>
#include "device/hosted_array.hpp"
#include "device/shared_arrays.hpp"

namespace backlit {
namespace {

/// step() makes the first slab, finish_slices() the others when they are asked for. Slices are downloaded in batches
/// (items_at_once()) in their order. Of slabs that are gone, the slices of a batch that may not be complete are kept.
class SlabsInTurn final : public Reconstruction {
 public:
  SlabsInTurn(const ReconInput& input, const FdkOptions& options, MakeFdk make, const IndexRange& slabs)
      : input_(input), options_(options), make_(std::move(make)), slabs_(slabs), kept_room_(kept_slices(input.grid)) {
    for (std::int64_t slab = 0; slab < slabs.count; ++slab) {
      const VolumeGrid part = held_part(*backend_of_slab(input_.backend, slabs.first + slab), input_.grid);
      if (slab == 0) grid_ = part;
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + part.size[2]);
    }
    grid_ = slices_from(grid_, ends_.back());
    array_ = std::make_unique<Slices>(shape_of(grid_), *this);
    begin(0);
  }

  Status step() override { return own_->step(); }
  ReconProgress progress() const override { return own_->progress(); }
  std::span<const double> residuals() const override { return {}; }
  void publish(DisplayVolume& display) override { own_->publish(display); }

  Volume download() override {
    Volume volume(grid_);
    const std::int64_t slice = grid_.size[0] * grid_.size[1];
    for (std::int64_t z = 0, count; z < grid_.size[2]; z += count) {
      count = std::min(kept_room_, grid_.size[2] - z);
      finish_slices(z + count);
      download_rows(z, volume.values.span().subspan(static_cast<std::size_t>(z * slice),
                                                    static_cast<std::size_t>(count * slice)));
    }
    return volume;
  }

  const DeviceArray* unfinished_volume() override { return array_.get(); }
  std::optional<VolumeGrid> device_grid() const override { return grid_; }
  std::int64_t slab_slices() override {
    std::int64_t most = 0;
    for (std::size_t i = 0; i < ends_.size(); ++i) most = std::max(most, ends_[i] - first_of(i));
    return most;
  }

  void finish_slices(std::int64_t end) override {
    if (end < 0) end = grid_.size[2];
    if (at_ > 0 && end < asked_) make(0);  // all are asked for a second time
    asked_ = end;
    while (end > ends_[at_]) {
      leave();
      make(at_ + 1);
    }
    if (end > first_of(at_)) own_->finish_slices(end - first_of(at_));
  }

  const StageSeconds& seconds() const override {
    seconds_ = before_;
    for (const auto& [stage, seconds] : own_->seconds()) seconds_[stage] += seconds;
    return seconds_;
  }
  Timeline timeline() override {
    Timeline all = spans_;
    for (const TimeSpan& span : own_->timeline()) all.push_back(span);
    return all;
  }
  std::string variant() const override {
    return fmt::format("{}, {} slabs one after another", own_->variant(), ends_.size());
  }

 private:
  /// All slices of this rank.
  class Slices final : public SelfDownloading {
   public:
    Slices(const ArrayShape& shape, SlabsInTurn& owner) : SelfDownloading(shape), owner_(owner) {}
    void download_rows(std::int64_t first, std::span<float> host) const override { owner_.download_rows(first, host); }

   private:
    SlabsInTurn& owner_;
  };

  static std::int64_t kept_slices(const VolumeGrid& grid) { return items_at_once(grid.size[0] * grid.size[1]); }
  static VolumeGrid slices_from(VolumeGrid first, std::int64_t count) {
    first.center.z += 0.5 * first.spacing.z * static_cast<double>(count - first.size[2]);
    first.size[2] = count;
    return first;
  }
  std::int64_t first_of(std::size_t slab) const { return slab == 0 ? 0 : ends_[slab - 1]; }
  std::int64_t slice() const { return grid_.size[0] * grid_.size[1]; }
  std::int64_t kept_count() const { return std::ssize(kept_) / slice(); }

  /// The memory of the slab before is free by then.
  void begin(std::size_t slab) {
    whole_.reset();
    own_.reset();
    backend_.reset();
    if (slab == 0) {
      kept_.clear();
      before_.clear();
      spans_.clear();
    }
    at_ = slab;
    look_at_rows(*input_.source, {0, input_.source->scan().detector.rows});
    backend_ = backend_of_slab(input_.backend, slabs_.first + static_cast<std::int64_t>(slab));
    own_ = make_({*backend_, input_.source, input_.grid, input_.method}, options_);
  }
  void make(std::size_t slab) {
    begin(slab);
    while (own_->step() != Status::finished) ranks_of(input_.backend)->check();
  }

  /// Keeps the last slices, and what is told of the slab.
  void leave() {
    own_->finish_slices(-1);
    const std::int64_t count = std::min(kept_room_, ends_[at_] - first_of(at_));
    std::vector<float> last(static_cast<std::size_t>(count * slice()));
    download_rows(ends_[at_] - count, last);
    kept_.insert(kept_.end(), last.begin(), last.end());
    if (const std::int64_t more = kept_count() - kept_room_; more > 0)
      kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(more * slice()));
    before_ = seconds();
    spans_ = timeline();
  }

  void download_rows(std::int64_t first, std::span<float> host) {
    const std::int64_t begin = first_of(at_);
    if (first < begin) {
      const auto from = static_cast<std::size_t>((first - (begin - kept_count())) * slice());
      const std::size_t count = std::min(host.size(), kept_.size() - from);
      std::ranges::copy(std::span(kept_).subspan(from, count), host.begin());
      host = host.subspan(count);
      first = begin;
    }
    if (host.empty()) return;
    const DeviceArray* const volume = whole_ ? nullptr : own_->unfinished_volume();
    if (volume && backend_->download_rows(*volume, first - begin, host)) return;
    if (!whole_) whole_ = own_->download();
    std::ranges::copy(whole_->values.span().subspan(static_cast<std::size_t>((first - begin) * slice()), host.size()),
                      host.begin());
  }

  ReconInput input_;
  FdkOptions options_;
  MakeFdk make_;
  IndexRange slabs_;
  std::int64_t kept_room_;  ///< slices
  VolumeGrid grid_;
  std::vector<std::int64_t> ends_;  ///< of slabs, in slices of this rank
  std::unique_ptr<Slices> array_;

  std::size_t at_ = 0;                ///< slab
  std::int64_t asked_ = 0;            ///< slices, the last time
  std::shared_ptr<Backend> backend_;  ///< outlives the slab's reconstruction
  std::unique_ptr<Reconstruction> own_;
  std::optional<Volume> whole_;  ///< the slab, where its device downloads no slices
  std::vector<float> kept_;      ///< the last slices before the slab
  StageSeconds before_;          ///< of slabs that are gone
  Timeline spans_;
  mutable StageSeconds seconds_;
};

}  // namespace

std::unique_ptr<Reconstruction> make_slabs_in_turn(const ReconInput& input, const FdkOptions& options,
                                                   const MakeFdk& make) {
  const IndexRange slabs = slabs_in_turn(input.backend, input.grid);
  if (slabs.count == 0) return nullptr;
  own_device(input.backend, input.grid, input.source->scan());  // ranks have the same grid and scan
  return std::make_unique<SlabsInTurn>(input, options, make, slabs);
}

}  // namespace backlit
