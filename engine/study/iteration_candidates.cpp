#include "backend/cpu/cpu_backend.hpp"
#include "study/other_candidates.hpp"

namespace backlit {
namespace {

constexpr std::int64_t most_iterations = 100'000;

/// Of the operator that an iteration uses.
std::string architecture_of(const Backend& backend, const std::string& variant) {
  if (backend.name() == "cpu") return "CPU";
  if (backend.name() != "gl") return "CUDA";
  if (variant.find("draw=rays") != std::string::npos) return "MP-GPU";
  return variant.find("draw=slices") != std::string::npos ? "AG-GPU" : "compute";
}

/// SART that corrects its volume in place, whatever the layout, against the CPU's of the same transpose.
std::string reference_variant(const ReconOptions& options) {
  if (options.model != "auto") return {};
  return options.variant.find("matched") != std::string::npos ? "in_place,matched" : "in_place";
}

}  // namespace

std::span<const float> SharedIterations::truth(const ReconOptions& options) {
  const std::string right = reference_variant(options);
  HostArray<float>& volume = truth_[options.method + right];
  if (volume.empty()) {
    CpuBackend cpu({});
    ReconOptions exact = options;
    exact.variant = right;
    if (right.empty()) {
      exact.precision = "exact";
      exact.packing = "none";
    }
    const Trial trial = iteration_trial(cpu, bench, exact);
    trial.run();
    volume = trial.result();
  }
  return volume.span();
}

Candidate iteration_candidate(Backend& any, const std::shared_ptr<SharedIterations>& shared, ReconOptions options) {
  Backend& backend = any.innermost();
  options.iterations = most_iterations;
  Candidate c;
  c.backend = &backend;
  StudyCell& cell = c.cell;
  cell.operation = options.method == "osem" ? "os-em" : options.method;
  cell.workload = shared->workload;
  cell.architecture = architecture_of(backend, options.variant);
  c.through = cell.architecture == "MP-GPU" || cell.architecture == "AG-GPU" ? "fragment" : cell.architecture;
  cell.unit = "iterations/s";
  cell.error_unit = "relative L2";
  cell.rmse_bound = backend.name() == "cpu" ? 1e-5 : 2e-2;
  cell.options = {{"subsets", std::to_string(options.subsets)}, {"precision", options.precision}};
  if (backend.name() != "cpu") {
    cell.options.emplace_back("packing", options.packing);
  }
  if (options.model == "auto")
    cell.options.emplace_back("layout", options.variant);
  else if (backend.name() != "cpu")
    cell.options.emplace_back("way", options.variant.empty() ? "best" : options.variant);
  c.prepare = [&backend, shared, options] {
    Trial trial = iteration_trial(backend, shared->bench, options);
    trial.error = [result = trial.result, shared, options] {
      return relative_l2(result().span(), shared->truth(options));
    };
    return trial;
  };
  return c;
}

}  // namespace backlit
