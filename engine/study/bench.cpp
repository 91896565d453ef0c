#include "study/bench.hpp"

#include <algorithm>
#include <chrono>

namespace backlit {

Timing timing_of(std::vector<double> durations) {
  if (durations.empty()) return {};
  std::sort(durations.begin(), durations.end());
  const std::size_t n = durations.size();
  return {0.5 * (durations[(n - 1) / 2] + durations[n / 2]), durations.front(), durations.back(),
          static_cast<std::int64_t>(n)};
}

Timing time_repeatedly(const std::function<void()>& work, const std::function<void()>& finish, std::int64_t repeats,
                       double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  work();
  finish();
  std::vector<double> durations;
  const auto start = Clock::now();
  for (std::int64_t n = 0; n < repeats || (since(start) < seconds && n < 10 * repeats); ++n) {
    const auto begin = Clock::now();
    work();
    finish();
    durations.push_back(since(begin));
  }
  return timing_of(std::move(durations));
}

BenchRow bench_backprojection(Backend& backend, const BenchCase& c, const CtOptions& options, const BenchData& data,
                              std::int64_t repeats) {
  const auto op = backend.make_ct(c.grid, c.scan, options);
  const ArrayPtr views = op->make_range(c.scan.view_count()), volume = op->make_domain();
  backend.upload(data.views.span(), *views);
  backend.finish();
  const bool voxel_driven = options.model == Model::voxel_driven;
  BenchRow row{c.name, voxel_driven ? "backprojection" : "transpose", op->variant(), {}, 0, "GUPS", {}, {}};
  row.seconds = time_repeatedly([&] { op->back(*views, *volume, op->all(), Write::overwrite); },
                                [&] { backend.finish(); }, repeats, 0.5);
  row.rate = static_cast<double>(c.grid.voxels()) * static_cast<double>(c.scan.view_count()) / 1e9 / row.seconds.median;
  if (voxel_driven && !data.middle.voxels.empty()) {
    HostArray<float> host(c.grid.voxels());
    backend.download(*volume, host.span());
    row.rmse = rmse_hu(data.middle, host.span());
    row.rabbitct = rabbitct_error(data.all, host.span());
  }
  return row;
}

BenchRow bench_projection(Backend& backend, const BenchCase& c, const CtOptions& options, std::int64_t repeats) {
  const auto op = backend.make_ct(c.grid, c.scan, options);
  const ArrayPtr views = op->make_range(c.scan.view_count()), volume = op->make_domain();
  {
    HostArray<float> host(volume->count());
    fill_random(host.span());
    backend.upload(host.span(), *volume);
    backend.finish();
  }
  BenchRow row{c.name, "projection", op->variant(), {}, 0, "G samples/s", {}, {}};
  row.seconds = time_repeatedly([&] { op->forward(*volume, *views, op->all(), Write::overwrite); },
                                [&] { backend.finish(); }, repeats, 0.5);
  // Footprints are counted as backprojection counts: papers on them give one number for both ways.
  const bool footprints = options.model == Model::distance_driven || options.model == Model::branchless_dd;
  const auto slices = static_cast<double>(std::max(c.grid.size[0], c.grid.size[1]));
  const double work = footprints ? static_cast<double>(c.grid.voxels()) * static_cast<double>(c.scan.view_count())
                                 : static_cast<double>(views->count()) * slices;
  if (footprints) row.unit = "GUPS";
  row.rate = work / 1e9 / row.seconds.median;
  return row;
}

}  // namespace backlit
