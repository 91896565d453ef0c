#include "large/seen_views.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "geometry/make_view_map.hpp"

namespace backlit {
namespace {

constexpr double margin = 2;  ///< rows beyond the detector that count as seen

/// The box's corners, and its points nearest to the source: between them lie all rows onto which it projects.
std::vector<Vec3> outermost(const std::array<Vec3, 8>& box, const View& view) {
  std::vector<Vec3> points(box.begin(), box.end());
  for (const double z : {box.front().z, box.back().z})
    points.emplace_back(std::clamp(view.source.x, box.front().x, box.back().x),
                        std::clamp(view.source.y, box.front().y, box.back().y), z);
  return points;
}

bool may_see(const Detector& detector, const View& view, const std::array<Vec3, 8>& box) {
  if (detector.shape == Detector::Shape::curved && detector.radius != 0) return true;  // not focused on the source
  const ViewMap<double> map = make_view_map(detector, view);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vec3& p : outermost(box, view)) {
    const auto at = project_point(map, p.x, p.y, p.z);
    if (!map.parallel && !(at.depth > 0)) return true;
    low = std::min(low, at.row);
    high = std::max(high, at.row);
  }
  return high > -margin && low < static_cast<double>(detector.rows - 1) + margin;
}

class SeenViews final : public LinearOperator {
 public:
  SeenViews(Backend& device, std::unique_ptr<LinearOperator> all, const IndexRange& seen)
      : device_(device), all_(std::move(all)), seen_(seen) {}

  ArrayShape domain() const override { return all_->domain(); }
  ArrayShape range() const override { return all_->range(); }
  ArrayPtr make_domain() override { return all_->make_domain(); }
  ArrayPtr make_range(std::int64_t rows) override { return all_->make_range(rows); }

  void forward(const DeviceArray& x, DeviceArray& y, const Subset& views, Write write) override {
    if (sees(views)) return all_->forward(x, y, views, write);
    if (write == Write::accumulate) return;
    if (y.shape().n2 != views.count) return all_->forward(x, y, views, write);  // views among others
    device_.fill(y, 0);
  }
  void back(const DeviceArray& y, DeviceArray& x, const Subset& views, Write write) override {
    if (sees(views)) return all_->back(y, x, views, write);
    if (write == Write::overwrite) device_.fill(x, 0);
  }
  void sensitivity(DeviceArray& x, const Subset& views) override {
    sees(views) ? all_->sensitivity(x, views) : device_.fill(x, 0);
  }
  bool relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset& views) override {
    return all_->relax(y, x, factor, least, views);
  }
  bool matched() const override { return all_->matched(); }
  bool prefers_whole() const override { return all_->prefers_whole(); }
  std::string variant() const override { return all_->variant(); }

 private:
  bool sees(const Subset& views) const {
    const std::int64_t last = views.first + (views.count - 1) * views.stride;
    if (views.count < 1 || last < seen_.first || views.first >= seen_.end()) return false;
    if (views.first >= seen_.first || views.stride == 1) return true;
    const std::int64_t skipped = (seen_.first - views.first + views.stride - 1) / views.stride;
    return seen_.contains(views.first + skipped * views.stride);
  }

  Backend& device_;
  std::unique_ptr<LinearOperator> all_;
  IndexRange seen_;
};

}  // namespace

IndexRange views_seen(const VolumeGrid& grid, const Scan& scan) {
  const std::array<Vec3, 8> box = corners_of(grid, widest_voxel);
  std::int64_t first = scan.view_count(), end = 0;
  for (std::int64_t i = 0; i < scan.view_count(); ++i) {
    if (!may_see(scan.detector, scan.views[static_cast<std::size_t>(i)], box)) continue;
    first = std::min(first, i);
    end = i + 1;
  }
  return {first, std::max<std::int64_t>(end - first, 0)};
}

std::unique_ptr<LinearOperator> of_seen_views(Backend& device, std::unique_ptr<LinearOperator> all,
                                              const IndexRange& seen) {
  if (seen.count == all->range().n2) return all;
  return std::make_unique<SeenViews>(device, std::move(all), seen);
}

}  // namespace backlit
