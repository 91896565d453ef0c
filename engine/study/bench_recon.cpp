#include "study/bench_recon.hpp"

#include <fmt/format.h>

#include <algorithm>
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

std::optional<BenchRow> bench_filter(Backend& backend, const BenchCase& c, const std::string& variant, bool resident,
                                     std::int64_t values, std::int64_t repeats) {
  Scan scan = c.scan;
  Detector& d = scan.detector;
  d.rows = std::clamp<std::int64_t>(values / d.columns, 1, d.rows);
  const std::int64_t views = std::max<std::int64_t>(1, values / d.pixels());
  if (views > scan.view_count()) return std::nullopt;
  FilterOptions options;
  options.variant = variant;
  const auto filter = backend.make_filter(scan, options);
  const ArrayPtr raw = backend.make_array(shape_of(d, views));
  const ArrayPtr out = backend.make_array(shape_of(filter->scan().detector, views));
  std::vector<float> host(static_cast<std::size_t>(raw->count()));
  fill_random(host);
  backend.upload(host, *raw);
  BenchRow row{c.name,
               "filter",
               fmt::format("{} {} x {} x {}{}", variant, d.columns, d.rows, views, resident ? ", resident" : ""),
               {},
               0,
               "G values/s",
               {}};
  row.seconds = time_repeatedly(
      [&] {
        if (resident)
          filter->run_on_device(0, *raw, *out);
        else
          filter->run(0, host, *out);
      },
      [&] { backend.finish(); }, repeats, 0.1);
  row.rate = static_cast<double>(raw->count()) / row.seconds.median / 1e9;
  return row;
}

}  // namespace backlit
