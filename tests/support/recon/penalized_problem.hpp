// The objective of penalised least squares for the small problem, from its definition in double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <backlit/device/neighbour_penalty.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "support/recon/penalties.hpp"
#include "support/recon/recon_options.hpp"
#include "support/recon/small_problem.hpp"

namespace backlit::test {

/// Options for the small problem, for every minimiser.
inline ReconOptions pwls(const char* penalty, std::int64_t iterations = 12) {
  ReconOptions o;
  o.method = "pwls";
  o.model = "distance_driven";
  o.weights = "transmission";
  o.penalty = penalty;
  o.iterations = iterations;
  return o;
}

/// Value of the penalty.
inline double penalty_value(const NeighbourPenalty& penalty, const Size3& n, const Vec3& spacing,
                            const std::vector<double>& x) {
  using Kind = NeighbourPenalty::Kind;
  const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return x[static_cast<std::size_t>((k * n[1] + j) * n[0] + i)];
  };
  double total = 0, shares = 0;
  const double c = double(penalty.c), p = double(penalty.p), q = double(penalty.q);
  for (int dk = -1; dk <= 1; ++dk)
    for (int dj = -1; dj <= 1; ++dj)
      for (int di = -1; di <= 1; ++di)
        if (di || dj || dk) shares += 1 / glm::length(Vec3(di, dj, dk) * spacing);
  const double least = std::min({spacing.x, spacing.y, spacing.z});
  for (std::int64_t k = 0; k < n[2]; ++k)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t i = 0; i < n[0]; ++i) {
        double gradient = 0;
        for (int dk = -1; dk <= 1; ++dk)
          for (int dj = -1; dj <= 1; ++dj)
            for (int di = -1; di <= 1; ++di) {
              if (!(di || dj || dk)) continue;
              const std::int64_t a = i + di, b = j + dj, d = k + dk;
              if (a < 0 || b < 0 || d < 0 || a >= n[0] || b >= n[1] || d >= n[2]) continue;
              const double t = at(a, b, d) - at(i, j, k), s = std::abs(t) / c;
              if (penalty.kind == Kind::qggmrf)  // every pair occurs twice
                total += 0.5 / (glm::length(Vec3(di, dj, dk) * spacing) * shares) * c * c / p * std::pow(s, p) /
                         (1 + std::pow(s, p - q));
              if (di + dj + dk == 1 && std::abs(di) + std::abs(dj) + std::abs(dk) == 1)
                gradient += std::pow(t * least / glm::length(Vec3(di, dj, dk) * spacing), 2);
            }
        if (penalty.kind == Kind::tv) total += c * (std::sqrt(gradient + c * c) - c);
      }
  return total;
}

/// Noisy line integrals of at most a few mean free paths.
class PenalizedProblem {
 public:
  explicit PenalizedProblem(Backend& backend, float noise = 0.05f, std::int64_t views = 12)
      : backend_(backend),
        data_(consistent_data(backend, small_scan(views))),
        ct_(backend.make_ct(grid, data_.scan, {.model = Model::distance_driven})),
        x_(ct_->make_domain()),
        y_(ct_->make_range(views)) {
    const auto disturbance = normal_noise(data_.values.size(), 5, noise);
    for (std::int64_t i = 0; i < data_.values.size(); ++i)
      data_.values.data()[i] = 0.1f * data_.values.data()[i] + disturbance[static_cast<std::size_t>(i)];
  }

  std::shared_ptr<ProjectionSource> source() const {
    Projections copy(data_.scan);
    std::copy(data_.values.begin(), data_.values.end(), copy.values.begin());
    return std::make_shared<MemorySource>(std::move(copy));
  }

  /// 1/2 sum w (b - A x)^2 + beta R(x).
  double objective(const Volume& v, const ReconOptions& o) {
    backend_.upload(v.values.span(), *x_);
    ct_->forward(*x_, *y_, ct_->all(), Write::overwrite);
    std::vector<float> ax(static_cast<std::size_t>(y_->count()));
    backend_.download(*y_, ax);
    double sum = 0;
    for (std::size_t i = 0; i < ax.size(); ++i) {
      const double b = double(data_.values.data()[i]);
      sum += 0.5 * weight(b, o) * std::pow(b - double(ax[i]), 2);
    }
    if (o.penalty == "none") return sum;
    using Kind = NeighbourPenalty::Kind;
    const NeighbourPenalty rho = make_neighbour_penalty(o.penalty == "tv" ? Kind::tv : Kind::qggmrf, o.penalty_p,
                                                        o.penalty_q, o.penalty_edge, grid.spacing);
    const std::vector<double> values(v.values.begin(), v.values.end());
    return sum + o.strength * most_curvature(o) * penalty_value(rho, grid.size, grid.spacing, values);
  }

 private:
  static double weight(double b, const ReconOptions& o) { return o.weights == "none" ? 1 : std::exp(-b); }

  /// Largest row sum of A' W A.
  double most_curvature(const ReconOptions& o) {
    if (most_ > 0 && weights_ == o.weights) return most_;
    std::vector<float> w(static_cast<std::size_t>(y_->count()));
    std::transform(data_.values.begin(), data_.values.end(), w.begin(),
                   [&](float b) { return static_cast<float>(weight(double(b), o)); });
    const auto weights = ct_->make_range(data_.scan.view_count()), sums = ct_->make_domain();
    backend_.upload(w, *weights);
    backend_.fill(*x_, 1);
    ct_->forward(*x_, *y_, ct_->all(), Write::overwrite);
    backend_.multiply(*weights, *y_);
    ct_->back(*y_, *sums, ct_->all(), Write::overwrite);
    weights_ = o.weights;
    return most_ = double(backend_.maximum(*sums));
  }

  Backend& backend_;
  Projections data_;
  std::unique_ptr<LinearOperator> ct_;
  ArrayPtr x_, y_;
  double most_ = 0;
  std::string weights_;
};

}  // namespace backlit::test
