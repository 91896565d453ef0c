#include <backlit/recon/methods/sart_in_place.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "study/bench/bench_data.hpp"
#include "study/candidates/other_candidates.hpp"
#include "study/mean_path.hpp"

namespace backlit {
namespace {

/// The architecture of the operator that an iteration uses.
std::string architecture_of(const Backend& backend, const std::string& variant) {
  if (backend.name() == "cpu") return "CPU";
  if (backend.name() != "gl") return "CUDA";
  if (variant.find("draw=rays") != std::string::npos) return "MP-GPU";
  return variant.find("draw=slices") != std::string::npos ? "AG-GPU" : "compute";
}

/// The variant of a method's operator; for SART in place the layout of its volume.
std::string variant_of(const Method& method) {
  if (const auto* in_place = method.get<SartInPlaceOptions>()) return in_place->operation.variant;
  return method.get<OperatorOptions>()->choices.variant;
}

bool is_matched(const std::string& layout) { return layout.ends_with(",matched"); }

/// Demands of a projection and its transpose. For each slice that a ray crosses: a fetch (OpenGL projects with hardware
/// filtering) and a multiply-add. Or a multiply-add for each voxel of a view. Values drawn on slices are blended.
void add_demands(Candidate& c, SharedIterations& shared, const Method& method) {
  const bool voxels_back = method.get<SartInPlaceOptions>() && !is_matched(variant_of(method));
  const double there = shared.crossings(), back = voxels_back ? shared.updates() : there;
  const auto add = [&](const char* ceiling, const char* count, double amount) {
    c.demands.push_back({ceiling, 1e-9 * amount});
    c.cell.counts.emplace_back(count, amount);
  };
  if (c.backend->name() == "gl") add("bilinear r32f", "fetches", there);
  add("fma", "flops", 2 * (there + back));
  if (c.cell.architecture == "AG-GPU") add("blend r32f", "bytes", 8 * there);
}

}  // namespace

double SharedIterations::crossings() {
  if (!crossings_)
    crossings_ = mean_path(bench).slices * static_cast<double>(bench.scan.view_count() * bench.scan.detector.pixels());
  return *crossings_;
}

double SharedIterations::updates() {
  if (!updates_)
    updates_ =
        share_of_hits(bench) * static_cast<double>(bench.grid.voxels()) * static_cast<double>(bench.scan.view_count());
  return *updates_;
}

std::span<const float> SharedIterations::truth(const Method& method) {
  const bool matched = is_matched(variant_of(method));
  HostArray<float>& volume = truth_[method.name() + (matched ? ",matched" : "")];
  if (volume.empty()) {
    CpuBackend cpu({});
    Method exact = method;
    if (auto* in_place = exact.get<SartInPlaceOptions>()) {
      in_place->operation = {.matched = matched};
    } else {
      exact.get<OperatorOptions>()->choices = {};
      exact.set("precision", "exact");
      exact.set("packing", "none");
    }
    const Trial trial = iteration_trial(cpu, bench, exact);
    trial.run();
    volume = trial.result();
  }
  return volume.span();
}

Candidate iteration_candidate(Backend& any, const std::shared_ptr<SharedIterations>& shared, const Method& method) {
  const auto* options = method.get<OperatorOptions>();  // null: SART in place
  const std::string variant = variant_of(method);
  const auto* subsets = method.get<SubsetOptions>();
  Backend& backend = any.innermost();
  Candidate c;
  c.backend = &backend;
  StudyCell& cell = c.cell;
  cell.operation = method.name() == "osem" ? "os-em" : options ? method.name() : "sart";
  cell.workload = shared->workload;
  cell.architecture = architecture_of(backend, variant);
  c.through = cell.architecture == "MP-GPU" || cell.architecture == "AG-GPU" ? "fragment" : cell.architecture;
  cell.unit = "iterations/s";
  cell.error_unit = "relative L2";
  cell.rmse_bound = backend.name() == "cpu" ? 1e-5 : 2e-2;
  cell.options = {{"model", options ? options->model : std::string("sart_in_place")},
                  {"subsets", std::to_string(subsets ? subsets->subsets : 1)},
                  {"precision", name(options ? options->precision : Precision::fast)}};
  if (backend.name() != "cpu")
    cell.options.emplace_back("packing", name(options ? options->packing : Packing::automatic));
  if (!options)
    cell.options.emplace_back("layout", variant);
  else if (backend.name() != "cpu")
    cell.options.emplace_back("variant", variant.empty() ? "best" : variant);
  add_demands(c, *shared, method);
  c.prepare = [&backend, shared, method] {
    Trial trial = iteration_trial(backend, shared->bench, method);
    trial.error = [result = trial.result, shared, method] {
      return relative_l2(result().span(), shared->truth(method));
    };
    return trial;
  };
  return c;
}

}  // namespace backlit
