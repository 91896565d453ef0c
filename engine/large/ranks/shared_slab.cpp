// Slabs that several ranks make together.
#include <algorithm>
#include <functional>

#include <backlit/core/device_failure.hpp>
#include <backlit/data/selected_views.hpp>
#include "large/cut.hpp"
#include "large/ranks/ranked_backend.hpp"
#include "large/ranks/row_source.hpp"

namespace backlit {
namespace {

constexpr std::int64_t room_values = std::int64_t{1} << 24;  // of other ranks' sums at a time

/// This rank's number in its group.
std::size_t member_of(const GroupShare& share, const Ranks& ranks) {
  return static_cast<std::size_t>(ranks.rank() - share.first_rank);
}

/// Adds up a slab over the ranks of a group, some values at a time. Each rank gets the sum of its own slices.
class SlabSum {
 public:
  SlabSum(Ranks& ranks, const GroupShare& share, const Volume& slab)
      : ranks_(ranks),
        share_(share),
        slab_(slab),
        slice_(slab.grid.size[0] * slab.grid.size[1]),
        member_(member_of(share, ranks)) {
    const std::int64_t others = std::max(share.ranks - 1, 1);
    at_once_ = std::max<std::int64_t>(1, room_values / others);
  }

  void add_up(std::span<float> mine) {
    const std::int64_t most = slice_ * share_.summed.front().count;  // the first rank has most slices
    for (std::int64_t done = 0; done < most; done += at_once_) add_up(done, mine);
  }

 private:
  /// Values of the slab that a rank of the group gets in this round.
  std::span<const float> part_of(std::size_t m, std::int64_t done) const {
    const IndexRange& slices = share_.summed[m];
    const std::int64_t first = (slices.first - share_.slab.first) * slice_, all = slices.count * slice_;
    if (done >= all) return {};
    return slab_.values.span().subspan(static_cast<std::size_t>(first + done),
                                       static_cast<std::size_t>(std::min(at_once_, all - done)));
  }

  void add_up(std::int64_t done, std::span<float> mine) {
    const std::span<const float> own = part_of(member_, done);
    Ranks::Out out(static_cast<std::size_t>(ranks_.size()));
    Ranks::In in(out.size());
    room_.resize(share_.summed.size());
    for (std::size_t m = 0; m < room_.size(); ++m) {
      if (m == member_) continue;
      room_[m].resize(own.size());
      const std::size_t rank = static_cast<std::size_t>(share_.first_rank) + m;
      out[rank] = std::as_bytes(part_of(m, done));
      in[rank] = std::as_writable_bytes(std::span(room_[m]));
    }
    ranks_.exchange(out, in);
    if (own.empty()) return;
    const std::span<float> to = mine.subspan(static_cast<std::size_t>(done), own.size());
    for (std::size_t m = 0; m < room_.size(); ++m) {
      const std::span<const float> from = m == member_ ? own : std::span<const float>(room_[m]);
      std::ranges::transform(from, to, to.begin(), std::plus<>());
    }
  }

  Ranks& ranks_;
  const GroupShare& share_;
  const Volume& slab_;
  std::int64_t slice_;
  std::size_t member_;
  std::int64_t at_once_;
  std::vector<std::vector<float>> room_;
};

class SlabOfGroup final : public SharedSlab {
 public:
  SlabOfGroup(Ranks& ranks, std::shared_ptr<RowLink> link, Backend& device, const VolumeGrid& grid, GroupShare share,
              const std::shared_ptr<ProjectionSource>& all)
      : ranks_(ranks),
        link_(std::move(link)),
        device_(device),
        grid_(grid),
        slab_(slab_of(grid, share.slab.first, share.slab.count)),
        share_(std::move(share)),
        source_(rows_of_source(std::make_shared<SelectedViews>(all, share_.views[member_of(share_, ranks)]),
                               share_.rows, ranks)) {}

  const std::shared_ptr<ProjectionSource>& source() const override { return source_; }
  const VolumeGrid& grid() const override { return slab_; }
  int ranks() const override { return share_.ranks; }
  void check() override { ranks_.check(); }
  VolumeGrid summed() const override { return slab_of(grid_, mine().first, mine().count); }
  Volume add_up(const Volume& slab) override {
    Volume sum(summed());
    SlabSum(ranks_, share_, slab).add_up(sum.values.span());
    return sum;
  }
  ArrayPtr add_up(const DeviceArray* slab) override {
    ArrayPtr sum;
    if (link_ && slab && link_->takes(*slab) && mine().count > 0) try {
        sum = device_.make_array({slab->shape().n0, slab->shape().n1, mine().count});
      } catch (const DeviceFailure&) {  // no room: the host adds up
      }
    if (ranks_.minimum(sum ? 1 : 0) == 0) return nullptr;
    std::vector<IndexRange> parts(static_cast<std::size_t>(ranks_.size()));
    for (std::size_t m = 0; m < share_.summed.size(); ++m)
      parts[static_cast<std::size_t>(share_.first_rank) + m] = {share_.summed[m].first - share_.slab.first,
                                                                share_.summed[m].count};
    link_->scatter_sum(*slab, parts, *sum);
    return sum;
  }

 private:
  const IndexRange& mine() const { return share_.summed[member_of(share_, ranks_)]; }

  Ranks& ranks_;
  std::shared_ptr<RowLink> link_;
  Backend& device_;
  VolumeGrid grid_, slab_;
  GroupShare share_;
  std::shared_ptr<ProjectionSource> source_;
};

}  // namespace

std::unique_ptr<SharedSlab> RankedBackend::shared_slab(std::shared_ptr<ProjectionSource> source,
                                                       const VolumeGrid& grid) {
  const int ranks = ranks_->size(), slabs = slabs_of_ranks(grid.size[2], ranks, slabs_);
  if (slabs >= ranks) return nullptr;
  const Scan& scan = source->scan();
  GroupShare share = share_of_group(grid, scan, ranks, slabs, ranks_->rank() / (ranks / slabs));
  return std::make_unique<SlabOfGroup>(*ranks_, link(), *device_, grid, std::move(share), source);
}

}  // namespace backlit
