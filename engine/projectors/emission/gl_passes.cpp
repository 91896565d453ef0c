#include "projectors/emission/gl_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "projectors/emission/make_plane_stack.hpp"
#include "projectors/shared/gl/half_unit.hpp"
#include "projectors/shared/make_ray_frame.hpp"

namespace backlit::gl {
namespace {

float real(std::int64_t n) { return static_cast<float>(n); }

/// Fills in the choices left open. Throws Unsupported for choices that exclude each other.
EmissionVariant completed(EmissionVariant v, const EmissionOptions& o) {
  using Composite = EmissionVariant::Composite;
  const bool scatters = o.scatter_mm > 0;
  if (v.composite == Composite::best) v.composite = scatters ? Composite::back_to_front : Composite::front_to_back;
  if (scatters && v.composite != Composite::back_to_front)
    throw Unsupported(
        "variant",
        fmt::format("composite={} does not have the slices behind when a slice scatters", v.composite_name()),
        "use composite=back_to_front");
  if (v.composite != Composite::front_to_back_blended) return v;
  if (v.draw == EmissionVariant::Draw::compute)
    throw Unsupported("variant", "composite=front_to_back_blended blends what is drawn", "use draw=fragment");
  v.draw = EmissionVariant::Draw::fragment;
  return v;
}

CtOptions as_ct(const EmissionOptions& o) { return {Model::joseph, o.precision, Packing::none}; }

ProjectionVariant as_rays(const EmissionVariant& v) {
  ProjectionVariant rays;  // compute is never slower, without a GPU either
  rays.draw =
      v.draw == EmissionVariant::Draw::fragment ? ProjectionVariant::Draw::rays : ProjectionVariant::Draw::compute;
  return rays;
}

/// Struct EmissionView of shaders/emission/crossing.glsl.
struct EmissionView {
  float distance[4], depth[4], pixels[4], normal[4], stack[4];
};

EmissionView to_shader(const PlaneStack& p) {
  EmissionView v{};
  for (int i = 0; i < 4; ++i) {
    v.distance[i] = static_cast<float>(p.distance[i]);
    v.depth[i] = static_cast<float>(p.depth[i]);
  }
  const double pixels[4] = {p.pixels[0], p.pixels[1], p.front, p.front_depth};
  const double normal[4] = {p.normal[0], p.normal[1], p.normal[2], p.step};
  const double stack[4] = {p.first, static_cast<double>(p.count), p.step < 0 ? 1.0 : -1.0, p.thickness};
  for (int i = 0; i < 4; ++i) {
    v.pixels[i] = static_cast<float>(pixels[i]);
    v.normal[i] = static_cast<float>(normal[i]);
    v.stack[i] = static_cast<float>(stack[i]);
  }
  return v;
}

/// An upper bound of the taps on either side of any kernel of the view.
int largest_reach(const PlaneStack& p, const Detector& d, const RayFrame<double>& frame, const VolumeGrid& grid,
                  const EmissionOptions& o) {
  if (!(o.scatter_mm > 0)) return 0;
  double longest = p.thickness, farthest = 0, nearest = p.front_depth;
  for (int corner = 0; corner < 4; ++corner) {
    const auto ray = make_ray(frame, corner & 1 ? double(d.columns - 1) : 0.0, corner & 2 ? double(d.rows - 1) : 0.0);
    double along = 0;
    for (int i = 0; i < 3; ++i) along += p.normal[i] * ray.direction[i];
    longest = std::max(longest, std::abs(p.step / along));
  }
  for (int corner = 0; corner < 8; ++corner) {
    double distance = p.distance[3], depth = p.depth[3];
    for (int i = 0; i < 3; ++i) {
      const double at = corner >> i & 1 ? double(grid.size[static_cast<std::size_t>(i)]) : -1.0;
      distance += p.distance[i] * at;
      depth += p.depth[i] * at;
    }
    farthest = std::max(farthest, distance);
    nearest = std::min(nearest, depth);
  }
  const double slab = blur_variance(longest, farthest, o.scatter_by_distance), front = p.front / 100;
  const double scale = std::max(p.pixels[0], p.pixels[1]) / std::max(nearest, 1e-9) * o.scatter_mm;
  return kernel_radius(scale * scale * std::max(slab, o.scatter_by_distance ? front * front : 0.0));
}

}  // namespace

EmissionPasses::EmissionPasses(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid,
                               const Scan& scan, float densest, const EmissionOptions& options,
                               const EmissionVariant& variant)
    : options_(options),
      variant_(completed(variant, options)),
      plan_(context, timings, grid, scan, as_ct(options), as_rays(variant_)),
      ops_(timings),
      densest_(densest),
      images_{{context, "image", shape_of(scan.detector, std::min(most_emission_views, scan.view_count()))},
              {context, "image", shape_of(scan.detector, std::min(most_emission_views, scan.view_count()))},
              {context, "shares", shape_of(scan.detector, std::min(most_emission_views, scan.view_count()))}},
      sampler_("volume", plan_.exact ? GL_NEAREST : GL_LINEAR),
      framebuffer_("emission"),
      no_vertices_("no vertices") {
  describe_views(scan);
  if (variant_.composite == EmissionVariant::Composite::front_to_back_blended)
    seen_ = Texture("seen so far", GL_TEXTURE_2D_ARRAY, GL_RGBA32F, image().width(), image().height(), most_views());
  items_ = Buffer("batch of views", most_views() * static_cast<std::int64_t>(sizeof(Item)));
  const char* computed = facing() ? "emission/gather_facing.comp" : "emission/gather_all.comp";
  gather_ = gathers_all() ? plan_.make_program("gather emission", {computed})
                          : plan_.make_program("gather emission", {"shared/slice.vert", "emission/gather.frag"}, {},
                                               {{"PLANE", ""}});
  add_ = Program("add views", {"emission/add.comp"});
  if (facing())
    fill_ = Program("fill 3-D texture", {"raycast/to_texture3d.comp"},
                    plan_.half ? Defines{{"FORMAT", "r16f"}, {"HALF", ""}} : Defines{{"FORMAT", "r32f"}});
}

void EmissionPasses::describe_views(const Scan& scan) {
  std::vector<EmissionView> views;
  for (const View& view : scan.views) {
    planes_.push_back(facing() ? facing_planes(scan.detector, view, plan_.grid, options_.detector_mm)
                               : axis_planes(scan.detector, view, plan_.grid, options_.detector_mm));
    axes_.push_back(main_axis(scan.detector, view, plan_.grid));
    reaches_.push_back(largest_reach(planes_.back(), scan.detector, make_ray_frame(scan.detector, view, plan_.grid),
                                     plan_.grid, options_));
    views.push_back(to_shader(planes_.back()));
  }
  views_ = Buffer("emission views", static_cast<std::int64_t>(views.size() * sizeof(EmissionView)), views.data());
}

std::int64_t EmissionPasses::most_planes() const { return std::ranges::max(planes_, {}, &PlaneStack::count).count; }

std::string EmissionPasses::variant_name() const {
  return fmt::format("composite={},draw={}", variant_.composite_name(), plan_.computes() ? "compute" : "fragment");
}

std::string EmissionPasses::variant() const {
  return fmt::format("model=emission,precision={},slices={},back={},{}", backlit::name(options_.precision),
                     backlit::name(options_.slices), backlit::name(options_.back), variant_name());
}

bool EmissionPasses::matched() const { return options_.back == EmissionOptions::Back::matched && plan_.exact; }

Program& EmissionPasses::program(Pass pass) {
  auto found = programs_.find(pass);
  if (found != programs_.end()) return found->second;
  const Defines d{{"PASS", std::to_string(static_cast<int>(pass))}};
  const Choices files{facing() ? "emission/planes/facing.glsl" : "emission/planes/axis.glsl",
                      options_.scatter_mm > 0 ? "emission/kernel/gaussian.glsl" : "emission/kernel/none.glsl",
                      blurs_back() ? "emission/behind/spread.glsl" : "emission/behind/kept.glsl"};
  const char* stage = pass == march_back ? "emission/march_back.comp" : "emission/pass.comp";
  Program p = plan_.computes() || pass == march_back
                  ? plan_.make_program("emission", {stage}, files, d)
                  : plan_.make_program("emission", {"shared/slice.vert", "emission/pass.frag"}, files, d);
  p.set("by_attenuation", options_.scatter_by_attenuation ? 1 : 0);
  p.set("by_distance", options_.scatter_by_distance ? 1 : 0);
  p.set("by_direction", options_.scatter_by_direction ? 1 : 0);
  const auto& size = plan_.grid.size;
  p.set("grid_size", real(size[0]), real(size[1]), real(size[2]));
  p.set("unit_length", static_cast<float>(unit_length(plan_.grid)));
  p.set("densest", densest_);
  p.set("scatter", static_cast<float>(options_.scatter_mm * options_.scatter_mm));
  p.set("first_layer", 0);
  return programs_.emplace(pass, std::move(p)).first->second;
}

void EmissionPasses::add_view(Batch& b, std::int64_t view, std::int64_t layer) const {
  const auto v = static_cast<std::size_t>(view);
  b.items.push_back({whole(view), whole(layer), {}});
  b.planes = std::max(b.planes, planes_[v].count);
  b.directions |= planes_[v].step < 0 ? 1 : 2;
  b.reach = std::max(b.reach, reaches_[v]);
}

std::vector<EmissionPasses::Batch> EmissionPasses::batches(Layers layers, const Subset& subset,
                                                           std::int64_t most) const {
  std::vector<Batch> list;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::int64_t i = 0; i < subset.count; ++i) {
      const std::int64_t view = subset.first + i * subset.stride;
      if (axes_[static_cast<std::size_t>(view)] != static_cast<int>(axis)) continue;
      if (list.empty() || list.back().axis != axis || static_cast<std::int64_t>(list.back().items.size()) == most)
        list.push_back({axis, {}});
      add_view(list.back(), view, layers.first + i * layers.stride);
    }
  return list;
}

std::vector<EmissionPasses::Batch> EmissionPasses::batches_back(Layers layers, const Subset& subset) {
  return batches(layers, subset, gathers_all() ? make_shares() : most_views());
}

/// Copies `from` into `box`, which gets the volume's size. Returns the value of a stored 1.
float EmissionPasses::fill(const GlArray& from, std::optional<Texture>& box, const char* label) {
  const auto [x, y, z] = from.shape();
  if (!box || box->width() != x || box->height() != y || box->depth() != z) {
    box.reset();  // frees the old one first
    box.emplace(label, GL_TEXTURE_3D, plan_.half ? GL_R16F : GL_R32F, x, y, z);
  }
  const float unit = plan_.half ? half_unit(ops_, from) : 1.0f;
  fill_.set("per_unit", 1 / unit);
  fill_.use();
  glBindSampler(0, 0);
  from.textures().front().bind(0);
  box->bind_image(0, GL_WRITE_ONLY);
  glDispatchCompute(groups(box->width(), 32), groups(box->height(), 8), static_cast<GLuint>(box->depth()));
  glMemoryBarrier(everything_that_reads);
  return unit;
}

/// Binds the data that all passes of a batch read. `activity` may be null where no pass samples it.
void EmissionPasses::begin(const Batch& b, const GlArray& attenuation, const GlArray* activity) {
  const Texture *volume = nullptr, *dense = nullptr;
  if (facing()) {
    if (activity) activity_unit_ = fill(*activity, activity_box_, "activity");
    attenuation_unit_ = fill(attenuation, attenuation_box_, "attenuation");
    dense = &*attenuation_box_;
    if (activity) volume = &*activity_box_;
  } else {
    const auto stacks = [&](std::optional<SliceStacks>& kept) -> SliceStacks& {
      if (kept) return *kept;
      std::array<bool, 3> axes{};
      for (const int a : axes_) axes[static_cast<std::size_t>(a)] = true;
      return kept.emplace(plan_.context, plan_.timings, shape_of(plan_.grid), axes, Packing::none, plan_.half);
    };
    const Stack m = stacks(attenuation_stacks_).along(b.axis, attenuation);
    dense = &m.textures.front();
    attenuation_unit_ = m.unit;
    if (activity) {
      const Stack a = stacks(activity_stacks_).along(b.axis, *activity);
      volume = &a.textures.front();
      activity_unit_ = a.unit;
    }
  }
  (volume ? volume : dense)->bind(0);
  dense->bind(1);
  bind_views(b);
}

void EmissionPasses::bind_views(const Batch& b) {
  items_.write(std::as_bytes(std::span(b.items)));
  plan_.pixels.views.bind_storage(0);
  plan_.rays.rays.bind_storage(1);
  views_.bind_storage(2);
  items_.bind_storage(3);
  glBindVertexArray(no_vertices_.id());
  sampler_.bind(0);
  sampler_.bind(1);
}

Program& EmissionPasses::prepare(Pass pass, const Batch& b, std::int64_t plane) {
  Program& p = program(pass);
  plan_.set_axis(p, b.axis);
  p.set("activity_unit", activity_unit_);
  p.set("attenuation_unit", attenuation_unit_);
  p.set("attenuates", attenuates_ ? 1 : 0);
  p.set("plane", whole(plane));
  p.set("end", whole(b.planes));
  p.set("reach", b.reach);
  p.use();
  return p;
}

void EmissionPasses::run(Pass pass, const Batch& b, std::int64_t plane, const Texture& from, const Texture& to) {
  prepare(pass, b, plane);
  from.bind(2);
  const auto views = static_cast<GLsizei>(b.items.size());
  if (plan_.computes()) {
    to.bind_image(0, GL_WRITE_ONLY);
    glDispatchCompute(groups(to.width(), 32), groups(to.height(), 8), static_cast<GLuint>(views));
    glMemoryBarrier(everything_that_reads);
  } else {
    framebuffer_.attach(to);
    framebuffer_.use();
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, views);
  }
}

/// From the present image to the next one, which becomes the present one.
void EmissionPasses::step(Pass pass, const Batch& b, std::int64_t plane) {
  run(pass, b, plane, image(), images_[1].textures().front());
  std::swap(images_[0].textures(), images_[1].textures());
}

void EmissionPasses::forward(const Batch& b, const GlArray& attenuation, const GlArray& activity) {
  attenuates_ = true;
  begin(b, attenuation, &activity);
  project(b);
}

void EmissionPasses::project(const Batch& b) {
  DrawState state(DrawState::Mode::replace);
  if (variant_.composite == EmissionVariant::Composite::front_to_back) return step(march, b, 0);
  if (variant_.composite == EmissionVariant::Composite::front_to_back_blended) return project_blended(b, state);
  const bool scatters = options_.scatter_mm > 0;
  images_[0].textures().front().clear(0);
  for (std::int64_t plane = b.planes - 1; plane >= 0; --plane) {
    plan_.context->pace(updates(image(), 1));
    if (scatters) step(blur_columns, b, plane);
    step(composite, b, plane);
  }
  if (!scatters || !blurs_in_front()) return;
  step(blur_columns, b, -1);
  step(blur_rows, b, -1);
}

void EmissionPasses::project_blended(const Batch& b, DrawState& state) {
  const float nothing_yet[] = {0, 0, 0, 1};
  framebuffer_.attach(seen_);
  glClearNamedFramebufferfv(framebuffer_.id(), GL_COLOR, 0, nothing_yet);
  state.set(DrawState::Mode::under);
  for (std::int64_t plane = 0; plane < b.planes; ++plane) {
    plan_.context->pace(updates(image(), 1));
    run(emit, b, plane, image(), seen_);
  }
  state.set(DrawState::Mode::replace);
  run(copy, b, 0, seen_, image());
}

void EmissionPasses::add_to(const Batch& b, GlArray& projections) {
  const Texture& target = projections.textures().front();
  add_.use();
  image().bind(2);
  target.bind_image(0, GL_READ_WRITE);
  glDispatchCompute(groups(target.width(), 32), groups(target.height(), 8), static_cast<GLuint>(b.items.size()));
  glMemoryBarrier(everything_that_reads);
}

void EmissionPasses::load(const Batch& b, const GlArray& projections) {
  const DrawState state(DrawState::Mode::replace);
  bind_views(b);
  run(load_views, b, 0, projections.textures().front(), image());
}

}  // namespace backlit::gl
