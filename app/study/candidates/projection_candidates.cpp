#include <algorithm>

#include <backlit/core/error.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "device/gl/gl_backend_class.hpp"
#include "study/candidates/ct_candidates.hpp"
#include "study/mean_path.hpp"
#include "study/variants/gl_variants.hpp"

namespace backlit {
namespace {

using P = gl::ProjectionVariant;

CtOptions exact(Model model) {
  CtOptions o;
  o.model = model;
  o.precision = Precision::exact;
  o.packing = Packing::none;
  return o;
}

bool is_footprint(Model model) { return model == Model::distance_driven || model == Model::branchless_dd; }

/// The reference for branchless footprints is distance_driven.
Model reference_of(Model model) { return model == Model::branchless_dd ? Model::distance_driven : model; }

bool is_packed(Packing packing) { return packing == Packing::orbit || packing == Packing::slices; }

const char* texel_of(const CtOptions& o) {
  const bool half = o.precision == Precision::half;
  if (is_packed(o.packing)) return half ? "rgba16f" : "rgba32f";
  return half ? "r16f" : "r32f";
}

/// Sets the part of the pipeline that follows the rays.
void place(Candidate& c, const CtOptions& o, bool software) {
  StudyCell& cell = c.cell;
  P v;
  try {
    CtOptions followed = o;
    if (is_footprint(o.model)) followed.variant = "draw=compute";  // only compute shaders follow these
    v = gl::parse_projection(followed);
  } catch (const InputError&) {
    cell.architecture = "compute";
    return;
  }
  if (v.draw == P::Draw::best) v.draw = software ? P::Draw::rays : P::Draw::compute;
  cell.architecture = v.draw == P::Draw::rays ? "MP-GPU" : v.draw == P::Draw::slices ? "AG-GPU" : "compute";
  c.through = v.draw == P::Draw::compute ? "compute" : "fragment";
  c.draws_a_pass = v.draw == P::Draw::compute ? 0 : 1;
  if (v.draw != P::Draw::compute)
    cell.options.emplace_back("accumulate", v.accumulate == P::Accumulate::blend ? "blend" : "ping_pong");
}

Candidate describe(Backend& any, const SharedCasePtr& shared, const CtOptions& o, const std::string& operation) {
  Backend& backend = any.innermost();
  Candidate c;
  c.backend = &backend;
  StudyCell& cell = c.cell;
  cell.operation = operation;
  cell.workload = shared->workload;
  cell.error_unit = "relative L2";
  const bool cpu = backend.name() == "cpu", raycast = o.model == Model::raycast;
  cell.options = {{"model", name(o.model)}, {"packing", name(o.packing)}, {"texel", cpu ? "r64f" : texel_of(o)}};
  if (auto* gl = dynamic_cast<gl::GlBackend*>(&backend))
    place(c, o, gl->context().limits().software);
  else
    cell.architecture = c.through = cpu ? "CPU" : "CUDA";
  if (!cpu && !o.variant.empty() && (is_footprint(o.model) || backend.name() != "gl"))
    cell.options.emplace_back("kernel", o.variant);
  cell.options.emplace_back("interpolation", cpu || o.precision == Precision::exact ? "software" : "linear");
  cell.options.emplace_back("layout", cpu ? "linear" : raycast ? "3-D texture" : "2-D array");
  // Summed areas treat a voxel as its rectangle on the detector, which differs from the reference in any precision.
  const bool close = o.precision == Precision::exact && o.model != Model::branchless_dd;
  cell.rmse_bound = cpu || close ? 1e-3 : 5e-2;
  return c;
}

/// Minimum demands of a model: fetches, and a multiply-add for each weight. Models that carry slices to the detector
/// also read and write its pixels for each slice.
void add_demands(Candidate& c, const SharedCasePtr& shared, const CtOptions& o) {
  const BenchCase& bench = shared->bench;
  const auto add = [&](const std::string& ceiling, const char* count, double amount) {
    c.demands.push_back({ceiling, 1e-9 * amount});
    c.cell.counts.emplace_back(count, amount);
  };
  if (is_footprint(o.model)) {
    const auto updates = static_cast<double>(bench.grid.voxels()) * static_cast<double>(bench.scan.view_count());
    return add("fma", "flops", 2 * shared->hits() * updates);
  }
  const bool raycast = o.model == Model::raycast, interpolates = raycast || o.model == Model::joseph,
             software = o.precision == Precision::exact, packed = is_packed(o.packing);
  const MeanPath path = mean_path(bench);
  const double step = o.step * std::min({bench.grid.spacing.x, bench.grid.spacing.y, bench.grid.spacing.z});
  const double samples = static_cast<double>(bench.scan.view_count() * bench.scan.detector.pixels()) *
                         (raycast ? path.mm / step : path.slices);
  if (interpolates && !software)
    add((raycast ? "trilinear " : "bilinear ") + std::string(texel_of(o)), "fetches", samples / (packed ? 4 : 1));
  else if (o.model == Model::joseph && c.through != "CPU" && c.through != "CUDA")
    add("gather r32f", "fetches", samples);
  add("fma", "flops", samples * (!interpolates ? 2 : software ? software_flops : filtered_flops));
  const auto is_option = [&](const char* name, const char* value) {
    return std::ranges::find(c.cell.options, std::pair<std::string, std::string>(name, value)) != c.cell.options.end();
  };
  if (c.cell.architecture == "AG-GPU")
    add(is_option("accumulate", "blend") ? "blend r32f" : "copy", "bytes", 8 * samples);
}

}  // namespace

std::span<const float> SharedCase::noise() {
  if (noise_.empty()) {
    noise_ = HostArray<float>(bench.scan.view_count() * bench.scan.detector.pixels());
    fill_random(noise_.span());
  }
  return noise_.span();
}

std::span<const float> SharedCase::projected(Model model) {
  HostArray<float>& view = projected_[reference_of(model)];
  if (view.empty()) {
    CpuBackend cpu({});
    BenchCase one = bench;
    one.scan.views = {bench.scan.views[static_cast<std::size_t>(compared_view())]};
    TrialArrays arrays;
    const Trial trial = projection_trial(cpu, one, exact(reference_of(model)), arrays);
    trial.run();
    view = trial.result();
  }
  return view.span();
}

std::span<const float> SharedCase::transposed(Model model) {
  HostArray<float>& volume = transposed_[reference_of(model)];
  if (volume.empty()) {
    CpuBackend cpu({});
    TrialArrays arrays;
    const Trial trial = backprojection_trial(cpu, bench, exact(reference_of(model)), noise(), arrays);
    trial.run();
    volume = trial.result();
  }
  return volume.span();
}

Candidate projection_candidate(Backend& any, const SharedCasePtr& shared, const CtOptions& options,
                               const std::string& operation) {
  Candidate c = describe(any, shared, options, operation);
  const auto& grid = shared->bench.grid;
  const auto samples = static_cast<double>(shared->bench.scan.view_count() * shared->bench.scan.detector.pixels() *
                                           std::max(grid.size[0], grid.size[1]));
  c.cell.counts.emplace_back("samples", samples);
  add_demands(c, shared, options);
  c.prepare = [&backend = *c.backend, shared, options] {
    TrialArrays arrays{nullptr, shared->arrays(backend).volume};  // views depend on the model
    Trial trial = projection_trial(backend, shared->bench, options, arrays);
    shared->arrays(backend).volume = arrays.volume;
    const auto pixels = static_cast<std::size_t>(shared->bench.scan.detector.pixels());
    trial.error = [result = trial.result, shared, pixels, model = options.model] {
      const HostArray<float> views = result();
      return relative_l2(views.span().subspan(static_cast<std::size_t>(shared->compared_view()) * pixels, pixels),
                         shared->projected(model));
    };
    return trial;
  };
  return c;
}

Candidate transpose_candidate(Backend& any, const SharedCasePtr& shared, const CtOptions& options,
                              const std::string& operation) {
  Candidate c = describe(any, shared, options, operation);
  add_demands(c, shared, options);
  c.prepare = [&backend = *c.backend, shared, options] {
    TrialArrays arrays;
    Trial trial = backprojection_trial(backend, shared->bench, options, shared->noise(), arrays);
    trial.error = [result = trial.result, shared, model = options.model] {
      return relative_l2(result().span(), shared->transposed(model));
    };
    return trial;
  };
  return c;
}

}  // namespace backlit
