// The projector on the CPU, in double precision.
#include <algorithm>
#include <cmath>

#include <backlit/core/parallel.hpp>
#include <backlit/device/cpu/cpu_array.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "footprint.hpp"

using namespace backlit;

namespace {

/// f(i, hat(at - i)) for the integers from 0 to n - 1 within one of `at`.
template <class F>
void near(double at, std::int64_t n, F&& f) {
  const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(at - 1)));
  const auto last = std::min<std::int64_t>(n - 1, static_cast<std::int64_t>(std::floor(at + 1)));
  for (std::int64_t i = first; i <= last; ++i) f(i, 1 - std::abs(at - static_cast<double>(i)));
}

class OnCpu final : public FootprintOperator {
 public:
  using FootprintOperator::FootprintOperator;
  std::string variant() const override { return "footprint double"; }

  void forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    const double* volume = cpu_values(x);
    parallel_for(rows.count(), [&](std::int64_t n) {
      double* image = cpu_values(y) + rows.slot(n) * scan_.detector.pixels();
      if (write == Write::overwrite) std::fill_n(image, scan_.detector.pixels(), 0.0);
      each_weight(rows.row(n), 0, grid_.size[2], [&](std::int64_t voxel, std::int64_t pixel, double weight) {
        image[pixel] += weight * volume[voxel];
      });
    });
  }

  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    const std::int64_t slice = grid_.size[0] * grid_.size[1];
    double* volume = cpu_values(x);
    parallel_for(grid_.size[2], [&](std::int64_t k) {
      if (write == Write::overwrite) std::fill_n(volume + k * slice, slice, 0.0);
      for (std::int64_t n = 0; n < rows.count(); ++n) {
        const double* image = cpu_values(y) + rows.slot(n) * scan_.detector.pixels();
        each_weight(rows.row(n), k, k + 1, [&](std::int64_t voxel, std::int64_t pixel, double weight) {
          volume[voxel] += weight * image[pixel];
        });
      }
    });
  }

 private:
  /// f(voxel, pixel, weight) for slices [first, last) and one view.
  template <class F>
  void each_weight(std::int64_t view, std::int64_t first, std::int64_t last, F&& f) const {
    const Footprint& p = views_[static_cast<std::size_t>(view)];
    const Detector& detector = scan_.detector;
    for (std::int64_t k = first; k < last; ++k)
      near(p.v0 + p.dv * static_cast<double>(k), detector.rows, [&](std::int64_t row, double across) {
        for (std::int64_t j = 0; j < grid_.size[1]; ++j)
          for (std::int64_t i = 0; i < grid_.size[0]; ++i) {
            const double u = p.u0 + p.du[0] * static_cast<double>(i) + p.du[1] * static_cast<double>(j);
            near(u, detector.columns, [&](std::int64_t column, double along) {
              f((k * grid_.size[1] + j) * grid_.size[0] + i, row * detector.columns + column, length_ * across * along);
            });
          }
      });
  }
};

}  // namespace

ProjectorInfo footprint_on_cpu() {
  ProjectorInfo info;
  info.model = footprint();
  info.device = "cpu";
  info.precisions = {Precision::exact, Precision::fast};
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions&) {
    return std::make_unique<OnCpu>(backend, grid, scan);
  };
  return info;
}
