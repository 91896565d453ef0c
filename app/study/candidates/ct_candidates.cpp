#include "study/candidates/ct_candidates.hpp"

#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "study/variants/gl_variants.hpp"

namespace backlit {
namespace {

using V = gl::BackprojectionVariant;

struct Sizes {
  double updates, voxels, slices, views;
};

Sizes sizes_of(const BenchCase& c) {
  const auto voxels = static_cast<double>(c.grid.voxels()), views = static_cast<double>(c.scan.view_count());
  return {voxels * views, voxels, static_cast<double>(c.grid.size[2]), views};
}

bool interpolates_in_software(const CtOptions& o) { return o.precision == Precision::exact; }

const char* texel_name(const CtOptions& o, bool packed) {
  const bool half = o.precision == Precision::half;
  if (packed) return half ? "rgba16f" : "rgba32f";
  return half ? "r16f" : "r32f";
}

void add_demand(Candidate& c, const std::string& ceiling, const char* count, double amount) {
  c.demands.push_back({ceiling, 1e-9 * amount});
  c.cell.counts.emplace_back(count, amount);
}

/// Adds the memory traffic of all slices, read and written in each pass, if they are too large for a cache.
void add_volume_traffic(Candidate& c, const Sizes& s, const std::string& ceiling, double passes, double copied_bytes) {
  const double bytes = 8 * s.voxels * passes;
  if (4 * s.voxels >= copied_bytes) add_demand(c, ceiling, "bytes", bytes);
}

std::string number(std::int64_t n) { return std::to_string(n); }

template <std::size_t N>
std::string at(const std::array<const char*, N>& names, auto value) {
  return names[static_cast<std::size_t>(value)];
}

void describe_drawn(Candidate& c, V v, Packing packing, const Sizes& s, double copied_bytes) {
  StudyCell& cell = c.cell;
  c.through = "fragment";
  cell.architecture = v.transform == V::Transform::fragment ? "MP-GPU" : v.kill != V::Kill::none ? "AG-GPU+" : "AG-GPU";
  const bool loop = v.accumulate == V::Accumulate::loop;
  if (v.views == 0) v.views = packing == Packing::orbit ? V::best_packed_views : V::best_views;
  if (!loop) cell.options.emplace_back("views", number(v.views));
  cell.options.emplace_back("accumulate", at(std::array{"ping_pong", "blend", "loop", "load"}, v.accumulate));
  cell.options.emplace_back("target", at(std::array{"layered", "slice", "image"}, v.target));
  cell.options.emplace_back("kill", at(std::array{"none", "stencil", "early_z"}, v.kill));
  c.draws_a_pass = v.target == V::Target::slice ? s.slices : 1;
  const double passes = std::ceil(s.views / static_cast<double>(v.views));
  if (!loop && v.kill == V::Kill::none)
    add_volume_traffic(c, s,
                       v.accumulate != V::Accumulate::blend ? "copy"
                       : packing == Packing::none           ? "blend r32f"
                                                            : "blend rgba32f",
                       passes, copied_bytes);
}

void describe_gl(Candidate& c, gl::GlBackend& backend, const CtOptions& o, const Sizes& s, double hits,
                 double copied_bytes) {
  const bool orbit = o.packing == Packing::orbit;
  StudyCell& cell = c.cell;
  V v;
  try {
    const gl::Limits& limits = backend.context().limits();
    const auto side = static_cast<std::int64_t>(s.slices);  // of a cube
    v = gl::parse_backprojection(o.variant).completed(o.precision, orbit,
                                                      orbit ? V::usual_packed(limits, side) : V::usual(limits));
  } catch (const InputError&) {
    cell.architecture = o.variant.find("fragment") != std::string::npos ? "MP-GPU" : "AG-GPU";
    cell.options = {{"packing", name(o.packing)}, {"variant", o.variant}};
    return;
  }
  const bool nearest = v.interpolation == V::Interpolation::nearest, software = interpolates_in_software(o) && !nearest;
  cell.options = {{"packing", name(o.packing)}, {"texel", v.texel}};
  const std::string fetch = nearest ? "nearest " : software ? "gather " : "bilinear ";
  add_demand(c, fetch + v.texel, "fetches", s.updates * hits / (orbit ? 4 : 1));
  add_demand(c, "fma", "flops", s.updates * hits * (software ? software_flops : filtered_flops));
  if (v.draw == V::Draw::compute)
    cell.architecture = c.through = "compute";
  else
    describe_drawn(c, v, o.packing, s, copied_bytes);
  cell.options.emplace_back("interpolation", nearest ? "nearest" : software ? "software" : "linear");
  cell.options.emplace_back("layout", "2-D array");
}

/// "kernel_a,i16,k8": 16; 0 if the name gives no number.
std::int64_t views_of_kernel(const std::string& variant) {
  const auto i = variant.find(",i");
  return i == std::string::npos ? 0 : std::stoll(variant.substr(i + 2));
}

void describe_cuda(Candidate& c, const CtOptions& o, const Sizes& s, double hits, double copied_bytes) {
  StudyCell& cell = c.cell;
  cell.architecture = c.through = "CUDA";
  const bool packed = o.packing == Packing::orbit;
  const bool product = o.variant == "orbit_mma";
  const bool rows = o.variant == "orbit_rows";  // the texture filters along rows, the kernel across
  const bool software = interpolates_in_software(o) || o.variant == "orbit_fine";
  const bool linear = product || o.variant == "global" || o.variant == "shared_projection" || (software && !packed);
  const std::string texel = linear && !product ? "r32f" : texel_name(o, packed);
  const std::string kernel = !o.variant.empty() ? o.variant
                             : packed           ? (software ? "orbit_fine" : "orbit")
                                                : name(o.precision);
  cell.options = {{"kernel", kernel}, {"packing", name(o.packing)}, {"texel", texel}};
  if (const std::int64_t views = views_of_kernel(o.variant)) {
    cell.options.emplace_back("views", number(views));
    add_volume_traffic(c, s, "copy", std::ceil(s.views / static_cast<double>(views)), copied_bytes);
  }
  cell.options.emplace_back("interpolation", product              ? "matrix product"
                                             : rows               ? "linear in rows"
                                             : linear || software ? "software"
                                                                  : "linear");
  cell.options.emplace_back("layout", linear ? "linear" : "2-D array");
  // Voxels share rows: the number of fetches depends on the case.
  if (!linear && !software && !rows) add_demand(c, "bilinear " + texel, "fetches", s.updates * hits / (packed ? 4 : 1));
  if (product) return;  // no probe measures shared memory, which limits it
  add_demand(c, "fma", "flops", s.updates * hits * (linear || software ? software_flops : filtered_flops));
}

void describe_cpu(Candidate& c, const Sizes& s, double hits) {
  c.cell.architecture = c.through = "CPU";
  c.cell.options = {{"packing", "none"}, {"texel", "r64f"}, {"interpolation", "software"}, {"layout", "linear"}};
  add_demand(c, "fma", "flops", s.updates * hits * software_flops);
}

/// Largest allowed error, HU. 8-bit filter weights, halves and the nearest pixel each have their own size of error
/// (docs/study/method.md). The phantom's skull is five times as dense as water, so all are larger than in
/// docs/notebook/voxel-driven-backprojection.md. A wrong view, matrix or weight gives a far larger error.
double bound_of(const CtOptions& o, bool cpu) {
  if (o.variant.find("nearest") != std::string::npos) return 600;
  if (cpu || o.precision == Precision::exact) return 0.1;
  return 10;
}

}  // namespace

const BenchData& SharedCase::data() {
  if (!data_) {
    HeadOptions head;
    head.phantom = "shepp-logan-tumours";
    head.middle = 0.33;  // within the circle inscribed in the grid: early kill omits the rest
    data_ = head_views(bench, head);
  }
  return *data_;
}

double SharedCase::hits() {
  if (!hits_) hits_ = share_of_hits(bench);
  return *hits_;
}

double SharedCase::additions() {
  if (!additions_) additions_ = share_of_additions(bench, data().views);
  return *additions_;
}

void SharedCase::keep_profile(const std::string& architecture, std::span<const float> volume) {
  if (profile_ && !profiles_.contains(architecture)) profiles_[architecture] = profile_->of(architecture, volume);
}

std::vector<StudyProfile> SharedCase::profiles() {
  std::vector<StudyProfile> all;
  if (profiles_.empty()) return all;
  if (!profiles_.contains("CPU"))  // the CPU may be too slow for the whole volume
    all.push_back(profile_->of_values("CPU", backproject_voxels(bench, data().views, profile_->voxels())));
  for (auto& [architecture, profile] : profiles_) all.push_back(profile);
  return all;
}

Candidate backprojection_candidate(Backend& any, const SharedCasePtr& shared, CtOptions options, double copied_bytes) {
  Backend& backend = any.innermost();
  options.weighting = Weighting::fdk;
  Candidate c;
  c.backend = &backend;
  c.cell.operation = "backprojection";
  c.cell.workload = shared->workload;
  c.cell.unit = "GUPS";
  c.cell.error_unit = "HU";
  c.cell.rmse_bound = bound_of(options, backend.name() == "cpu");
  const Sizes sizes = sizes_of(shared->bench);
  c.projections = sizes.views;
  if (auto* gl = dynamic_cast<gl::GlBackend*>(&backend))
    describe_gl(c, *gl, options, sizes, shared->hits(), copied_bytes);
  else if (backend.name() == "cpu")
    describe_cpu(c, sizes, shared->hits());
  else
    describe_cuda(c, options, sizes, shared->hits(), copied_bytes);
  c.prepare = [&backend, shared, options, architecture = c.cell.architecture] {
    const BenchData& data = shared->data();
    Trial trial = backprojection_trial(backend, shared->bench, options, data.views.span(), shared->arrays(backend));
    trial.adding = shared->additions();
    trial.error = [result = trial.result, &data, shared, architecture] {
      const HostArray<float> volume = result();
      shared->keep_profile(architecture, volume.span());
      return rmse_hu(data.middle, volume.span());
    };
    return trial;
  };
  return c;
}

}  // namespace backlit
