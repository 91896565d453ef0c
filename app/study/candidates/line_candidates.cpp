#include <fmt/format.h>

#include "device/cpu/cpu_backend.hpp"
#include "study/candidates/other_candidates.hpp"

namespace backlit {
namespace {

std::string subject(const LineBenchOptions& o) {
  return o.line == "joseph" ? "thin" : fmt::format("tube {:g} voxels", o.width_voxels);
}

/// Drawn lines are rectangles on the slices that they cross. The vertex shader computes the corners, the rasteriser the
/// rest, and in the transpose the blend unit adds.
void place(Candidate& c, const std::string& backend, const std::string& variant) {
  const bool drawn = variant == "draw=fragment";
  c.cell.architecture = backend == "cpu" ? "CPU" : backend == "gl" ? (drawn ? "AG-GPU" : "compute") : "CUDA";
  c.through = drawn ? "fragment" : c.cell.architecture;
}

}  // namespace

std::span<const float> SharedLines::truth(const LineBenchOptions& options, LineWork work) {
  HostArray<float>& values = truth_[{subject(options), work}];
  if (values.empty()) {
    CpuBackend cpu({});
    LineBenchOptions plain = options;
    plain.variant.clear();
    const Trial trial = line_trial(cpu, bench, plain, work);
    trial.run();
    values = trial.result();
  }
  return values.span();
}

double SharedLines::voxels(const LineBenchOptions& options) {
  double& mean = voxels_[subject(options)];
  if (mean == 0) mean = count_voxels(bench, options).voxels;
  return mean;
}

Candidate line_candidate(Backend& any, const std::shared_ptr<SharedLines>& shared, const LineBenchOptions& options,
                         LineWork work) {
  Backend& backend = any.innermost();
  Candidate c;
  c.backend = &backend;
  place(c, backend.name(), options.variant);
  StudyCell& cell = c.cell;
  cell.operation = work == LineWork::forward ? "lines_forward" : "lines_back";
  cell.workload = fmt::format("{} x {:g} M lines, {}", shared->bench.name,
                              1e-6 * static_cast<double>(shared->bench.first.size()), subject(options));
  cell.unit = "M lines/s";
  cell.error_unit = "relative L2";
  cell.rmse_bound = backend.name() == "cpu" ? 1e-6 : 1e-3;
  cell.options = {{"sums", options.sums}};
  if (backend.name() != "cpu") cell.options.emplace_back("variant", options.variant.empty() ? "best" : options.variant);
  const double weights = shared->voxels(options) * static_cast<double>(shared->bench.first.size());
  c.demands.push_back({"fma", 2e-9 * weights});  // each weight needs at least a multiply and an add
  cell.counts.emplace_back("flops", 2 * weights);
  if (cell.architecture == "AG-GPU" && work == LineWork::back) {
    c.demands.push_back({"blend r32f", 8e-9 * weights});
    cell.counts.emplace_back("bytes", 8 * weights);
  }
  c.prepare = [&backend, shared, options, work] {
    Trial trial = line_trial(backend, shared->bench, options, work);
    trial.error = [result = trial.result, shared, options, work] {
      return relative_l2(result().span(), shared->truth(options, work));
    };
    return trial;
  };
  return c;
}

}  // namespace backlit
