// Penalties on neighbours, and least squares with them.
#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include "support/recon/penalized_problem.hpp"
#include "support/recon/recon_options.hpp"

using namespace backlit;

namespace {

using Kind = NeighbourPenalty::Kind;

using test::normal_noise;
using test::pwls;
using test::stiffness;

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * double(b[i]);
  return sum;
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
        const double above = test::penalty_value(penalty, n, spacing, moved);
        moved[i] -= 2 * step;
        const double below = test::penalty_value(penalty, n, spacing, moved);
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

TEST_CASE("Penalties: the CPU adds to both of a pair what each gets by itself, in volumes of any shape") {
  const auto backend = make_backend("cpu");
  const NeighbourPenalty penalty = make_neighbour_penalty(Kind::qggmrf, 2, 1.2, 0.8, {1, 1.3, 0.6});
  for (const ArrayShape shape : {ArrayShape{7, 5, 4}, ArrayShape{6, 5, 1}, ArrayShape{1, 1, 6}, ArrayShape{5, 1, 1}}) {
    const auto count = static_cast<std::size_t>(shape.count());
    const auto x = normal_noise(count, 1, 1), d = normal_noise(count, 2, 1);
    const auto both = stiffness(*backend, penalty, shape, x, d);
    const int size[3] = {int(shape.n0), int(shape.n1), int(shape.n2)};
    const auto reader = [&](const std::vector<float>& values) {
      return [&](int i, int j, int k) { return double(values[std::size_t((k * size[1] + j) * size[0] + i)]); };
    };
    const auto of_x = reader(x), of_d = reader(d);
    std::size_t at = 0;
    for (int k = 0; k < size[2]; ++k)
      for (int j = 0; j < size[1]; ++j)
        for (int i = 0; i < size[0]; ++i, ++at) {
          const double each = stiffness_row<double>(penalty, size, i, j, k, of_x, of_d);
          REQUIRE(double(both[at]) == Approx(each).margin(1e-6));
        }
  }
}

TEST_CASE("Penalised least squares: what it minimises never rises, and noise does") {
  const auto backend = make_backend("cpu");
  test::PenalizedProblem problem(*backend);
  double error_without = 0;
  for (const char* penalty : {"none", "qggmrf", "tv"}) {
    INFO(penalty);
    ReconOptions options = pwls(penalty);
    options.strength = 0.02;
    options.penalty_edge = 0.01;
    const auto objective = [&](const Volume& v) { return problem.objective(v, options); };
    auto recon = make_reconstruction(*backend, problem.source(), test::grid, options);
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
  CHECK_THROWS_WITH(test::run(options, *backend, test::small_scan()),
                    "weights: pcg does not take it; use `method` pwls");
  options.weights = "none";
  CHECK_THROWS_WITH(test::run(options, *backend, test::small_scan()),
                    "penalty: pcg does not take it; use `method` pwls");
}
