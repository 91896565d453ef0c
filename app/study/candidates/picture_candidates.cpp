#include "study/candidates/picture_candidates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "study/bench/bench_camera.hpp"
#include "study/mean_path.hpp"

namespace backlit {
namespace {

const std::string& mode_name(VolumeMode mode) { return volume_mode_names()[static_cast<std::size_t>(mode)]; }

Candidate describe(Backend& any, const SharedPictures& shared, const char* operation, VolumeMode mode, bool compute,
                   bool skip) {
  Backend& backend = any.innermost();
  Candidate c;
  c.backend = &backend;
  const bool gl = backend.name() == "gl";
  c.cell.operation = operation;
  c.cell.workload = fmt::format("{}, {} x {} pixels, {}", shared.workload, shared.side, shared.side, mode_name(mode));
  c.cell.architecture = !gl ? (backend.name() == "cpu" ? "CPU" : "CUDA") : compute ? "compute" : "MP-GPU";
  c.through = compute ? "compute" : "fragment";
  c.cell.unit = "frames/s";
  c.cell.error_unit = mode == VolumeMode::iso ? "share of pixels" : "relative L2";
  c.cell.rmse_bound = 0.02;
  if (gl) c.cell.options.emplace_back("empty space", skip ? "leapt over" : "sampled");
  return c;
}

/// Adds the samples of a picture whose rays take all of them: a voxel apart, from all `views` or of a volume (1).
void add_samples(Candidate& c, SharedPictures& shared, const std::string& fetch, double views) {
  const Vec3& spacing = shared.bench.grid.spacing;
  const double samples = shared.path_mm() / std::min({spacing.x, spacing.y, spacing.z}) *
                         static_cast<double>(shared.side * shared.side) * views;
  c.demands.push_back({fetch, 1e-9 * samples});
  c.cell.counts.emplace_back("fetches", samples);
}

/// Pixels that hit a surface in one picture only, relative to the reference's hits. Distances are not compared:
/// references find a surface by other steps than devices do.
double share_of_other_surfaces(std::span<const float> a, std::span<const float> b) {
  const auto hit = [](std::span<const float> p, std::size_t i) { return p[i] != 0 || p[i + 1] != 0 || p[i + 2] != 0; };
  double hits = 0, different = 0;
  for (std::size_t i = 0; i < b.size(); i += 4) {
    hits += hit(b, i);
    different += hit(a, i) != hit(b, i);
  }
  return different / hits;
}

double picture_error(VolumeMode mode, std::span<const float> a, std::span<const float> b) {
  return mode == VolumeMode::iso ? share_of_other_surfaces(a, b) : relative_l2(a, b);
}

}  // namespace

RenderBench& SharedPictures::renders(Backend& backend) {
  auto& made = renders_[&backend];
  if (!made) made = std::make_unique<RenderBench>(backend, bench, side);
  return *made;
}

double SharedPictures::path_mm() {
  if (!path_mm_)
    path_mm_ = mean_path_mm(camera_rays(camera_filling(bench.grid, 0.7), bench.grid, side, side), bench.grid);
  return *path_mm_;
}

const BenchData& SharedPictures::views() {
  if (!views_) views_ = head_views(bench);
  return *views_;
}

const std::vector<float>& SharedPictures::rendered(Backend& backend, VolumeMode mode) {
  auto& picture = rendered_[mode];
  if (picture.empty()) picture = renders(backend).truth(mode);
  return picture;
}

const std::vector<float>& SharedPictures::from_views(VolumeMode mode) {
  auto& picture = from_views_[mode];
  if (picture.empty()) picture = d2vr_truth(bench, views(), mode, side);
  return picture;
}

Candidate render_candidate(Backend& any, const std::shared_ptr<SharedPictures>& shared, const RenderVariant& variant) {
  Candidate c = describe(any, *shared, "render", variant.mode, variant.compute, variant.skip);
  if (c.backend->name() == "gl") {
    c.cell.options.emplace_back("texel", variant.half ? "r16f" : "r32f");
    c.cell.options.emplace_back("layout", "3-D texture");
    if (!variant.skip && variant.opaque >= 1 && !variant.half && variant.mode != VolumeMode::iso)
      add_samples(c, *shared, "trilinear r32f", 1);
  }
  c.prepare = [&backend = *c.backend, shared, variant] {
    Trial trial = shared->renders(backend).trial(variant);
    trial.error = [&backend, result = trial.result, shared, variant] {
      return picture_error(variant.mode, result().span(), shared->rendered(backend, variant.mode));
    };
    return trial;
  };
  return c;
}

Candidate d2vr_candidate(Backend& any, const std::shared_ptr<SharedPictures>& shared, const D2vrVariant& variant) {
  Candidate c = describe(any, *shared, "d2vr", variant.mode, variant.compute, variant.skip);
  if (c.backend->name() == "gl") {
    c.cell.options.emplace_back("interpolation", variant.precision == Precision::exact ? "software" : "linear");
    c.cell.options.emplace_back("texel", variant.precision == Precision::half ? "r16f" : "r32f");
    c.cell.options.emplace_back("layout", "2-D array");
    if (!variant.skip && variant.precision == Precision::fast && variant.mode == VolumeMode::mip)
      add_samples(c, *shared, "bilinear r32f",
                  share_of_hits(shared->bench) * static_cast<double>(shared->bench.scan.view_count()));
  }
  c.prepare = [&backend = *c.backend, shared, variant] {
    CtOptions options;
    options.precision = variant.precision;
    options.variant = variant.compute ? "draw=compute" : "draw=fragment";
    Trial trial =
        d2vr_trial(backend, shared->bench, shared->views(), options, variant.mode, shared->side, variant.skip);
    trial.error = [result = trial.result, shared, variant] {
      return picture_error(variant.mode, result().span(), shared->from_views(variant.mode));
    };
    return trial;
  };
  return c;
}

}  // namespace backlit
