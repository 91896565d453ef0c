#include "study/bench.hpp"

#include <algorithm>
#include <chrono>

#include "phantom/phantom.hpp"
#include "study/trial.hpp"

namespace backlit {
namespace {

BenchRow bench_trial(Backend& backend, const BenchCase& c, const char* operation, const Trial& trial,
                     std::int64_t repeats) {
  BenchRow row{c.name, operation, trial.variant, {}, 0, trial.unit, {}, {}};
  row.seconds = time_repeatedly(
      trial.run, [&] { backend.finish(); }, repeats, 0.5);
  row.rate = trial.work / row.seconds.median;
  return row;
}

}  // namespace

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
  TrialArrays arrays;
  const Trial trial = backprojection_trial(backend, c, options, data.views.span(), arrays);
  const bool voxel_driven = options.model == Model::voxel_driven;
  BenchRow row = bench_trial(backend, c, voxel_driven ? "backprojection" : "transpose", trial, repeats);
  if (voxel_driven && !data.middle.voxels.empty()) {
    const HostArray<float> volume = trial.result();
    row.rmse = rmse_hu(data.middle, volume.span());
    row.rabbitct = rabbitct_error(data.all, volume.span());
  }
  return row;
}

BenchRow bench_projection(Backend& backend, const BenchCase& c, const CtOptions& options, std::int64_t repeats,
                          bool errors) {
  TrialArrays arrays;
  if (errors) {
    arrays.volume = backend.make_array(shape_of(c.grid));
    backend.upload(voxelize(load_phantom("forbild-head-plain"), c.grid, 1).values.span(), *arrays.volume);
  }
  const Trial trial = projection_trial(backend, c, options, arrays);
  BenchRow row = bench_trial(backend, c, "projection", trial, repeats);
  if (errors) {
    const HostArray<float> views = trial.result();
    CtOptions exact = options;
    exact.precision = Precision::exact;
    exact.packing = Packing::none;
    exact.variant.clear();
    const Trial reference = projection_trial(backend, c, exact, arrays);
    reference.run();
    row.relative = relative_l2(views.span(), reference.result().span());
  }
  return row;
}

}  // namespace backlit
