#include "study/bench/trial.hpp"

#include <algorithm>
#include <cmath>

#include <backlit/projectors/linear_operator.hpp>
#include "study/bench/bench_data.hpp"

namespace backlit {
namespace {

double giga_updates(const BenchCase& c) {
  return 1e-9 * static_cast<double>(c.grid.voxels()) * static_cast<double>(c.scan.view_count());
}

std::function<HostArray<float>()> downloads(Backend& backend, const std::shared_ptr<DeviceArray>& array) {
  return [&backend, array] {
    HostArray<float> host(array->count());
    backend.download(*array, host.span());
    return host;
  };
}

}  // namespace

double relative_l2(std::span<const float> a, std::span<const float> b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto right = static_cast<double>(b[i]);
    difference += (static_cast<double>(a[i]) - right) * (static_cast<double>(a[i]) - right);
    norm += right * right;
  }
  return std::sqrt(difference / norm);
}

Trial backprojection_trial(Backend& backend, const BenchCase& c, const CtOptions& options, std::span<const float> views,
                           TrialArrays& arrays) {
  const std::shared_ptr<LinearOperator> op = backend.make_ct(c.grid, c.scan, options);
  if (!arrays.views) {
    arrays.views = op->make_range(c.scan.view_count());
    backend.upload(views, *arrays.views);
    backend.finish();
  }
  if (!arrays.volume) arrays.volume = op->make_domain();
  Trial trial{op->variant(), giga_updates(c), "GUPS", {}, downloads(backend, arrays.volume)};
  const auto from = arrays.views, volume = arrays.volume;
  trial.run = [op, from, volume] { op->back(*from, *volume, op->all(), Write::overwrite); };
  return trial;
}

Trial projection_trial(Backend& backend, const BenchCase& c, const CtOptions& options, TrialArrays& arrays) {
  const std::shared_ptr<LinearOperator> op = backend.make_ct(c.grid, c.scan, options);
  if (!arrays.volume) {
    arrays.volume = op->make_domain();
    HostArray<float> host(arrays.volume->count());
    fill_random(host.span());
    backend.upload(host.span(), *arrays.volume);
    backend.finish();
  }
  if (!arrays.views) arrays.views = op->make_range(c.scan.view_count());
  // Count footprints in GUPS like backprojection: papers on them give one number for both directions.
  const bool footprints = options.model == Model::distance_driven || options.model == Model::branchless_dd;
  const auto slices = static_cast<double>(std::max(c.grid.size[0], c.grid.size[1]));
  Trial trial{op->variant(), giga_updates(c), "GUPS", {}, downloads(backend, arrays.views)};
  if (!footprints) {
    trial.work = 1e-9 * static_cast<double>(arrays.views->count()) * slices;
    trial.unit = "G samples/s";
  }
  const auto views = arrays.views, volume = arrays.volume;
  trial.run = [op, views, volume] { op->forward(*volume, *views, op->all(), Write::overwrite); };
  return trial;
}

}  // namespace backlit
