#include "study/bench_recon.hpp"

#include <chrono>

#include "phantom/phantom.hpp"

namespace backlit {
namespace {

/// Steps to the end of an iteration; the seconds it took.
double one_iteration(Reconstruction& reconstruction) {
  const auto start = std::chrono::steady_clock::now();
  while (reconstruction.step() == Reconstruction::Status::more) continue;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

BenchRow bench_iteration(Backend& backend, const BenchCase& c, const ReconOptions& asked, std::int64_t repeats,
                         PassTimes* passes) {
  ReconOptions options = asked;
  options.iterations = repeats + 2 + (passes ? 1 : 0);
  Projections views(c.scan);
  project_phantom(load_phantom("shepp-logan-3d"), c.scan, 0, c.scan.view_count(), 1, views.values.span());
  const auto reconstruction =
      make_reconstruction(backend, std::make_shared<MemorySource>(std::move(views)), c.grid, options);
  BenchRow row{c.name, options.method + " iteration", reconstruction->variant(), {}, 0, "iterations/s", {}};
  one_iteration(*reconstruction);
  std::vector<double> seconds;
  for (std::int64_t n = 0; n < repeats; ++n) seconds.push_back(one_iteration(*reconstruction));
  row.seconds = timing_of(std::move(seconds));
  row.rate = 1 / row.seconds.median;
  if (passes) {
    backend.time_passes(true);
    one_iteration(*reconstruction);
    *passes = backend.pass_times();
    backend.time_passes(false);
  }
  return row;
}

}  // namespace backlit
