#include "study/bench/bench.hpp"

#include <algorithm>
#include <chrono>

#include <backlit/phantom/phantom.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "study/bench/bench_transpose.hpp"
#include "study/bench/trial.hpp"

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
                       double seconds, WarmUp warm_up) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> durations;
  const auto run = [&] {
    const auto begin = Clock::now();
    work();
    finish();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  double spent = 0;
  const auto count = [&](double duration) {
    durations.push_back(duration);
    spent += duration;
  };
  if (const double first = run(); first > warm_up.at_most) count(first);
  for (double warm = 0; durations.empty() && warm < warm_up.seconds;) {
    const double next = run();
    if (next >= warm_up.seconds) count(next);  // longer than the device needs to wake up
    warm += next;
  }
  while (std::ssize(durations) < repeats || (spent < seconds && std::ssize(durations) < 10 * repeats)) count(run());
  return timing_of(std::move(durations));
}

BenchRow bench_backprojection(Backend& backend, const BenchCase& c, const CtOptions& options, const BenchData& data,
                              std::int64_t repeats, bool check) {
  TrialArrays arrays;
  const Trial trial = backprojection_trial(backend, c, options, data.views.span(), arrays);
  const bool voxel_driven = options.model == Model::voxel_driven;
  BenchRow row = bench_trial(backend, c, voxel_driven ? "backprojection" : "transpose", trial, repeats);
  if (voxel_driven && !data.middle.voxels.empty()) {
    const HostArray<float> volume = trial.result();
    row.rmse = rmse_hu(data.middle, volume.span());
    row.rabbitct = rabbitct_error(data.all, volume.span());
  }
  if (check && options.model == Model::joseph) {
    const StackChoice stack = stack_of(options, trial.variant);  // from the plan, which may choose the stack itself
    row.relative = relative_l2(transposed_voxels(c, data.views.span(), stack), trial.result().span());
  }
  return row;
}

BenchRow bench_projection(Backend& backend, const BenchCase& c, const CtOptions& options, std::int64_t repeats,
                          const BenchRays& head) {
  TrialArrays arrays;
  const Trial trial = projection_trial(backend, c, options, arrays);
  if (!head.rays.empty()) backend.upload(head.volume.span(), *arrays.volume);
  BenchRow row = bench_trial(backend, c, "projection", trial, repeats);
  if (!head.rays.empty()) row.relative = relative_l2(head, trial.result().span());
  return row;
}

namespace {

/// One view of the head in double precision.
HostArray<float> emission_truth(const BenchCase& c, EmissionOptions options, std::span<const float> matter,
                                std::span<const float> head) {
  const auto cpu = make_backend("cpu");
  options.precision = Precision::exact;
  options.variant.clear();
  const auto op = cpu->make_emission(c.grid, {c.scan.detector, {c.scan.views.front()}}, matter, options);
  const ArrayPtr x = op->make_domain(), y = op->make_range(1);
  cpu->upload(head, *x);
  op->forward(*x, *y, op->all(), Write::overwrite);
  HostArray<float> image(y->count());
  cpu->download(*y, image.span());
  return image;
}

}  // namespace

BenchRow bench_emission(Backend& backend, const BenchCase& c, const EmissionOptions& options, EmissionPart part,
                        bool check, std::int64_t repeats) {
  const bool forward = part == EmissionPart::forward;
  const HostArray<float> matter(c.grid.voxels());
  const auto op = backend.make_emission(c.grid, c.scan, matter.span(), options);
  const ArrayPtr views = op->make_range(c.scan.view_count()), volume = op->make_domain();
  HostArray<float> given((forward ? volume : views)->count());
  if (check && forward)
    given = voxelize(load_phantom("forbild-head-plain"), c.grid, 1).values;
  else
    fill_random(given.span());
  backend.upload(given.span(), forward ? *volume : *views);
  backend.finish();
  const double updates = 1e-9 * static_cast<double>(c.grid.voxels()) * static_cast<double>(c.scan.view_count());
  const double samples =
      1e-9 * static_cast<double>(views->count()) * static_cast<double>(std::max(c.grid.size[0], c.grid.size[1]));
  Trial trial{op->variant(), forward ? samples : updates, forward ? "G samples/s" : "GUPS", {}, {}};
  trial.run = [&] {
    if (forward)
      op->forward(*volume, *views, op->all(), Write::overwrite);
    else
      op->back(*views, *volume, op->all(), Write::overwrite);
  };
  BenchRow row = bench_trial(backend, c, forward ? "projection" : "transpose", trial, repeats);
  if (!check || !forward) return row;
  HostArray<float> all(views->count());
  backend.download(*views, all.span());
  const HostArray<float> truth = emission_truth(c, options, matter.span(), given.span());
  row.relative = relative_l2(all.span(), truth.span());
  return row;
}

}  // namespace backlit
