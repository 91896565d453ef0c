#include "projectors/sart_in_place/cpu.hpp"

#include <algorithm>
#include <utility>

#include <backlit/core/parallel.hpp>
#include "geometry/make_view_map.hpp"
#include "projectors/list.hpp"
#include "projectors/shared/make_ray_frame.hpp"

namespace backlit {

CpuViewSart::CpuViewSart(const VolumeGrid& grid, const Scan& scan, const ViewSartOptions& options)
    : columns_(static_cast<int>(scan.detector.columns)),
      rows_(static_cast<int>(scan.detector.rows)),
      matched_(options.matched),
      volume_(shape_of(grid)),
      measured_(static_cast<std::size_t>(scan.view_count() * scan.detector.pixels())),
      corrections_(static_cast<std::size_t>(scan.detector.pixels())) {
  for (std::size_t a = 0; a < 3; ++a) size_[a] = static_cast<int>(grid.size[a]);
  for (const View& view : scan.views) {
    frames_.push_back(make_ray_frame(scan.detector, view, grid));
    maps_.push_back(in_voxels(make_view_map(scan.detector, view), grid.first_voxel(), grid.spacing));
  }
}

void CpuViewSart::set_view(std::int64_t view, std::span<const float> integrals) {
  std::copy(integrals.begin(), integrals.end(), measured_.begin() + view * columns_ * rows_);
}

void CpuViewSart::find_corrections(std::size_t view) {
  std::vector<double> squares(static_cast<std::size_t>(rows_));
  parallel_for(rows_, [&](std::int64_t row) {
    for (int column = 0; column < columns_; ++column) {
      const auto ray = make_ray(frames_[view], static_cast<double>(column), static_cast<double>(row));
      const auto s = unit_steps(ray, size_[0], size_[1], size_[2]);
      double sum = 0, covered = 0;
      for (int n = s.first; n <= s.last; ++n) {
        const double u = s.u + n * s.du, v = s.v + n * s.dv, w = s.w + n * s.dw;
        sum += trilinear(volume_.data(), size_[0], size_[1], size_[2], u, v, w);
        covered += coverage(u, size_[0]) * coverage(v, size_[1]) * coverage(w, size_[2]);
      }
      const auto pixel = static_cast<std::size_t>(row * columns_ + column);
      const double measured = measured_[view * corrections_.size() + pixel];
      corrections_[pixel] = ray_correction(measured, sum, covered, s.length);
      squares[static_cast<std::size_t>(row)] += (measured - sum * s.length) * (measured - sum * s.length);
    }
  });
  for (const double square : squares) residual_ += square;
}

double CpuViewSart::change(std::size_t view, int i, int j, int k) const {
  if (matched_) {
    double share = 0, amount = 0;
    gather_rays(frames_[view], maps_[view], corrections_.data(), columns_, rows_, columns_, size_[0], size_[1],
                size_[2], i, j, k, share, amount);
    return share > 0 ? amount / share : 0;
  }
  DetectorPosition<double> at;
  if (!project_voxel(maps_[view], i, j, k, at)) return 0;
  return interpolate(corrections_.data(), image_plane(columns_, rows_), at.column, at.row);
}

void CpuViewSart::correct(std::int64_t view, float relaxation, bool nonnegative) {
  const auto index = static_cast<std::size_t>(view);
  find_corrections(index);
  parallel_for(std::int64_t{size_[1]} * size_[2], [&](std::int64_t line) {
    const int j = static_cast<int>(line % size_[1]), k = static_cast<int>(line / size_[1]);
    double* voxels = volume_.data() + line * size_[0];
    for (int i = 0; i < size_[0]; ++i) {
      voxels[i] += relaxation * change(index, i, j, k);
      if (nonnegative) voxels[i] = std::max(voxels[i], 0.0);
    }
  });
}

double CpuViewSart::take_residual() { return std::exchange(residual_, 0.0); }

void CpuViewSart::download(std::span<float> host) {
  std::transform(volume_.data(), volume_.data() + volume_.count(), host.begin(),
                 [](double v) { return static_cast<float>(v); });
}

std::int64_t CpuViewSart::volume_bytes() const { return volume_.count() * static_cast<std::int64_t>(sizeof(double)); }
std::int64_t CpuViewSart::view_bytes() const {
  return static_cast<std::int64_t>(measured_.size() * sizeof(float) + corrections_.size() * sizeof(double));
}

ProjectorInfo sart_in_place_cpu() {
  ProjectorInfo info;
  info.model = Model::sart_in_place;
  info.device = "cpu";
  info.make_in_place = [](Backend&, const VolumeGrid& grid, const Scan& scan, const ViewSartOptions& options) {
    return std::make_unique<CpuViewSart>(grid, scan, options);
  };
  return info;
}

}  // namespace backlit
