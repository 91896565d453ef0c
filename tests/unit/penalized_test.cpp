// Penalties on neighbours, and least squares with them.
#include <catch2/catch.hpp>

#include <cmath>

#include "core/error.hpp"
#include "support/penalties.hpp"
#include "support/small_problem.hpp"

using namespace backlit;

namespace {

using Kind = NeighbourPenalty::Kind;

using test::normal_noise;
using test::stiffness;

/// The penalty itself, from its definition.
double value(const NeighbourPenalty& penalty, const Size3& n, const Vec3& spacing, const std::vector<double>& x) {
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
              if (penalty.kind == Kind::qggmrf)  // every pair is met twice
                total += 0.5 / (glm::length(Vec3(di, dj, dk) * spacing) * shares) * c * c / p * std::pow(s, p) /
                         (1 + std::pow(s, p - q));
              if (di + dj + dk == 1 && std::abs(di) + std::abs(dj) + std::abs(dk) == 1)
                gradient += std::pow(t * least / glm::length(Vec3(di, dj, dk) * spacing), 2);
            }
        if (penalty.kind == Kind::tv) total += c * (std::sqrt(gradient + c * c) - c);
      }
  return total;
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * double(b[i]);
  return sum;
}

Projections copy(const Projections& data) {
  Projections result(data.scan);
  std::copy(data.values.begin(), data.values.end(), result.values.begin());
  return result;
}

ReconOptions pwls(const char* penalty) {
  ReconOptions o;
  o.method = "pwls";
  o.model = "distance_driven";
  o.weights = "transmission";
  o.penalty = penalty;
  o.iterations = 12;
  return o;
}

}  // namespace

TEST_CASE("Penalties: L(x) x is the gradient, and L(x) is symmetric, positive and blind to constants") {
  const auto backend = make_backend("cpu");
  const Size3 n{5, 4, 6};
  const Vec3 spacing(1, 1.3, 0.6);
  const ArrayShape shape{n[0], n[1], n[2]};
  for (const Kind kind : {Kind::qggmrf, Kind::tv})
    for (const double p : {2.0, 1.7}) {
      const NeighbourPenalty penalty = make_neighbour_penalty(kind, p, 1.2, 0.8, spacing);
      const auto x = normal_noise(120, 1, 1), d = normal_noise(120, 2, 1), e = normal_noise(120, 3, 1);
      const auto gradient = stiffness(*backend, penalty, shape, x, x);
      std::vector<double> moved(x.begin(), x.end());
      for (const std::size_t i : {0, 37, 64, 119}) {
        constexpr double step = 1e-4;
        moved[i] += step;
        const double above = value(penalty, n, spacing, moved);
        moved[i] -= 2 * step;
        const double below = value(penalty, n, spacing, moved);
        moved[i] += step;
        CHECK(double(gradient[i]) == Approx((above - below) / (2 * step)).epsilon(1e-4).margin(1e-5));
      }
      const auto ld = stiffness(*backend, penalty, shape, x, d), le = stiffness(*backend, penalty, shape, x, e);
      CHECK(dot(ld, e) == Approx(dot(le, d)).epsilon(1e-5));
      CHECK(dot(ld, d) > 0);
      for (const float v : stiffness(*backend, penalty, shape, x, std::vector<float>(120, 3.0f)))
        CHECK(std::abs(v) < 1e-6);
    }
  CHECK_THROWS_WITH(make_neighbour_penalty(Kind::qggmrf, 1.2, 2, 1, spacing),
                    "penalty: q-GGMRF with p = 1.2 and q = 2; choose 1 <= q <= p <= 2");
}

TEST_CASE("Penalised least squares: what it minimises never rises, and noise does") {
  const auto backend = make_backend("cpu");
  const Scan scan = test::small_scan(12);
  Projections data = test::consistent_data(*backend, scan);
  for (float& b : data.values) b *= 0.1f;  // at most a few mean free paths
  const auto disturbance = normal_noise(data.values.size(), 5, 0.05f);
  for (std::int64_t i = 0; i < data.values.size(); ++i)
    data.values.data()[i] += disturbance[static_cast<std::size_t>(i)];
  auto a = backend->make_ct(test::grid, scan, {.model = Model::distance_driven});
  auto x = a->make_domain(), g = a->make_domain(), w = a->make_range(12), r = a->make_range(12);
  backend->upload(data.values.span(), *r);
  backend->axpy(-1, *r, *w);
  backend->exponential(*w);
  backend->fill(*x, 1);
  a->forward(*x, *r, a->all(), Write::overwrite);
  backend->multiply(*w, *r);
  a->back(*r, *g, a->all(), Write::overwrite);
  const double most = double(backend->maximum(*g));

  double error_without = 0;
  for (const char* penalty : {"none", "qggmrf", "tv"}) {
    INFO(penalty);
    ReconOptions options = pwls(penalty);
    options.strength = 0.02;
    options.penalty_edge = 0.01;
    const NeighbourPenalty rho = make_neighbour_penalty(std::string(penalty) == "tv" ? Kind::tv : Kind::qggmrf, 2, 1.2,
                                                        0.01, test::grid.spacing);
    const auto objective = [&](const Volume& v) {
      backend->upload(v.values.span(), *x);
      a->forward(*x, *r, a->all(), Write::overwrite);
      std::vector<float> ax(static_cast<std::size_t>(r->count()));
      backend->download(*r, ax);
      double sum = 0;
      for (std::size_t i = 0; i < ax.size(); ++i) {
        const double b = double(data.values.data()[i]);
        sum += 0.5 * std::exp(-b) * std::pow(b - double(ax[i]), 2);
      }
      const std::vector<double> values(v.values.begin(), v.values.end());
      return sum + (std::string(penalty) == "none"
                        ? 0
                        : options.strength * most * value(rho, test::grid.size, test::grid.spacing, values));
    };
    auto recon = make_reconstruction(*backend, std::make_shared<MemorySource>(copy(data)), test::grid, options);
    double last = objective(Volume(test::grid));
    const double start = last;
    for (auto status = Reconstruction::Status::more; status != Reconstruction::Status::finished;) {
      status = recon->step();
      if (status == Reconstruction::Status::more) continue;
      const double now = objective(recon->download());
      CHECK(now <= last * (1 + 1e-6));
      last = now;
    }
    CHECK(last < 0.1 * start);
    Volume result = recon->download();
    for (float& v : result.values) v *= 10;
    const double error = test::relative_error(result);
    if (std::string(penalty) == "none")
      error_without = error;
    else
      CHECK(error < 0.8 * error_without);
  }
}

TEST_CASE("Penalised least squares: without weights and penalty it finds what conjugate gradients find") {
  const auto backend = make_backend("cpu");
  const Scan scan = test::small_scan(16);
  ReconOptions options = pwls("none");
  options.weights = "none";
  options.iterations = 8;
  ReconOptions pcg = options;
  pcg.method = "pcg";
  const test::Run ours = test::run(options, *backend, scan), theirs = test::run(pcg, *backend, scan);
  for (std::size_t i = 0; i < ours.residuals.size(); ++i)
    CHECK(ours.residuals[i] == Approx(theirs.residuals[i]).epsilon(1e-3));
}

TEST_CASE("Penalised least squares: what does not go together is said") {
  const auto backend = make_backend("cpu");
  ReconOptions options = pwls("tv");
  options.method = "pcg";
  CHECK_THROWS_WITH(test::run(options, *backend, test::small_scan()), "weights: pcg takes no weights; use pwls");
  options.weights = "none";
  CHECK_THROWS_WITH(test::run(options, *backend, test::small_scan()), "penalty: pcg takes no penalty; use pwls");
}
