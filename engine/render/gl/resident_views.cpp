#include "render/gl/resident_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "projectors/shared/gl/view_table.hpp"

namespace backlit::gl {
namespace {

constexpr float largest_stored = 1024;

double azimuth(const View& view) {
  const Vec3 from = view.beam == Beam::parallel ? -view.direction : view.source;
  return std::atan2(from.y, from.x);
}

/// layer[i] of the scan's i-th view: its rank by angle.
std::vector<std::int64_t> layers_by_angle(const Scan& scan) {
  std::vector<std::size_t> order(scan.views.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return azimuth(scan.views[a]) < azimuth(scan.views[b]); });
  std::vector<std::int64_t> layer(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) layer[order[i]] = static_cast<std::int64_t>(i);
  return layer;
}

void check_fits(const Scan& scan, const Limits& limits) {
  scan.check("views");
  if (scan.view_count() > limits.array_layers)
    throw Unsupported("views",
                      fmt::format("{} views are more than the {} layers of this device's textures", scan.view_count(),
                                  limits.array_layers),
                      "leave out every second one");
  if (std::max(scan.detector.columns, scan.detector.rows) > limits.texture_size)
    throw Unsupported("views",
                      fmt::format("a detector of {} x {} pixels is larger than this device's textures",
                                  scan.detector.columns, scan.detector.rows),
                      fmt::format("bin it to at most {} a side", limits.texture_size));
}

}  // namespace

ResidentViews::ResidentViews(GlBackend& backend, const Scan& scan, const ResidentOptions& options)
    : backend_(backend), scan_(scan), options_(options) {
  backend.context().make_current();
  check_fits(scan, backend.context().limits());
  layer_ = layers_by_angle(scan);
  write_table();
  const Detector& d = scan.detector;
  const bool half = options.precision == Precision::half;
  values_ = Texture("resident views", GL_TEXTURE_2D_ARRAY, half ? GL_R16F : GL_R32F, d.columns, d.rows, count());
  if (options.slopes) slopes_ = Texture("resident slopes", GL_TEXTURE_2D_ARRAY, GL_RGBA16F, d.columns, d.rows, count());
  linear_ = Sampler("resident slopes", GL_LINEAR);
  value_sampler_ = Sampler("resident views", options.precision == Precision::exact ? GL_NEAREST : GL_LINEAR);
  Defines defines{{"FORMAT", half ? "r16f" : "r32f"}, {"HALVES", half ? "true" : "false"}};
  if (options.slopes) defines.emplace_back("SLOPES", "");
  pack_ = Program("pack view", {"d2vr/pack_view.comp"}, defines);
}

void ResidentViews::write_table() {
  Scan by_angle{scan_.detector, std::vector<View>(scan_.views.size())};
  for (std::size_t i = 0; i < scan_.views.size(); ++i)
    by_angle.views[static_cast<std::size_t>(layer_[i])] = scan_.views[i];
  const bool exact = options_.precision == Precision::exact;
  const VolumeGrid millimetres{{1, 1, 1}, Vec3(1), Vec3(0)};
  table_ = ViewTable::make(millimetres, by_angle, Weighting::fdk, exact ? PositionUnit::pixel : PositionUnit::fraction)
               .views;
}

void ResidentViews::store(const GlArray& from, std::int64_t layer_from, std::int64_t index) {
  const Detector& d = scan_.detector;
  if (from.shape().n0 != d.columns || from.shape().n1 != d.rows)
    throw Failure("views", "the filtered view has another size than the detector");
  pack_.set("source_layer", static_cast<int>(layer_from));
  pack_.set("target_layer", static_cast<int>(layer_[static_cast<std::size_t>(index)]));
  pack_.set("scale", scale_);
  pack_.use();
  from.textures()[0].bind(0);
  values_.bind_image(0, GL_WRITE_ONLY);
  if (options_.slopes) slopes_.bind_image(1, GL_WRITE_ONLY);
  glDispatchCompute(groups(d.columns, 32), groups(d.rows, 8), 1);
}

void ResidentViews::load(GlArray& filtered) {
  if (!(filtered.shape() == shape_of(scan_.detector, count())))
    throw Failure("views", "the filtered views have another size than the scan");
  backend_.context().make_current();
  const double largest = VectorOps(backend_.timings()).largest_magnitude(filtered);
  scale_ = largest > 0 && std::isfinite(largest) ? static_cast<float>(largest_stored / largest) : 1;
  for (std::int64_t i = 0; i < count(); ++i) store(filtered, i, i);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
  oldest_ = 0;
  ++generation_;
}

void ResidentViews::replace(std::int64_t index, const View& view, const GlArray& filtered) {
  if (index < 0 || index >= count()) throw Failure("views", fmt::format("view {} of {}", index, count()));
  backend_.context().make_current();
  View& place = scan_.views[static_cast<std::size_t>(index)];
  if (!(place == view)) {
    const View before = std::exchange(place, view);
    try {
      scan_.check("stream");
      write_table();
    } catch (...) {
      place = before;
      throw;
    }
  }
  store(filtered, 0, index);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
  ++generation_;
}

std::int64_t ResidentViews::replace_oldest(const View& view, const GlArray& filtered) {
  const std::int64_t index = oldest_;
  replace(index, view, filtered);
  oldest_ = (oldest_ + 1) % count();
  return index;
}

void ResidentViews::bind() const {
  values_.bind(0);
  value_sampler_.bind(0);
  if (options_.slopes) slopes_.bind(1);
  linear_.bind(1);
  table_.bind_storage(0);
  table_.bind_uniform(1);
}

Defines ResidentViews::defines(ViewTableIn table) const {
  if (place_of_table(table) != ViewTableIn::uniform) return {};
  return {{"UNIFORM_VIEWS", std::to_string(count())}};
}

Choices ResidentViews::choices(ViewTableIn table, bool source_inside) const {
  const bool parallel = scan_.beam() == Beam::parallel, curved = scan_.detector.shape == Detector::Shape::curved;
  const bool exact = options_.precision == Precision::exact, uniform = place_of_table(table) == ViewTableIn::uniform;
  Choices files = ViewTable::choices(parallel, curved, source_inside && !parallel);
  files.insert(files.end(),
               {uniform ? "shared/view_table/uniform.glsl" : "shared/view_table/storage.glsl",
                exact ? "shared/sample/software.glsl" : "shared/sample/hardware.glsl", "voxel_driven/weight/fdk.glsl",
                options_.slopes && !exact ? "d2vr/slopes/stored.glsl" : "d2vr/slopes/differences.glsl",
                parallel ? "d2vr/slope/parallel.glsl"
                : curved ? "d2vr/slope/curved.glsl"
                         : "d2vr/slope/cone.glsl"});
  return files;
}

bool ResidentViews::source_inside(const VolumeGrid& box) const {
  if (scan_.beam() == Beam::parallel) return false;
  for (const View& view : scan_.views) {
    const Vec3 ahead = detector_normal(view).normal;  // the next line tests the box's least deep corner
    if (glm::dot(ahead, box.center - view.source) <= 0.5 * glm::dot(glm::abs(ahead), box.upper() - box.lower()))
      return true;
  }
  return false;
}

ViewTableIn ResidentViews::place_of_table(ViewTableIn asked) const {
  const bool fits = count() <= uniform_views;
  if (asked == ViewTableIn::uniform && !fits)
    throw Unsupported("variant", fmt::format("table=uniform takes up to {} views", uniform_views), "use table=storage");
  return asked == ViewTableIn::automatic ? (fits ? ViewTableIn::uniform : ViewTableIn::storage) : asked;
}

void ResidentViews::set_uniforms(Program& p, std::int64_t stride) const {
  const auto columns = static_cast<float>(scan_.detector.columns), rows = static_cast<float>(scan_.detector.rows);
  const std::int64_t used = (count() + stride - 1) / stride;
  p.set("first_view", 0);
  p.set("view_stride", static_cast<int>(stride));
  p.set("view_end", static_cast<int>(count()));
  p.set("gain", static_cast<float>(count()) / static_cast<float>(used) / scale_);
  p.set("detector_size", columns, rows);
  p.set("pixel_scale", 1 / columns, 1 / rows);
}

ResidentViews load_resident_views(GlBackend& backend, ProjectionSource& source, ProjectionFilter& filter,
                                  const ResidentOptions& options, const Watch& watch) {
  constexpr std::int64_t batch_bytes = std::int64_t{64} << 20;
  ResidentViews views(backend, filter.scan(), options);
  const std::int64_t total = views.count(), pixels = source.scan().detector.pixels();
  const std::int64_t most = std::clamp<std::int64_t>(batch_bytes / (4 * pixels), 1, total);
  const ArrayPtr whole = backend.make_array(shape_of(filter.scan().detector, total));
  std::vector<float> host;
  watch.begin("filter", total, "views");
  for (std::int64_t first = 0; first < total; first += most) {
    const std::int64_t count = std::min(most, total - first);
    host.resize(static_cast<std::size_t>(count * pixels));
    source.read(first, count, host);
    filter.run(first, host, *backend.rows(*whole, first, count));
    watch.advance(count);
  }
  watch.end();
  views.load(as_gl(*whole));
  return views;
}

}  // namespace backlit::gl
