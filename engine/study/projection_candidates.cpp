#include <algorithm>

#include "backend/cpu/cpu_backend.hpp"
#include "backend/gl/gl_backend_class.hpp"
#include "backend/gl/projection_variant.hpp"
#include "core/error.hpp"
#include "study/ct_candidates.hpp"

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

/// Branchless footprints are those of distance_driven.
Model reference_of(Model model) { return model == Model::branchless_dd ? Model::distance_driven : model; }

const char* texel_of(const CtOptions& o) {
  const bool half = o.precision == Precision::half;
  if (o.packing == Packing::orbit || o.packing == Packing::slices) return half ? "rgba16f" : "rgba32f";
  return half ? "r16f" : "r32f";
}

/// Which part of the pipeline follows the rays.
void place(Candidate& c, const CtOptions& o, bool software) {
  StudyCell& cell = c.cell;
  P v;
  try {
    CtOptions followed = o;
    if (is_footprint(o.model)) followed.variant = "draw=compute";  // which only compute shaders follow
    v = P::parse(followed);
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
  // Summed areas see a voxel as its rectangle on the detector: other than the reference whatever the precision.
  const bool close = o.precision == Precision::exact && o.model != Model::branchless_dd;
  cell.rmse_bound = cpu || close ? 1e-3 : 5e-2;
  return c;
}

/// Mean way of a ray through the grid, in slices along the axis of which it crosses most, and in mm. Flat detectors.
struct MeanWay {
  double slices = 0, mm = 0;
};

MeanWay mean_way(const BenchCase& c) {
  constexpr std::size_t rays = 20000;
  const Detector& d = c.scan.detector;
  const Vec3 low = c.grid.lower(), high = c.grid.upper();
  std::vector<float> random(3 * rays);
  fill_random(random);
  MeanWay sum;
  for (std::size_t n = 0; n < random.size(); n += 3) {
    const auto share = [&](std::size_t i) { return 0.5 * (1 + static_cast<double>(random[n + i])); };
    const View& view = c.scan.views[static_cast<std::size_t>(share(0) * static_cast<double>(c.scan.view_count()))];
    const Vec3 pixel = view.center + (share(1) - 0.5) * static_cast<double>(d.columns) * view.u +
                       (share(2) - 0.5) * static_cast<double>(d.rows) * view.v;
    const Vec3 way = pixel - view.source;
    const Vec3 a = (low - view.source) / way, b = (high - view.source) / way;
    const Vec3 near = glm::min(a, b), far = glm::max(a, b);
    const double from = std::max({near.x, near.y, near.z}), to = std::min({far.x, far.y, far.z});
    if (!(from < to)) continue;
    const Vec3 crossed = glm::abs(way) * (to - from) / c.grid.spacing;
    sum.slices += std::max({crossed.x, crossed.y, crossed.z});
    sum.mm += glm::length(way) * (to - from);
  }
  return {sum.slices / rays, sum.mm / rays};
}

/// The fetches that a model cannot do without.
void add_fetches(Candidate& c, const BenchCase& bench, const CtOptions& o) {
  const bool raycast = o.model == Model::raycast;
  if (o.precision == Precision::exact || (!raycast && o.model != Model::slice_interpolated)) return;
  const MeanWay way = mean_way(bench);
  const double step = o.step * std::min({bench.grid.spacing.x, bench.grid.spacing.y, bench.grid.spacing.z});
  const bool packed = o.packing == Packing::orbit || o.packing == Packing::slices;
  const double fetches = static_cast<double>(bench.scan.view_count() * bench.scan.detector.pixels()) *
                         (raycast ? way.mm / step : way.slices) / (packed ? 4 : 1);
  c.demands.push_back({(raycast ? "trilinear " : "bilinear ") + std::string(texel_of(o)), 1e-9 * fetches});
  c.cell.counts.emplace_back("fetches", fetches);
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
  if (c.cell.architecture != "CPU") add_fetches(c, shared->bench, options);
  c.prepare = [&backend = *c.backend, shared, options] {
    TrialArrays arrays{nullptr, shared->arrays(backend).volume};  // views are as a model wants them
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
