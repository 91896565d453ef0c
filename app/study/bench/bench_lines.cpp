#include "study/bench/bench_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <random>
#include <set>

#include <backlit/core/error.hpp>
#include <backlit/data/metrics.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "projectors/lines_of_response/line_weights.hpp"

namespace backlit {
namespace {

constexpr double ring_mm = 450, cube_mm = 299.52;

/// N of "lmN"; 0 for other names.
std::int64_t side_of(const std::string& name) {
  std::int64_t n = 0;
  if (!name.starts_with("lm")) return 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 2, end, n);
  return error == std::errc{} && stop == end && n >= 8 && n <= 1024 ? n : 0;
}

/// Parameters t at which the line p + t (q - p) enters and leaves the grid; an empty range if it misses.
std::pair<double, double> clip_to_grid(const VolumeGrid& grid, const Vec3& p, const Vec3& q) {
  double from = 0, to = 1;
  for (int axis = 0; axis < 3; ++axis)
    clip_slices(p[axis], q[axis] - p[axis], grid.lower()[axis], grid.upper()[axis], from, to);
  return {from, to};
}

}  // namespace

LineList LineCase::list(bool tof) const {
  return {points, first, second, tof ? std::span<const float>(tof_mm) : std::span<const float>(), {}};
}

bool is_line_case(const std::string& name) { return side_of(name) > 0; }

LineCase line_case(const std::string& name, std::int64_t events, double axial_mm) {
  const std::int64_t n = side_of(name);
  if (n == 0) throw InputError(name, "is no case of lines", "take lm75, lm256 or lmN with N from 8 to 1024");
  LineCase c;
  c.name = name;
  if (n == 75)
    c.grid = {{75, 75, 26}, Vec3(4), Vec3(0)};
  else
    c.grid = {{n, n, n}, Vec3(cube_mm / static_cast<double>(n)), Vec3(0)};
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform;
  const auto end = [&] {
    const double phi = 2 * pi * uniform(engine);
    return Vec3(ring_mm * std::cos(phi), ring_mm * std::sin(phi), axial_mm * (2 * uniform(engine) - 1));
  };
  while (static_cast<std::int64_t>(c.first.size()) < events) {
    const Vec3 p = end(), q = end();
    const auto [from, to] = clip_to_grid(c.grid, p, q);
    if (!(from < to)) continue;
    const double at = from + (to - from) * uniform(engine);
    c.first.push_back(static_cast<std::uint32_t>(c.points.size()));
    c.second.push_back(static_cast<std::uint32_t>(c.points.size() + 1));
    c.points.emplace_back(p);
    c.points.emplace_back(q);
    c.tof_mm.push_back(static_cast<float>((at - 0.5) * glm::length(q - p)));
  }
  return c;
}

LineOptions line_options(const VolumeGrid& grid, const LineBenchOptions& o) {
  LineOptions options;
  options.line = o.line == "joseph" ? LineOptions::Line::joseph : LineOptions::Line::tube;
  const double width = o.width_voxels * grid.spacing.x;
  if (options.line == LineOptions::Line::tube) options.kernels = {gaussian_tube(width, width / 2)};
  if (o.tof_ps > 0) options.tof = {.sigma_mm = o.tof_ps / 2.3548200450309493 * 0.149896229, .cut_sigmas = o.tof_cut};
  options.sums = o.sums == "fixed" ? LineOptions::Sums::fixed : LineOptions::Sums::floating;
  options.variant = o.variant;
  return options;
}

LineCounts count_voxels(const LineCase& c, const LineBenchOptions& o) {
  const LineOptions options = line_options(c.grid, o);
  const LorGrid grid = lor_grid(c.grid);
  LineShape shape;
  if (!options.kernels.empty()) {
    const TubeKernel& k = options.kernels.front();
    shape = {k.table.data(), k.radius_mm, k.entry_per_mm2()};
  }
  const std::size_t lines = std::min<std::size_t>(5000, c.first.size());
  LineCounts counts;
  for (std::size_t i = 0; i < lines; ++i) {
    const glm::vec3 a = c.points[c.first[i]], b = c.points[c.second[i]];
    const double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z};
    const auto line = make_lor<double>(p, q, c.tof_mm[i], grid);
    const std::int64_t strides[3] = {1, grid.size[0], std::int64_t{grid.size[0]} * grid.size[1]};
    std::set<std::int64_t> slices;
    each_weight(line, grid, shape, o.tof_ps > 0 ? &options.tof : nullptr, [&](std::int64_t voxel, double) {
      ++counts.voxels;
      slices.insert(voxel / strides[line.axis] % grid.size[line.axis]);
    });
    counts.slices += static_cast<double>(slices.size());
  }
  return {counts.slices / static_cast<double>(lines), counts.voxels / static_cast<double>(lines)};
}

namespace {

/// Arrays of MLEM on one list.
struct LineArrays {
  LineArrays(Backend& b, std::unique_ptr<LinearOperator> made)
      : backend(b),
        op(std::move(made)),
        image(op->make_domain()),
        factor(op->make_domain()),
        inverse(op->make_domain()),
        expected(op->make_range(op->range().n2)),
        ratio(op->make_range(op->range().n2)) {
    op->sensitivity(*inverse, op->all());
    std::vector<float> host(static_cast<std::size_t>(image->count()));
    backend.download(*inverse, host);
    for (float& v : host) v = v > 0 ? 1 / v : 0;
    backend.upload(host, *inverse);
    backend.fill(*image, 1);
    forward();
    backend.finish();
  }

  void forward() { op->forward(*image, *expected, op->all(), Write::overwrite); }
  void compare() {
    backend.fill(*ratio, 1);
    backend.divide(*expected, *ratio, 1e-30f);
  }
  void back(const DeviceArray& lines) { op->back(lines, *factor, op->all(), Write::overwrite); }
  void update() {
    forward();
    compare();
    back(*ratio);
    backend.multiply(*inverse, *factor);
    backend.multiply(*factor, *image);
  }

  Backend& backend;
  std::unique_ptr<LinearOperator> op;
  ArrayPtr image, factor, inverse, expected, ratio;
};

}  // namespace

Trial line_trial(Backend& backend, const LineCase& c, const LineBenchOptions& o, LineWork work) {
  const LineList lines = c.list(o.tof_ps > 0);
  const auto arrays =
      std::make_shared<LineArrays>(backend, backend.make_listmode(c.grid, lines, line_options(c.grid, o)));
  Trial trial{arrays->op->variant(), 1e-6 * static_cast<double>(lines.count()), "M lines/s", {}, {}};
  switch (work) {
    case LineWork::forward:
      trial.run = [arrays] { arrays->forward(); };
      break;
    case LineWork::back:
      trial.run = [arrays] { arrays->back(*arrays->expected); };
      break;
    case LineWork::update:
      trial.run = [arrays] { arrays->update(); };
      break;
  }
  trial.result = [arrays, work] {
    const DeviceArray& left = work == LineWork::forward ? *arrays->expected
                              : work == LineWork::back  ? *arrays->factor
                                                        : *arrays->image;
    HostArray<float> host(left.count());
    arrays->backend.download(left, host.span());
    return host;
  };
  return trial;
}

namespace {

/// Relative L2 between the results of a variant's trial and the default's; 0 for the default.
double difference(Backend& backend, const LineCase& c, LineBenchOptions o, LineWork work, const Trial& trial) {
  if (o.variant.empty()) return 0;
  o.variant.clear();
  const Trial other = line_trial(backend, c, o, work);
  other.run();
  return relative_l2(trial.result().span(), other.result().span());
}

}  // namespace

void bench_lines(Backend& backend, const LineCase& c, const LineBenchOptions& o, std::int64_t repeats,
                 const std::function<void(const BenchRow&)>& report) {
  const auto finish = [&] { backend.finish(); };
  const auto add_row = [&](const std::string& operation, const std::string& variant, double millions,
                           const Timing& timing, double away = 0) {
    BenchRow row{c.name, operation, fmt::format("{:g} M, {}", millions, variant), timing, 0, "M lines/s", {}};
    row.rate = millions / timing.median;
    if (away > 0) row.variant += fmt::format(", differs by {:.2g}", away);
    report(row);
  };
  std::unique_ptr<LinearOperator> plan;
  const LineList lines = c.list(o.tof_ps > 0);
  const Timing planned = time_repeatedly(
      [&] {
        plan.reset();
        plan = backend.make_listmode(c.grid, lines, line_options(c.grid, o));
      },
      finish, repeats, 0);
  const double millions = 1e-6 * static_cast<double>(lines.count());
  add_row("plan", plan->variant(), millions, planned);
  backend.time_passes(true);  // the rest of a plan's time is copies and host work
  plan = backend.make_listmode(c.grid, lines, line_options(c.grid, o));
  for (const auto& [name, pass] : backend.pass_times())
    add_row("plan: " + name, plan->variant(), millions, {pass.seconds, pass.seconds, pass.seconds, pass.calls});
  backend.time_passes(false);
  plan.reset();
  for (const auto& [operation, work] : {std::pair{"forward", LineWork::forward}, std::pair{"back", LineWork::back},
                                        std::pair{"update", LineWork::update}}) {
    const Trial trial = line_trial(backend, c, o, work);
    const Timing timing = time_repeatedly(trial.run, finish, repeats, 0.05);
    const bool repeats_itself = work != LineWork::update;  // each update continues from the last one
    add_row(operation, trial.variant, trial.work, timing, repeats_itself ? difference(backend, c, o, work, trial) : 0);
  }
}

}  // namespace backlit
