#include "large/several_devices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/geometry/quarter_turns.hpp>
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
      : grid_(grid), scan_(scan), options_(options), asked_packing_(options.packing) {
    // A device packs only whole scans by quarter turns. So each device gets whole groups of quarter turns as a scan.
    if (options.model == Model::joseph && options.packing != Packing::none &&
        (options.packing == Packing::orbit || options.precision == Precision::half))
      turns_ = find_quarter_turns(scan, grid);
    if (options.packing == Packing::orbit && !turns_.refusal.empty())
      throw Unsupported("packing orbit", turns_.refusal, "use `packing` auto");
    if (options.model == Model::joseph) options_.packing = Packing::none;
    const DeviceShares shares = share_by_speed(backends, grid_, scan_, options_);
    for (std::size_t i = 0; i < backends.size(); ++i) {
      const Run& slices = shares.slices[i];
      Device& d =
          devices_.emplace_back(Device{backends[i], shares.speeds[i], slices.first, slices.count, {}, {}, {}, {}, {}});
      d.backend->activate();
      if (d.slices > 0) d.slab = d.backend->make_ct(slab_of(grid_, d.first, d.slices), scan_, options_);
    }
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
    return fmt::format("{}{}, {} devices ({} slices)", one().variant(),
                       turns_.groups.empty() ? "" : ", whole scans packed by orbit", devices_.size(),
                       fmt::join(slices, " + "));
  }

  void forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    if (subset.count == range().n2 && subset.stride == 1 && packs()) return forward_packed(x, y, rows, write);
    const std::vector<std::int64_t> shares = shares_of(subset.count);
    for_shares(shares, subset, [&](std::size_t i, Device& d, const Subset& part, std::int64_t from) {
      LinearOperator& whole = whole_of(d);
      if (i == 0 && together(rows)) return whole.forward(x, *d.backend->rows(y, rows.slot(0), part.count), part, write);
      DeviceArray& views = d.views(part.count, scan_.detector);
      if (i > 0) first().send(x, *d.backend, *d.x);
      if (write == Write::accumulate) copy_rows(y, rows, from, views, d, true);
      d.backend->activate();
      whole.forward(i > 0 ? *d.x : x, views, part, write);
    });
    std::int64_t done = 0;
    for (std::size_t i = 0; i < devices_.size(); done += shares[i++])
      if (shares[i] > 0 && (i > 0 || !together(rows)))
        copy_rows(y, rows, done, devices_[i].views(shares[i], scan_.detector), devices_[i], false);
    first().activate();
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    if (shares_views(subset.count)) return back_by_views(y, x, subset, rows, write);
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
    std::unique_ptr<LinearOperator> slab;      ///< backprojects onto the device's slices
    std::unique_ptr<LinearOperator> whole;     ///< for projection; made at its first use
    ArrayPtr x, part;                          ///< copies of the volume and of its slices; not on the first device
    std::map<std::int64_t, ArrayPtr> rows;     ///< arrays of views, by number of views
    std::unique_ptr<LinearOperator> packed{};  ///< projection of packed_views, whole groups of quarter turns
    std::vector<std::int64_t> packed_views{};

    DeviceArray& views(std::int64_t count, const Detector& detector) {
      ArrayPtr& array = rows[count];
      if (!array) {
        backend->activate();
        array = backend->make_array(shape_of(detector, count));
      }
      return *array;
    }
  };

  std::vector<std::int64_t> shares_of(std::int64_t views) const { return split_by_speed(views, speeds()); }
  std::vector<double> speeds() const {
    std::vector<double> all;
    for (const Device& d : devices_) all.push_back(d.speed);
    return all;
  }

  /// Calls f(number, device, the device's part of the subset, the index of the part's first row in the subset). The
  /// first device comes last: the others work at the same time.
  template <class F>
  void for_shares(const std::vector<std::int64_t>& shares, const Subset& subset, F&& f) {
    std::int64_t from = subset.count;
    for (std::size_t i = devices_.size(); i-- > 0;) {
      if (shares[i] == 0) continue;
      from -= shares[i];
      f(i, devices_[i], Subset{subset.first + from * subset.stride, shares[i], subset.stride}, from);
    }
  }

  /// The device's operator for the whole grid. Devices other than the first also get an array for the volume.
  LinearOperator& whole_of(Device& d) {
    d.backend->activate();
    if (!d.whole) d.whole = d.backend->make_ct(grid_, scan_, options_);
    if (&d != &devices_.front() && !d.x) d.x = d.whole->make_domain();
    return *d.whole;
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
  void back_by_views(const DeviceArray& y, DeviceArray& x, const Subset& subset, const SubsetRows& rows, Write write) {
    const std::vector<std::int64_t> shares = shares_of(subset.count);
    auto& images = const_cast<DeviceArray&>(y);  // only read
    for_shares(shares, subset, [&](std::size_t i, Device& d, const Subset& part, std::int64_t from) {
      LinearOperator& whole = whole_of(d);
      if (i == 0 && together(rows)) return whole.back(*first().rows(images, rows.slot(0), part.count), x, part, write);
      DeviceArray& views = d.views(part.count, scan_.detector);
      copy_rows(images, rows, from, views, d, true);
      d.backend->activate();
      whole.back(views, i > 0 ? *d.x : x, part, i > 0 ? Write::overwrite : write);
    });
    first().activate();
    if (shares[0] == 0 && write == Write::overwrite) first().fill(x, 0);
    if (!sum_) sum_ = make_domain();
    for (std::size_t i = 1; i < devices_.size(); ++i) {
      if (shares[i] == 0) continue;
      devices_[i].backend->send(*devices_[i].x, first(), *sum_);
      first().activate();
      first().axpy(1, *sum_, x);
    }
  }

  /// Projects groups of quarter turns, divided by speed. The groups of a device are a scan of their own.
  void forward_packed(const DeviceArray& x, DeviceArray& y, const SubsetRows& rows, Write write) {
    for (std::size_t i = devices_.size(); i-- > 0;) {
      Device& d = devices_[i];
      if (d.packed_views.empty()) continue;
      if (i > 0 && !d.x) {
        d.backend->activate();
        d.x = d.packed->make_domain();
      }
      if (i > 0) first().send(x, *d.backend, *d.x);
      DeviceArray& views = d.views(static_cast<std::int64_t>(d.packed_views.size()), scan_.detector);
      if (write == Write::accumulate) copy_packed(y, rows, views, d, true);
      d.backend->activate();
      d.packed->forward(i > 0 ? *d.x : x, views, d.packed->all(), write);
    }
    for (Device& d : devices_)
      if (!d.packed_views.empty())
        copy_packed(y, rows, d.views(static_cast<std::int64_t>(d.packed_views.size()), scan_.detector), d, false);
    first().activate();
  }

  /// Plans are made when whole scans are first projected. A device may refuse even then (a source inside the grid).
  bool packs() {
    if (turns_.groups.empty() || planned_) return planned_;
    try {
      plan_packed();
      planned_ = true;
    } catch (const Unsupported&) {
      if (asked_packing_ == Packing::orbit) throw;
      turns_ = {};
    }
    return planned_;
  }

  void plan_packed() {
    CtOptions options = options_;
    options.packing = Packing::orbit;
    const auto shares = split_by_speed(static_cast<std::int64_t>(turns_.groups.size()), speeds());
    std::size_t group = 0;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      Device& d = devices_[i];
      const std::size_t end = group + static_cast<std::size_t>(shares[i]);
      d.packed_views.clear();
      for (std::size_t c = 0; c < 4; ++c)  // quarter by quarter: then rows are consecutive in most scans
        for (std::size_t g = group; g < end; ++g) d.packed_views.push_back(turns_.groups[g].views[c]);
      group = end;
      if (d.packed_views.empty()) continue;
      Scan part = scan_;
      part.views.clear();
      for (const std::int64_t view : d.packed_views) part.views.push_back(scan_.views[static_cast<std::size_t>(view)]);
      d.backend->activate();
      d.packed = d.backend->make_ct(grid_, part, options);
    }
  }

  /// Copies between y and a device's compact array of its packed views, in runs that are consecutive in both.
  void copy_packed(DeviceArray& y, const SubsetRows& rows, DeviceArray& views, const Device& d, bool out) const {
    const auto count = static_cast<std::int64_t>(d.packed_views.size());
    const auto slot = [&](std::int64_t n) { return rows.slot(d.packed_views[static_cast<std::size_t>(n)]); };
    for (std::int64_t n = 0, next; n < count; n = next) {
      for (next = n + 1; next < count && slot(next) == slot(next - 1) + 1;) ++next;
      copy(*first().rows(y, slot(n), next - n), *d.backend->rows(views, n, next - n), d, out);
    }
  }
  void copy(DeviceArray& ours, DeviceArray& theirs, const Device& d, bool out) const {
    if (out)
      first().send(ours, *d.backend, theirs);
    else
      d.backend->send(theirs, first(), ours);
  }

  Backend& first() const { return *devices_.front().backend; }
  const LinearOperator& one() const {
    return *std::find_if(devices_.begin(), devices_.end(), [](const Device& d) { return d.slab != nullptr; })->slab;
  }
  ArrayPtr part_of(DeviceArray& x, const Device& d) const { return first().rows(x, d.first, d.slices); }

  /// Whether the subset's rows are consecutive in the array.
  static bool together(const SubsetRows& rows) { return rows.count() < 2 || rows.slot(1) == rows.slot(0) + 1; }

  /// Copies rows [from, from + views.n2) of the subset between y and a device's compact array.
  void copy_rows(DeviceArray& y, const SubsetRows& rows, std::int64_t from, DeviceArray& views, const Device& d,
                 bool out) const {
    const std::int64_t count = views.shape().n2;
    const std::int64_t pieces = together(rows) ? 1 : count, each = count / pieces;
    for (std::int64_t p = 0; p < pieces; ++p) {
      copy(*first().rows(y, rows.slot(from + p * each), each), *d.backend->rows(views, p * each, each), d, out);
    }
  }

  VolumeGrid grid_;
  Scan scan_;
  CtOptions options_;
  QuarterTurns turns_;  ///< no groups when nothing is packed
  Packing asked_packing_;
  bool planned_ = false;  ///< whether plans for packed projection exist
  std::vector<Device> devices_;
  ArrayPtr sum_;  ///< receives another device's volume on the first device
};

}  // namespace

std::unique_ptr<LinearOperator> make_split_ct(const std::vector<Backend*>& backends, const VolumeGrid& grid,
                                              const Scan& scan, const CtOptions& options) {
  return std::make_unique<SplitOperator>(backends, grid, scan, options);
}

}  // namespace backlit
