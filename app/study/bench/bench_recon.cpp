#include "study/bench/bench_recon.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include <backlit/phantom/phantom.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>

namespace backlit {

Trial iteration_trial(Backend& backend, const BenchCase& c, Method method) {
  method.set("iterations", "1000000");  // more than any benchmark needs
  Projections views(c.scan);
  project_phantom(load_phantom("shepp-logan-3d"), c.scan, 0, c.scan.view_count(), 1, views.values.span());
  const std::shared_ptr<Reconstruction> reconstruction =
      make_reconstruction(backend, std::make_shared<MemorySource>(std::move(views)), c.grid, method);
  return {reconstruction->variant(), 1, "iterations/s",
          [reconstruction] {
            while (reconstruction->step() == Reconstruction::Status::more) continue;
          },
          [reconstruction] { return std::move(reconstruction->download().values); }};
}

BenchRow bench_iteration(Backend& backend, const BenchCase& c, const Method& method, std::int64_t repeats,
                         PassTimes* passes) {
  const Trial trial = iteration_trial(backend, c, method);
  BenchRow row{c.name, method.name() + " iteration", trial.variant, {}, 0, trial.unit, {}};
  row.seconds = time_repeatedly(trial.run, [&] { backend.finish(); }, repeats, 0,
                                {.at_most = std::numeric_limits<double>::infinity()});
  row.rate = 1 / row.seconds.median;
  if (passes) {
    backend.time_passes(true);
    trial.run();
    *passes = backend.pass_times();
    backend.time_passes(false);
  }
  return row;
}

std::optional<BenchRow> bench_filter(Backend& backend, const BenchCase& c, FilterVariant variant, bool resident,
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
               fmt::format("{} {} x {} x {}{}", name(variant), d.columns, d.rows, views, resident ? ", resident" : ""),
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
