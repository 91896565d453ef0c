#include "large/several_devices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/geometry/quarter_turns.hpp>
#include <backlit/projectors/require.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "large/cut.hpp"
#include "large/device_shares.hpp"
#include "large/split_by_speed.hpp"

namespace backlit {
namespace {

class SplitOperator final : public LinearOperator {
 public:
  SplitOperator(const std::vector<Backend*>& backends, const VolumeGrid& grid, const Scan& scan,
                const CtOptions& options)
      : grid_(grid), scan_(scan), options_(options) {
    if (options.model == Model::joseph && options.packing != Packing::none &&
        (options.packing == Packing::orbit || options.precision == Precision::half))
      turns_ = find_quarter_turns(scan, grid);
    if (options.packing == Packing::orbit && !turns_.refusal.empty())
      throw Unsupported("packing orbit", turns_.refusal, "use `packing` auto");
    if (options.packing == Packing::orbit) require_supported(*backends.front(), grid, scan, options);
    const DeviceShares shares = share_by_speed(backends, grid_, scan_, options_);
    for (std::size_t i = 0; i < backends.size(); ++i) {
      const Run& slices = shares.slices[i];
      Device& d = devices_.emplace_back(Device{backends[i], shares.speeds[i], slices.first, slices.count});
      d.backend->activate();
      if (d.slices > 0) d.slab = d.backend->make_ct(slab_of(grid_, d.first, d.slices), scan_, options_);
    }
    deal_groups();
    first().activate();
    const ArrayPtr probe = make_domain();
    if (!first().rows(*probe, 0, 1))
      throw Unsupported("several devices", fmt::format("backend {} cannot share its arrays", first().name()),
                        "use one device");
  }

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(scan_.detector, scan_.view_count()); }
  ArrayPtr make_domain() override { return first().make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return first().make_array(shape_of(scan_.detector, rows)); }
  bool matched() const override { return one().matched(); }
  bool prefers_whole() const override { return one().prefers_whole(); }

  std::string variant() const override {
    std::vector<std::int64_t> slices;
    for (const Device& d : devices_) slices.push_back(d.slices);
    return fmt::format("{}, {} devices ({} slices)", one().variant(), devices_.size(), fmt::join(slices, " + "));
  }

  void forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) override {
    const std::vector<Share> shares = shares_of(subset, y);
    for_shares(shares, [&](std::size_t i, Device& d, LinearOperator& projector, const Share& share) {
      const ArrayPtr in_place = rows_in_place(i, share, y);
      DeviceArray& views = in_place ? *in_place : d.views(share.views.count, scan_.detector);
      if (i > 0) first().send(x, *d.backend, *d.x);
      if (!in_place && write == Write::accumulate) copy_rows(y, share, views, d, true);
      d.backend->activate();
      projector.forward(i > 0 ? *d.x : x, views, share.views, write);
    });
    for (std::size_t i = 0; i < devices_.size(); ++i)
      if (Device& d = devices_[i]; shares[i].views.count > 0 && !rows_in_place(i, shares[i], y))
        copy_rows(y, shares[i], d.views(shares[i].views.count, scan_.detector), d, false);
    first().activate();
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    if (shares_views(subset.count)) return back_by_views(y, x, subset, write);
    for (std::size_t i = devices_.size(); i-- > 0;) {
      Device& d = devices_[i];
      if (d.slices == 0) continue;
      const ArrayPtr part = part_of(x, d);
      if (i == 0) {
        d.backend->activate();
        d.slab->back(y, *part, subset, write);
        continue;
      }
      DeviceArray& views = d.views(y.shape().n2, scan_.detector);
      first().send(y, *d.backend, views);
      if (!d.part) d.part = d.slab->make_domain();
      if (write == Write::accumulate) first().send(*part, *d.backend, *d.part);
      d.backend->activate();
      d.slab->back(views, *d.part, subset, write);
    }
    for (std::size_t i = 1; i < devices_.size(); ++i)
      if (devices_[i].slices > 0) devices_[i].backend->send(*devices_[i].part, first(), *part_of(x, devices_[i]));
    first().activate();
  }

  void sensitivity(DeviceArray& x, const Subset& subset) override {
    const ArrayPtr ones = make_range(subset.count);
    first().fill(*ones, 1);
    back(*ones, x, subset, Write::overwrite);
  }

 private:
  struct Device {
    Backend* backend;
    double speed;
    std::int64_t first, slices;
    std::unique_ptr<LinearOperator> slab{};   ///< backprojects onto the device's slices
    std::unique_ptr<LinearOperator> whole{};  ///< the whole grid and scan; made at its first use
    std::unique_ptr<LinearOperator> dealt{};  ///< the whole grid and views_dealt; made at its first use
    std::vector<std::int64_t> views_dealt{};  ///< of whole groups of quarter turns, ascending
    ArrayPtr x{}, part{};                     ///< copies of the volume and of its slices; not on the first device
    std::map<std::int64_t, ArrayPtr> rows{};  ///< arrays of views, by number of views

    DeviceArray& views(std::int64_t count, const Detector& detector) {
      ArrayPtr& array = rows[count];
      if (!array) {
        backend->activate();
        array = backend->make_array(shape_of(detector, count));
      }
      return *array;
    }
  };

  /// What a device gets of a subset's views.
  struct Share {
    bool of_dealt = false;
    Subset views{0, 0, 1};              ///< rows of the device's operator `dealt` or `whole`
    std::vector<std::int64_t> slots{};  ///< the place of each in the array of views
  };

  std::vector<double> speeds() const {
    std::vector<double> all;
    for (const Device& d : devices_) all.push_back(d.speed);
    return all;
  }

  /// Deals the groups of quarter turns by speed. In scans in the order of groups, the devices take turns: then each
  /// subset is divided, too. In other scans each device gets neighbouring groups, because consecutive rows are copied
  /// at once.
  void deal_groups() {
    const std::vector<std::int64_t> counts = split_by_speed(std::ssize(turns_.groups), speeds());
    std::vector<std::int64_t> left = counts;
    const auto wanting = [&](std::size_t i) {  // the share that it still lacks
      return counts[i] > 0 ? static_cast<double>(left[i]) / static_cast<double>(counts[i]) : 0.0;
    };
    const bool in_turn = turns_.in_order();
    for (const QuarterTurns::Group& group : turns_.groups) {
      std::size_t next = 0;
      for (std::size_t i = 1; i < left.size(); ++i)
        if (in_turn ? wanting(i) > wanting(next) : left[next] == 0) next = i;
      --left[next];
      auto& dealt = devices_[next].views_dealt;
      dealt.insert(dealt.end(), group.views.begin(), group.views.end());
    }
    for (Device& d : devices_) std::ranges::sort(d.views_dealt);
  }

  /// One share a device, for all rows of the subset.
  std::vector<Share> shares_of(const Subset& subset, const DeviceArray& y) const {
    const SubsetRows rows(range(), subset, y.shape());
    std::vector<Share> shares = shares_of_groups(subset, rows);
    return shares.empty() ? shares_by_speed(subset, rows) : shares;
  }

  std::vector<Share> shares_by_speed(const Subset& subset, const SubsetRows& rows) const {
    std::vector<Share> shares;
    std::int64_t next = 0;
    for (const std::int64_t count : split_by_speed(subset.count, speeds())) {
      Share& share = shares.emplace_back();
      share.views = {subset.first + next * subset.stride, count, subset.stride};
      for (std::int64_t i = 0; i < count; ++i) share.slots.push_back(rows.slot(next++));
    }
    return shares;
  }

  /// No shares where the subset has parts of groups, or where a device's rows are not at equal distances.
  std::vector<Share> shares_of_groups(const Subset& subset, const SubsetRows& rows) const {
    std::vector<std::int64_t> place(static_cast<std::size_t>(scan_.view_count()), -1);  // of each view in the subset
    for (std::int64_t i = 0; i < rows.count(); ++i) place[static_cast<std::size_t>(rows.row(i))] = i;
    for (const auto& group : turns_.groups) {
      const auto has =
          std::ranges::count_if(group.views, [&](std::int64_t v) { return place[static_cast<std::size_t>(v)] >= 0; });
      if (has % 4 != 0) return {};
    }
    std::vector<Share> shares;
    std::int64_t dealt = 0;
    for (const Device& d : devices_) {
      Share& share = shares.emplace_back(Share{true});
      std::vector<std::int64_t> own;
      for (std::int64_t n = 0; n < std::ssize(d.views_dealt); ++n)
        if (const std::int64_t i = place[static_cast<std::size_t>(d.views_dealt[static_cast<std::size_t>(n)])];
            i >= 0) {
          own.push_back(n);
          share.slots.push_back(rows.slot(i));
        }
      if (own.empty()) continue;
      share.views = {own[0], std::ssize(own), own[1] - own[0]};
      for (std::size_t n = 1; n < own.size(); ++n)
        if (own[n] - own[n - 1] != share.views.stride) return {};
      dealt += share.views.count;
    }
    return dealt == subset.count ? shares : std::vector<Share>{};
  }

  /// Calls f(number, device, its operator, its share) for each device with views. The first device comes last: the
  /// others work at the same time.
  template <class F>
  void for_shares(const std::vector<Share>& shares, F&& f) {
    for (std::size_t i = devices_.size(); i-- > 0;)
      if (shares[i].views.count > 0) f(i, devices_[i], projector_of(devices_[i], shares[i]), shares[i]);
  }

  /// Devices other than the first also get an array for the volume.
  LinearOperator& projector_of(Device& d, const Share& share) {
    d.backend->activate();
    std::unique_ptr<LinearOperator>& made = share.of_dealt ? d.dealt : d.whole;
    if (!made) made = d.backend->make_ct(grid_, share.of_dealt ? scan_dealt(d) : scan_, options_);
    if (&d != &devices_.front() && !d.x) d.x = made->make_domain();
    return *made;
  }
  Scan scan_dealt(const Device& d) const {
    Scan scan = scan_;
    scan.views.clear();
    for (const std::int64_t view : d.views_dealt) scan.views.push_back(scan_.views[static_cast<std::size_t>(view)]);
    return scan;
  }

  /// Whether to divide the views for backprojection. This is so when the views are larger than the volume, because then
  /// copies are smaller. It is also so when kernels that process 64 slices together would get fewer. Voxel-driven
  /// operators never divide the views: their packings need whole scans.
  bool shares_views(std::int64_t views) const {
    const auto devices = static_cast<std::int64_t>(devices_.size());
    const bool few_slices = options_.model == Model::branchless_dd && grid_.size[2] < 64 * devices;
    return options_.model != Model::voxel_driven &&
           (views * scan_.detector.pixels() > grid_.voxels() || (few_slices && views >= 8 * devices));
  }

  /// Every device backprojects its views onto a volume of its own. The first device adds the volumes.
  void back_by_views(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) {
    const std::vector<Share> shares = shares_of(subset, y);
    auto& images = const_cast<DeviceArray&>(y);  // only read
    for_shares(shares, [&](std::size_t i, Device& d, LinearOperator& projector, const Share& share) {
      const ArrayPtr in_place = rows_in_place(i, share, images);
      DeviceArray& views = in_place ? *in_place : d.views(share.views.count, scan_.detector);
      if (!in_place) copy_rows(images, share, views, d, true);
      d.backend->activate();
      projector.back(views, i > 0 ? *d.x : x, share.views, i > 0 ? Write::overwrite : write);
    });
    first().activate();
    if (shares[0].views.count == 0 && write == Write::overwrite) first().fill(x, 0);
    if (!sum_) sum_ = make_domain();
    for (std::size_t i = 1; i < devices_.size(); ++i) {
      if (shares[i].views.count == 0) continue;
      devices_[i].backend->send(*devices_[i].x, first(), *sum_);
      first().activate();
      first().axpy(1, *sum_, x);
    }
  }

  Backend& first() const { return *devices_.front().backend; }
  const LinearOperator& one() const {
    return *std::find_if(devices_.begin(), devices_.end(), [](const Device& d) { return d.slab != nullptr; })->slab;
  }
  ArrayPtr part_of(DeviceArray& x, const Device& d) const { return first().rows(x, d.first, d.slices); }

  /// The number of slots from the n-th on that follow one another.
  static std::int64_t run_from(const Share& share, std::int64_t n) {
    const auto slot = [&](std::int64_t i) { return share.slots[static_cast<std::size_t>(i)]; };
    std::int64_t end = n + 1;
    while (end < share.views.count && slot(end) == slot(end - 1) + 1) ++end;
    return end - n;
  }

  /// The first device works on consecutive rows where they are; null otherwise.
  ArrayPtr rows_in_place(std::size_t device, const Share& share, DeviceArray& y) const {
    if (device > 0 || run_from(share, 0) < share.views.count) return nullptr;
    return first().rows(y, share.slots[0], share.views.count);
  }

  /// Copies a share's rows between y and the device's own array.
  void copy_rows(DeviceArray& y, const Share& share, DeviceArray& views, const Device& d, bool out) const {
    for (std::int64_t n = 0, run; n < share.views.count; n += run) {
      run = run_from(share, n);
      const ArrayPtr ours = first().rows(y, share.slots[static_cast<std::size_t>(n)], run),
                     theirs = d.backend->rows(views, n, run);
      if (out)
        first().send(*ours, *d.backend, *theirs);
      else
        d.backend->send(*theirs, first(), *ours);
    }
  }

  VolumeGrid grid_;
  Scan scan_;
  CtOptions options_;
  QuarterTurns turns_;  ///< no groups when nothing is packed
  std::vector<Device> devices_;
  ArrayPtr sum_;  ///< receives another device's volume on the first device
};

}  // namespace

std::unique_ptr<LinearOperator> make_split_ct(const std::vector<Backend*>& backends, const VolumeGrid& grid,
                                              const Scan& scan, const CtOptions& options) {
  return std::make_unique<SplitOperator>(backends, grid, scan, options);
}

}  // namespace backlit
