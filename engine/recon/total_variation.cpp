#include "recon/total_variation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/data/reads_rows.hpp>
#include <backlit/preprocess/noise_level.hpp>

namespace backlit {
namespace {

constexpr float longest_step = 1.9f;       // step over the bound of a gradient's curvature; below 2 it converges
constexpr std::int64_t random_views = 16;  // enough for a mean over all voxels

/// Pseudo-random signs, the same in every run.
std::vector<float> random_signs(std::int64_t count) {
  std::vector<float> signs(static_cast<std::size_t>(count));
  std::uint32_t state = 1;
  for (float& s : signs) {
    state = state * 1664525u + 1013904223u;
    s = state & 0x80000000u ? 1.0f : -1.0f;
  }
  return signs;
}

/// sqrt(mean over voxels of sum_i a_ij^2), from A' of independent random signs, whose mean square it is.
double column_length(Backend& backend, LinearOperator& a) {
  const std::int64_t views = a.range().n2, count = std::min(views, random_views), stride = views / count;
  const ArrayPtr signs = a.make_range(count), sums = a.make_domain();
  backend.upload(random_signs(signs->count()), *signs);
  a.back(*signs, *sums, {0, count, stride}, Write::overwrite);
  const double share = static_cast<double>(views) / static_cast<double>(count);
  return std::sqrt(share * backend.dot(*sums, *sums) / static_cast<double>(sums->count()));
}

}  // namespace

NeighbourOperations& neighbours_of(Backend& backend) {
  if (auto* operations = backend.neighbours()) return *operations;
  throw Unsupported("penalty", fmt::format("the {} backend has none", backend.name()),
                    "use `backend` cpu, gl or cuda, or a `method` without penalty");
}

DualField::DualField(Backend& backend, LinearOperator& a, const VolumeGrid& grid, const BoxOptions& box, bool descends)
    : backend_(backend), neighbours_(neighbours_of(backend)), differences_(make_differences(grid.spacing)) {
  set_box(box);
  for (ArrayPtr& component : z_) component = a.make_domain();
  if (descends) before_ = a.make_domain();
}

void DualField::set_box(const BoxOptions& box) {
  low_ = static_cast<float>(box.lower);
  high_ = static_cast<float>(box.upper);
}

void DualField::ascend(const DeviceArray& x, float step, float radius) {
  neighbours_.ascend(differences_, x, step, radius, field());
}

void DualField::descend(DeviceArray& x, const DeviceArray& weights, const DeviceArray& gradient) {
  neighbours_.descend(differences_, field(), {x, x, low_, high_, &weights, &gradient, before_.get()});
}

void DualField::denoise(const DeviceArray& v, DeviceArray& x, float radius, std::int64_t steps,
                        const DeviceArray* mask) {
  const auto primal = [&] {
    neighbours_.descend(differences_, field(), {v, x, low_, high_});
    if (mask) backend_.multiply(*mask, x);
  };
  for (std::int64_t n = 0; n < steps; ++n) {
    primal();
    ascend(x, longest_step / differences_.square_norm(), radius);
  }
  primal();
}

void DualField::remember(RunState& state) {
  for (int n = 0; n < 3; ++n) state.arrays.emplace_back(fmt::format("dual field {}", n), z_[n].get());
  if (before_) state.arrays.emplace_back("divergence before", before_.get());
}

double known_noise(double noise, ProjectionSource& source) {
  if (noise > 0) return noise;
  look_at_rows(source, {0, source.scan().detector.rows});  // all ranks find the same; data have been read by then
  return noise_level(source);
}

NoiseChoice choose_lambda(const TotalVariationOptions& options, double noise, Backend& backend, LinearOperator& a,
                          ProjectionSource& source, NoiseChoice choice) {
  choice.noise = noise;
  choice.lambda = options.lambda;
  if (options.lambda > 0) return choice;
  if (noise <= 0 && choice.estimated_noise == 0) choice.estimated_noise = known_noise(0, source);
  if (noise <= 0) choice.noise = choice.estimated_noise;
  if (choice.column_length == 0) choice.column_length = column_length(backend, a);
  choice.lambda = 2 * options.strength * choice.noise * choice.column_length;
  return choice;
}

}  // namespace backlit
