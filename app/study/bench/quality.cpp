#include "study/bench/quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/data/metrics.hpp>
#include <backlit/data/selected_views.hpp>
#include <backlit/phantom/phantom.hpp>
#include "study/bench/bench_data.hpp"

namespace backlit {
namespace {

constexpr const char* plain_head = "forbild-head-plain";

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Whether the volume is measured after this iteration: 1, 2, 3, 4, 6, 8, 12, 16, 24, ...
bool is_measured(std::int64_t iteration) {
  std::int64_t step = 1;
  while (4 * step <= iteration) step *= 2;
  return iteration % step == 0;
}

/// Voxels whose centres lie in the phantom's first body, the skull.
std::vector<bool> inside_of(Phantom phantom, const VolumeGrid& grid) {
  phantom.bodies.resize(1);
  const Volume body = voxelize(phantom, grid, 1);
  std::vector<bool> inside(static_cast<std::size_t>(body.values.size()));
  for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = body.values[static_cast<std::int64_t>(i)] > 0;
  return inside;
}

double rmse_hu(const Volume& volume, const QualityProblem& p) {
  double square = 0;
  std::int64_t voxels = 0;
  for (std::int64_t i = 0; i < volume.values.size(); ++i) {
    if (!(*p.inside)[static_cast<std::size_t>(i)]) continue;
    square += std::pow(static_cast<double>(volume.values[i]) - static_cast<double>(p.truth->values[i]), 2);
    ++voxels;
  }
  return 1000 / water * std::sqrt(square / static_cast<double>(voxels));
}

double ssim_of_middle(const Volume& volume, const QualityProblem& p) {
  const Size3 n = p.grid.size;
  const std::int64_t slices = std::min(n[2], std::max<std::int64_t>(7, n[2] / 8)), first = (n[2] - slices) / 2;
  const auto middle = [&](const Volume& v) {
    return v.values.span().subspan(static_cast<std::size_t>(first * n[0] * n[1]),
                                   static_cast<std::size_t>(slices * n[0] * n[1]));
  };
  return structural_similarity(middle(volume), middle(*p.truth), {n[0], n[1], slices});
}

Method untuned(const std::string& name, const std::string& precision, const std::string& pair) {
  Method method(name);
  method.set("precision", precision);
  if (pair != "matched") method.set("back_model", pair);
  if (method.has("nonnegative")) method.set("nonnegative", "true");
  return method;
}

}  // namespace

std::vector<QualityProblem> quality_problems(const BenchCase& c, const std::vector<std::int64_t>& views,
                                             double photons) {
  const std::int64_t all = c.scan.view_count();
  for (const std::int64_t n : views)
    if (n < 1 || all % n != 0)
      throw InputError("views", fmt::format("{} has {} views: {} of them cannot be spaced evenly", c.name, all, n),
                       fmt::format("choose a divisor of {}", all));
  const Phantom phantom = load_phantom(plain_head);
  Projections measured(c.scan);
  const std::int64_t pixels = c.scan.detector.pixels();
  project_phantom(phantom, c.scan, 0, all, 2, measured.values.span());
  for (std::int64_t v = 0; v < all; ++v)
    add_noise({photons, 0, 1}, v,
              measured.values.span().subspan(static_cast<std::size_t>(v * pixels), static_cast<std::size_t>(pixels)));
  const auto source = std::make_shared<MemorySource>(std::move(measured));
  const auto truth = std::make_shared<const Volume>(voxelize(phantom, c.grid, 3));
  const auto inside = std::make_shared<const std::vector<bool>>(inside_of(phantom, c.grid));
  std::vector<QualityProblem> problems;
  for (const std::int64_t n : views)
    problems.push_back({n, std::make_shared<SelectedViews>(source, 0, all, all / n), c.grid, truth, inside});
  return problems;
}

const QualityPoint* QualityRun::reaches(double rmse_hu) const {
  const auto found = std::ranges::find_if(points, [&](const QualityPoint& p) { return p.rmse_hu <= rmse_hu; });
  return found == points.end() ? nullptr : &*found;
}

double QualityRun::least_rmse() const {
  double least = std::numeric_limits<double>::infinity();
  for (const QualityPoint& p : points) least = std::min(least, p.rmse_hu);
  return least;
}

QualityRun run_quality(Backend& backend, const QualityProblem& problem, const std::string& name,
                       const std::string& precision, const std::string& pair, double seconds) {
  Method method = untuned(name, precision, pair);
  const auto make = [&] { return make_reconstruction(backend, problem.source, problem.grid, method); };
  QualityRun run{problem.views, name, precision, pair, "", 0, 0, {}, {}};
  const bool iterates = method.has("iterations");
  if (iterates) run.usual = std::stoll(method.text("iterations"));
  {
    const auto warm_up = make();
    auto status = Reconstruction::Status::more;
    while (status == Reconstruction::Status::more) status = warm_up->step();
    warm_up->download();
  }
  if (iterates) method.set("iterations", std::to_string(2 * run.usual));
  double passed = 0;
  auto start = Clock::now();
  const auto reconstruction = make();
  const auto measure = [&](std::int64_t iteration) {
    backend.finish();
    passed += since(start);
    const Volume volume = reconstruction->download();
    run.points.push_back({iteration, passed, rmse_hu(volume, problem), ssim_of_middle(volume, problem)});
    start = Clock::now();
  };
  auto status = Reconstruction::Status::more;
  std::int64_t iteration = 0;
  while (status != Reconstruction::Status::finished && passed < seconds) {
    const bool before = iterates && iteration == 0 && reconstruction->progress().stage != "iterate";
    status = reconstruction->step();
    if (before && reconstruction->progress().stage == "iterate" && run.setup_s == 0) {
      backend.finish();
      run.setup_s = since(start);
    }
    if (status == Reconstruction::Status::more) continue;
    ++iteration;
    if (!iterates || iteration == run.usual || status == Reconstruction::Status::finished || is_measured(iteration))
      measure(iterates ? iteration : 0);
  }
  run.variant = reconstruction->variant();
  run.chosen = reconstruction->chosen();
  return run;
}

}  // namespace backlit
