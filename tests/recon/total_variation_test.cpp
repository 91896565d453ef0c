// Methods with total variation: the proximal step, the minimum, the constraint, and the weight that suits the noise.
#include "recon/total_variation.hpp"

#include <algorithm>
#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/recon/methods/asdpocs.hpp>
#include <backlit/recon/methods/pdhg.hpp>
#include <backlit/recon/methods/tv.hpp>
#include "support/recon/penalties.hpp"
#include "support/recon/small_problem.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;
using test::grid;
using test::normal_noise;
using test::relative_l2;

namespace {

using Values = std::vector<double>;

/// Dx of a volume of this size and spacing, and what TV is of it.
struct Variation {
  Size3 size;
  Vec3 spacing;

  Values differences(const Values& x) const {
    const double least = std::min({spacing.x, spacing.y, spacing.z});
    const std::int64_t steps[3] = {1, size[0], size[0] * size[1]};
    const auto count = static_cast<std::int64_t>(x.size());
    Values d(3 * x.size());
    for (std::int64_t v = 0; v < count; ++v)
      for (int n = 0; n < 3; ++n) {
        const std::int64_t at = v / steps[n] % size[static_cast<std::size_t>(n)];
        if (at + 1 < size[static_cast<std::size_t>(n)])
          d[static_cast<std::size_t>(3 * v + n)] =
              least / spacing[n] * (x[static_cast<std::size_t>(v + steps[n])] - x[static_cast<std::size_t>(v)]);
      }
    return d;
  }
  /// D'z, by transposing the above.
  Values transposed(const Values& z) const {
    const double least = std::min({spacing.x, spacing.y, spacing.z});
    const std::int64_t steps[3] = {1, size[0], size[0] * size[1]};
    Values x(z.size() / 3);
    for (std::int64_t v = 0; v < static_cast<std::int64_t>(x.size()); ++v)
      for (int n = 0; n < 3; ++n) {
        const std::int64_t at = v / steps[n] % size[static_cast<std::size_t>(n)];
        if (at + 1 == size[static_cast<std::size_t>(n)]) continue;
        const double flow = least / spacing[n] * z[static_cast<std::size_t>(3 * v + n)];
        x[static_cast<std::size_t>(v + steps[n])] += flow;
        x[static_cast<std::size_t>(v)] -= flow;
      }
    return x;
  }
  double of(const Values& x) const {
    const Values d = differences(x);
    double sum = 0;
    for (std::size_t v = 0; v < d.size(); v += 3) sum += std::hypot(d[v], d[v + 1], d[v + 2]);
    return sum;
  }
};

Values shortened(Values z, double radius) {
  for (std::size_t v = 0; v < z.size(); v += 3) {
    const double length = std::hypot(z[v], z[v + 1], z[v + 2]);
    for (std::size_t n = v; n < v + 3; ++n) z[n] *= length > radius ? radius / length : 1;
  }
  return z;
}

Values doubles(const Volume& v) { return {v.values.begin(), v.values.end()}; }
Values doubles(const std::vector<float>& v) { return {v.begin(), v.end()}; }

/// DualField::denoise() of values on a grid, by the CPU.
std::vector<float> denoised(const std::vector<float>& v, const VolumeGrid& g, float radius, std::int64_t steps,
                            const BoxOptions& box = {-1e9, 1e9}, const std::vector<float>& mask = {}) {
  const auto backend = make_backend("cpu");
  const auto a = backend->make_ct(g, test::small_scan(2), {.model = Model::joseph});
  const auto from = a->make_domain(), to = a->make_domain(), inside = a->make_domain();
  backend->upload(v, *from);
  if (!mask.empty()) backend->upload(mask, *inside);
  DualField dual(*backend, *a, g, box, false);
  dual.denoise(*from, *to, radius, steps, mask.empty() ? nullptr : inside.get());
  std::vector<float> result(v.size());
  backend->download(*to, result);
  return result;
}

/// Noisy line integrals of the small volume.
struct Noisy {
  explicit Noisy(float noise, std::int64_t views = 16) : backend(make_backend("cpu")), scan(test::small_scan(views)) {
    data = test::consistent_data(*backend, scan);
    const auto disturbance = normal_noise(data.values.size(), 5, noise);
    for (std::int64_t i = 0; i < data.values.size(); ++i)
      data.values.data()[i] += disturbance[static_cast<std::size_t>(i)];
    ct = backend->make_ct(grid, scan, {.model = Model::joseph});
    x = ct->make_domain();
    y = ct->make_range(views);
  }

  std::shared_ptr<ProjectionSource> source() const {
    return std::make_shared<MemorySource>(Projections(scan, data.values.clone()));
  }
  /// |b - A x|^2
  double misfit(const Values& volume) {
    backend->upload(std::vector<float>(volume.begin(), volume.end()), *x);
    ct->forward(*x, *y, ct->all(), Write::overwrite);
    Projections projected(scan);
    backend->download(*y, projected.values.span());
    double sum = 0;
    for (std::int64_t i = 0; i < data.values.size(); ++i)
      sum += std::pow(static_cast<double>(data.values[i]) - static_cast<double>(projected.values[i]), 2);
    return sum;
  }
  /// A'(A x - b)
  Values gradient(const Values& volume) {
    backend->upload(std::vector<float>(volume.begin(), volume.end()), *x);
    ct->forward(*x, *y, ct->all(), Write::overwrite);
    const auto b = ct->make_range(scan.view_count());
    backend->upload(data.values.span(), *b);
    backend->axpy(-1, *b, *y);
    ct->back(*y, *x, ct->all(), Write::overwrite);
    std::vector<float> g(volume.size());
    backend->download(*x, g);
    return doubles(g);
  }
  Volume run(const Method& method) {
    recon = make_reconstruction(*backend, source(), grid, method);
    while (recon->step() != Reconstruction::Status::finished) continue;
    return recon->download();
  }

  std::unique_ptr<Backend> backend;
  Scan scan;
  Projections data;
  std::unique_ptr<LinearOperator> ct;
  ArrayPtr x, y;
  std::unique_ptr<Reconstruction> recon;
};

const Variation variation{grid.size, grid.spacing};

/// The least of 1/2 |b - A x|^2 + lambda TV(x) with x >= 0, by Condat and Vu's plain steps (J. Optim. Theory Appl. 158
/// (2013) 460): another algorithm than those that are tested.
Values minimiser(Noisy& problem, double lambda, int iterations) {
  const auto n = static_cast<std::size_t>(grid.voxels());
  const Values ones(n, 1);
  Noisy blank = Noisy(0, problem.scan.view_count());
  for (float& v : blank.data.values) v = 0;
  const double most = std::ranges::max(blank.gradient(ones));  // bounds |A|^2
  const double up = most / 24, down = 0.95 / (most / 2 + 12 * up);
  Values x(n), z(3 * n);
  for (int k = 0; k < iterations; ++k) {
    const Values g = problem.gradient(x), flow = variation.transposed(z);
    Values beyond(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double next = std::max(0.0, x[i] - down * (g[i] + flow[i]));
      beyond[i] = 2 * next - x[i];
      x[i] = next;
    }
    const Values d = variation.differences(beyond);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += up * d[i];
    z = shortened(std::move(z), lambda);
  }
  return x;
}

}  // namespace

TEST_CASE("Total variation's proximal step: rows of a few voxels by hand") {
  const auto row = [](std::int64_t n) { return VolumeGrid{{n, 1, 1}, Vec3(1), Vec3(0)}; };
  // Two plateaus: each moves to the other by the radius over its length, and they meet where that is too much.
  const std::vector<float> step{0, 0, 0, 3, 3, 3, 3};
  const auto few = denoised(step, row(7), 0.6f, 2000);
  for (std::size_t i = 0; i < 7; ++i) CHECK(few[i] == Approx(i < 3 ? 0.2 : 2.85).margin(1e-5));
  for (const float v : denoised(step, row(7), 10, 2000)) CHECK(v == Approx(12.0 / 7).margin(1e-4));
  // A peak loses from both of its sides.
  const auto peak = denoised({0, 0, 4, 0, 0}, row(5), 1, 2000);
  CHECK(peak[2] == Approx(2).margin(1e-4));
  for (const std::size_t i : {0, 1, 3, 4}) CHECK(peak[i] == Approx(0.5).margin(1e-4));
  // The box cuts, and what lies outside the mask is 0, which edges count.
  const auto cut = denoised(step, row(7), 0.6f, 2000, {0.25, 2.5});
  for (std::size_t i = 0; i < 7; ++i) CHECK(cut[i] == Approx(i < 3 ? 0.25 : 2.5).margin(1e-5));
  const auto masked = denoised({2, 2, 2, 2}, row(4), 0.5f, 2000, {-1e9, 1e9}, {1, 1, 0, 0});
  CHECK(masked[0] == Approx(1.75).margin(1e-5));
  CHECK(masked[1] == Approx(1.75).margin(1e-5));
  CHECK(masked[3] == 0);
}

TEST_CASE("Total variation's proximal step of noise is that of a plain reference in double precision") {
  const VolumeGrid g{{7, 5, 6}, {1, 1.3, 0.6}, Vec3(0)};
  const Variation tv{g.size, g.spacing};
  const auto v = normal_noise(g.voxels(), 3);
  constexpr double radius = 0.3;
  Values z(3 * v.size()), x;
  for (int k = 0; k < 5000; ++k) {
    x = tv.transposed(z);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::max(-0.4, static_cast<double>(v[i]) - x[i]);
    const Values d = tv.differences(x);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += d[i] / 12;
    z = shortened(std::move(z), radius);
  }
  const auto ours = denoised(v, g, static_cast<float>(radius), 3000, {-0.4, 1e9});
  CHECK(relative_l2(ours, std::vector<float>(x.begin(), x.end())) < 1e-4);
  CHECK(tv.of(doubles(ours)) < 0.7 * tv.of(doubles(v)));
}

TEST_CASE("Methods with total variation come down to the minimum that another algorithm finds") {
  Noisy problem(0.3f, 8);
  constexpr double lambda = 2;
  const auto objective = [&](const Values& x) { return 0.5 * problem.misfit(x) + lambda * variation.of(x); };
  const Values best = minimiser(problem, lambda, 1500);
  const double least = objective(best), start = objective(Values(best.size()));
  const std::vector<float> target(best.begin(), best.end());
  const auto check = [&](const Method& method, double gap, double distance) {
    const Volume v = problem.run(method);
    CHECK((objective(doubles(v)) - least) / (start - least) < gap);
    CHECK((objective(doubles(v)) - least) / (start - least) > -1e-6);
    CHECK(relative_l2(std::vector<float>(v.values.begin(), v.values.end()), target) < distance);
  };
  TvOptions fista;
  fista.lambda = lambda;
  fista.subsets = 1;
  fista.iterations = 200;
  fista.prox_steps = 5;
  check(fista, 1e-5, 1e-2);
  fista.subsets = 2;
  fista.iterations = 30;
  check(fista, 1e-3, 5e-2);
  PdhgOptions pdhg;
  pdhg.lambda = lambda;
  pdhg.subsets = 1;
  pdhg.iterations = 250;
  check(pdhg, 1e-5, 1e-2);
  pdhg.subsets = 4;
  pdhg.iterations = 80;
  check(pdhg, 1e-5, 1e-2);
}

TEST_CASE("PDHG's constrained form explains the data to the noise, with less variation than the truth") {
  constexpr float noise = 0.3f;
  Noisy problem(noise);
  PdhgOptions options;
  options.form = PdhgOptions::Form::constrained;
  options.iterations = 400;
  options.noise = static_cast<double>(noise);
  const Values x = doubles(problem.run(options));
  const double rms = std::sqrt(problem.misfit(x) / static_cast<double>(problem.data.values.size()));
  CHECK(rms == Approx(static_cast<double>(noise)).epsilon(0.01));
  CHECK(variation.of(x) < variation.of(doubles(test::truth())));
  CHECK(problem.recon->residuals().size() == 400);  // the noise is a constraint, not an end
}

TEST_CASE("Methods with total variation keep values within their box") {
  Noisy problem(0.3f);
  TvOptions tv;
  PdhgOptions pdhg;
  AsdPocsOptions asd;
  for (IterationOptions* o : std::initializer_list<IterationOptions*>{&tv, &pdhg, &asd}) o->iterations = 6;
  for (BoxOptions* box : std::initializer_list<BoxOptions*>{&tv, &pdhg, &asd}) *box = {0.1, 0.8};
  for (const Method& method : {Method(tv), Method(pdhg), Method(asd)}) {
    INFO(method.name());
    const Volume v = problem.run(method);
    const auto [least, most] = std::minmax_element(v.values.begin(), v.values.end());
    CHECK(*least == 0.1f);
    CHECK(*most <= 0.8f);
    CHECK(*most > 0.7f);
  }
  tv.upper = 0.1;
  CHECK_THROWS_WITH(problem.run(tv), "lower: 0.1 is not below `upper`, 0.1; give a smaller one");
}

TEST_CASE("ASD-POCS comes as near to the data as the noise, with less variation than OS-SART") {
  constexpr float noise = 0.3f;
  Noisy problem(noise);
  AsdPocsOptions options;
  options.iterations = 40;
  options.noise = static_cast<double>(noise);
  Method sart("ossart");
  sart.set("iterations", "40");
  const Values x = doubles(problem.run(options)), without = doubles(problem.run(sart));
  CHECK(variation.of(x) < 0.7 * variation.of(without));
  CHECK(std::sqrt(problem.misfit(x) / static_cast<double>(problem.data.values.size())) <
        1.5 * static_cast<double>(noise));
}

TEST_CASE("Untuned, total variation takes its weight from the noise that the views show, and says so") {
  constexpr float noise = 0.6f;
  Noisy problem(noise);
  const auto chosen = [&](const char* name) {
    for (const auto& [key, value] : problem.recon->chosen())
      if (key == name) return value;
    FAIL("nothing chosen for " << name);
    return 0.0;
  };
  const double error = test::relative_error(problem.run(Method("tv")));
  CHECK(chosen("noise") == Approx(static_cast<double>(noise)).epsilon(0.15));
  const double lambda = chosen("lambda");
  for (const char* other : {"0.1", "10"}) {
    Method method("tv");
    method.set("strength", other);
    CHECK(test::relative_error(problem.run(method)) > 1.05 * error);
    CHECK(chosen("lambda") == Approx(lambda * std::stod(other)).epsilon(1e-6));
  }
  Method sart("ossart");
  CHECK(error < 0.6 * test::relative_error(problem.run(sart)));
  Method fixed("tv");
  fixed.set("lambda", "3");
  problem.run(fixed);
  CHECK(chosen("lambda") == 3);
  fixed.set("strength", "2");
  CHECK_THROWS_WITH(problem.run(fixed), "strength: needs `lambda` 0 with `method` tv");
}
