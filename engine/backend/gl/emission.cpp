#include "backend/gl/emission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "backend/gl/dispatch.hpp"
#include "backend/gl/draw_state.hpp"
#include "backend/gl/variant_text.hpp"
#include "core/error.hpp"
#include "projector/make_plane_stack.hpp"
#include "projector/make_ray_frame.hpp"

namespace backlit::gl {
namespace {

constexpr std::array composites{"front_to_back", "back_to_front", "best"};
constexpr std::array draws{"fragment", "compute", "best"};

/// Views that go through the planes together: as many as keep a device busy with one plane.
constexpr std::int64_t batch = 64;

/// What computed backprojection gives to the planes of some views: values of fp32.
constexpr std::int64_t most_given = std::int64_t{1} << 26;

int whole(std::int64_t n) { return static_cast<int>(n); }

CtOptions as_ct(const EmissionOptions& o, EmissionVariant::Draw draw) {
  // Computed is never slower, without a GPU neither.
  const char* variant = draw == EmissionVariant::Draw::fragment ? "draw=rays" : "draw=compute";
  return {Model::slice_interpolated, o.precision, Packing::none, Weighting::none, variant};
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

/// No kernel of the view has more taps than this on either side of its middle.
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

EmissionVariant EmissionVariant::parse(const std::string& text) {
  EmissionVariant v;
  for_items(text, [&](const std::string& key, const std::string& value) {
    if (key == "composite")
      v.composite = find_value<Composite>(composites, key, value);
    else if (key == "draw")
      v.draw = find_value<Draw>(draws, key, value);
    else
      throw InputError("variant", fmt::format("unknown key '{}'", key), "there are composite and draw");
  });
  return v;
}

GlEmission::GlEmission(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                       std::span<const float> attenuation, const EmissionOptions& options)
    : GlCt(context, grid, scan, as_ct(options, EmissionVariant::Draw::best), GL_R32F),
      options_(options),
      variant_(EmissionVariant::parse(options.variant)),
      plan_(context, timings, grid, scan, as_ct(options, variant_.draw)),
      attenuation_(context, "attenuation", shape_of(grid)),
      images_{{context, "image", shape_of(scan.detector, std::min(batch, scan.view_count()))},
              {context, "image", shape_of(scan.detector, std::min(batch, scan.view_count()))},
              {context, "given", shape_of(scan.detector, std::min(batch, scan.view_count()))}},
      sampler_("volume", plan_.exact ? GL_NEAREST : GL_LINEAR),
      framebuffer_("emission"),
      no_vertices_("no vertices") {
  const std::int64_t most = context->limits().array_layers;
  if (scan.view_count() > most || std::max({grid.size[0], grid.size[1], grid.size[2]}) > most)
    throw Unsupported("emission",
                      fmt::format("a device of {} layers a texture holds neither more views nor slices", most),
                      "use the cpu backend");
  if (facing() && plan_.exact)
    throw Unsupported("emission slices", "facing slices are sampled by hardware on the gl backend",
                      "use --precision fast");
  const bool scatters = options.scatter_mm > 0;
  if (variant_.composite == EmissionVariant::Composite::best)
    variant_.composite =
        scatters ? EmissionVariant::Composite::back_to_front : EmissionVariant::Composite::front_to_back;
  if (scatters && variant_.composite == EmissionVariant::Composite::front_to_back)
    throw Unsupported("variant", "composite=front_to_back has no image to scatter in", "use back_to_front");
  describe_views(scan);
  const std::int64_t side = std::max({grid.size[0], grid.size[1], grid.size[2]});
  const std::int64_t planes = std::ranges::max(planes_, {}, &PlaneStack::count).count;
  if (const std::int64_t largest = context->limits().texture_3d_size; facing() && (side > largest || planes > most))
    throw Unsupported("emission slices",
                      fmt::format("facing slices are cut from a 3-D texture, whose sides end at {} voxels here, and "
                                  "there may be {} of them, not {}",
                                  largest, most, planes),
                      "use --emission-slices axis");
  upload_attenuation(attenuation);
  items_ = Buffer("batch of views", batch * static_cast<std::int64_t>(sizeof(Item)));
  gather_ = gathers_all() ? plan_.make_program("gather emission", {"emission/gather_all.comp"},
                                               facing() ? Defines{{"FACING", ""}} : Defines{})
                          : plan_.make_program("gather emission", {"backproject/slice.vert", "emission/gather.frag"},
                                               {{"PLANE", ""}});
  gather_.set("grid_size", static_cast<float>(grid.size[0]), static_cast<float>(grid.size[1]),
              static_cast<float>(grid.size[2]));
  add_ = Program("add views", {"emission/add.comp"});
}

void GlEmission::describe_views(const Scan& scan) {
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

void GlEmission::upload_attenuation(std::span<const float> attenuation) {
  std::vector<float> normalised(attenuation.size());
  const Vec3 mm = plan_.grid.spacing;
  const double per_way = std::min({mm.x, mm.y, mm.z});
  std::transform(attenuation.begin(), attenuation.end(), normalised.begin(),
                 [&](float mu) { return static_cast<float>(-std::expm1(-double(mu) * per_way)); });
  densest_ = *std::max_element(normalised.begin(), normalised.end());
  attenuation_.upload(normalised);
  if (facing()) {
    const auto [x, y, z] = plan_.grid.size;
    const GLenum format = plan_.half ? GL_R16F : GL_R32F;
    fill_ = Program("fill 3-D texture", {"project/to_texture3d.comp"}, {{"FORMAT", plan_.half ? "r16f" : "r32f"}});
    activity_box_.emplace("activity", GL_TEXTURE_3D, format, x, y, z);
    attenuation_box_.emplace("attenuation", GL_TEXTURE_3D, format, x, y, z);
  }
  std::array<bool, 3> axes{};
  for (const int a : axes_) axes[static_cast<std::size_t>(a)] = true;
  for (auto* slices : {&activity_slices_, &attenuation_slices_})
    if (!facing()) slices->emplace(plan_.context, plan_.timings, domain(), axes, Packing::none, plan_.half);
}

bool GlEmission::matched() const { return options_.back == EmissionOptions::Back::matched && plan_.exact && !facing(); }

std::int64_t GlEmission::least_rows() const { return plan_.context->limits().software ? 1 : images_[0].shape().n2; }

std::string GlEmission::way() const {
  return fmt::format("composite={},draw={}", composites[static_cast<std::size_t>(variant_.composite)],
                     plan_.computes() ? "compute" : "fragment");
}

std::string GlEmission::variant() const {
  return fmt::format("model=emission,precision={},slices={},back={},{}", backlit::name(options_.precision),
                     backlit::name(options_.slices), backlit::name(options_.back), way());
}

Program& GlEmission::program(Pass pass) {
  auto found = programs_.find(pass);
  if (found != programs_.end()) return found->second;
  Defines d{{"PASS", std::to_string(static_cast<int>(pass))}};
  const auto add = [&](bool wanted, const char* define) {
    if (wanted) d.emplace_back(define, "");
  };
  add(facing(), "FACING");
  add(options_.scatter_mm > 0, "SCATTERS");
  add(options_.scatter_by_attenuation, "BY_ATTENUATION");
  add(options_.scatter_by_distance, "BY_DISTANCE");
  add(options_.scatter_by_direction, "BY_DIRECTION");
  add(blurs_back(), "SPREADS");
  const char* stage = pass == march_back ? "emission/march_back.comp" : "emission/pass.comp";
  Program p = plan_.computes() || pass == march_back
                  ? plan_.make_program("emission", {stage}, d)
                  : plan_.make_program("emission", {"backproject/slice.vert", "emission/pass.frag"}, d);
  const auto real = [](std::int64_t n) { return static_cast<float>(n); };
  const auto& [x, y, z] = plan_.grid.size;
  const Vec3 mm = plan_.grid.spacing;
  p.set("grid_size", real(x), real(y), real(z));
  p.set("per_way", static_cast<float>(std::min({mm.x, mm.y, mm.z})));
  p.set("densest", densest_);
  p.set("scatter", static_cast<float>(options_.scatter_mm * options_.scatter_mm));
  p.set("first_layer", 0);
  return programs_.emplace(pass, std::move(p)).first->second;
}

std::vector<GlEmission::Batch> GlEmission::batches(Layers layers, const Subset& subset, std::int64_t most) const {
  std::vector<Batch> list;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::int64_t i = 0; i < subset.count; ++i) {
      const std::int64_t view = subset.first + i * subset.stride;
      const auto v = static_cast<std::size_t>(view);
      if (axes_[v] != static_cast<int>(axis)) continue;
      if (list.empty() || list.back().axis != axis || static_cast<std::int64_t>(list.back().items.size()) == most)
        list.push_back({axis, {}, 0, 0, 0});
      Batch& b = list.back();
      b.items.push_back({whole(view), whole(layers.first + i * layers.stride), {}});
      b.planes = std::max(b.planes, planes_[v].count);
      b.ways |= planes_[v].step < 0 ? 1 : 2;
      b.reach = std::max(b.reach, reaches_[v]);
    }
  return list;
}

/// Binds what all passes of a batch read. `volume` may be null where no pass samples activity.
void GlEmission::begin(const Batch& b, const GlArray* volume) {
  const auto fill = [&](const GlArray& from, const Texture& box) {
    fill_.set("per_unit", 1.0f);
    fill_.use();
    glBindSampler(0, 0);
    from.textures().front().bind(0);
    box.bind_image(0, GL_WRITE_ONLY);
    glDispatchCompute(groups(box.width(), 32), groups(box.height(), 8), static_cast<GLuint>(box.depth()));
    glMemoryBarrier(everything_that_reads);
  };
  const Texture *activity = nullptr, *matter = nullptr;
  if (facing()) {
    if (volume) fill(*volume, *activity_box_);
    fill(attenuation_, *attenuation_box_);
    activity = &*activity_box_;
    matter = &*attenuation_box_;
  } else {
    const Stack m = attenuation_slices_->along(b.axis, attenuation_);
    matter = &m.textures.front();
    attenuation_unit_ = m.unit;
    if (volume) {
      const Stack a = activity_slices_->along(b.axis, *volume);
      activity = &a.textures.front();
      activity_unit_ = a.unit;
    }
  }
  items_.write(std::as_bytes(std::span(b.items)));
  plan_.pixels.views.bind_storage(0);
  plan_.rays.rays.bind_storage(1);
  views_.bind_storage(2);
  items_.bind_storage(3);
  glBindVertexArray(no_vertices_.id());
  sampler_.bind(0);
  sampler_.bind(1);
  (activity ? activity : matter)->bind(0);
  matter->bind(1);
}

Program& GlEmission::prepare(Pass pass, const Batch& b, std::int64_t plane) {
  Program& p = program(pass);
  plan_.set_axis(p, b.axis);
  p.set("activity_unit", activity_unit_);
  p.set("attenuation_unit", attenuation_unit_);
  p.set("attenuates", attenuates_ ? 1 : 0);
  p.set("plane", whole(plane));
  p.set("planes", whole(b.planes));
  p.set("reach", b.reach);
  p.use();
  return p;
}

void GlEmission::run(Pass pass, const Batch& b, std::int64_t plane, const Texture& from, const Texture& to) {
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

/// From the image at hand to the next, which is then at hand.
void GlEmission::step(Pass pass, const Batch& b, std::int64_t plane) {
  run(pass, b, plane, images_[0].textures().front(), images_[1].textures().front());
  std::swap(images_[0].textures(), images_[1].textures());
}

void GlEmission::project(const Batch& b) {
  if (variant_.composite == EmissionVariant::Composite::front_to_back) return step(march, b, 0);
  const bool scatters = options_.scatter_mm > 0;
  images_[0].textures().front().clear(0);
  for (std::int64_t plane = b.planes - 1; plane >= 0; --plane) {
    plan_.context->pace(updates(images_[0].textures().front(), 1));
    if (scatters) step(blur_columns, b, plane);
    step(composite, b, plane);
  }
  if (!scatters || !blurs_in_front()) return;
  step(blur_columns, b, -1);
  step(blur_rows, b, -1);
}

void GlEmission::forward(const DeviceArray& x, DeviceArray& y, const Subset& s, Write write) {
  check_volume(x);
  const Layers place = layers(y, s);
  plan_.context->make_current();
  GlArray& projections = as_gl(y);
  if (write == Write::overwrite) clear_views(projections, place, s);
  const gl::Pass timed(plan_.timings, "project emission");
  attenuates_ = true;
  for (const Batch& b : batches(place, s, batch)) {
    begin(b, &as_gl(x));
    {
      const DrawState state(DrawState::Mode::replace);
      sampler_.bind(0);
      project(b);
    }
    const Texture& target = projections.textures().front();
    add_.use();
    images_[0].textures().front().bind(2);
    target.bind_image(0, GL_READ_WRITE);
    glDispatchCompute(groups(target.width(), 32), groups(target.height(), 8), static_cast<GLuint>(b.items.size()));
    glMemoryBarrier(everything_that_reads);
  }
  glBindSampler(1, 0);
}

void GlEmission::prepare_gather(const Batch& b, const Texture& given) {
  plan_.set_axis(gather_, b.axis);
  gather_.set("view_count", whole(static_cast<std::int64_t>(b.items.size())));
  gather_.set("planes", whole(b.planes));
  gather_.set("ways", b.ways);
  gather_.use();
  glBindTextureUnit(0, given.id());
}

/// A plane's slices as quads, added by the blend unit.
void GlEmission::gather(const Batch& b, std::int64_t plane, const GlArray& volume) {
  prepare_gather(b, images_[2].textures().front());
  gather_.set("plane", whole(plane));
  framebuffer_.attach(volume.textures().front());
  framebuffer_.use();
  glEnable(GL_BLEND);  // add_back()'s DrawState says how
  const std::int64_t layers = b.axis == 2 ? 1 : plan_.grid.size[2];
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(b.ways == 3 ? 2 * layers : layers));
  glDisable(GL_BLEND);
  glMemoryBarrier(everything_that_reads);  // without it llvmpipe loses what the first plane gives (Mesa 22.3)
}

/// From spread_[0] to the image at hand.
void GlEmission::blur_back(const Batch& b, std::int64_t plane) {
  run(blur_rows_back, b, plane, spread_[0], spread_[1]);
  run(blur_columns_back, b, plane, spread_[1], images_[0].textures().front());
}

void GlEmission::back_drawn(const Batch& b, bool scatters, const GlArray& volume) {
  for (std::int64_t plane = 0; plane < b.planes; ++plane) {
    run(give, b, plane, images_[0].textures().front(), images_[2].textures().front());
    gather(b, plane, volume);
    plan_.context->pace(updates(images_[0].textures().front(), 1));
    if (plane + 1 == b.planes) break;
    if (scatters) {
      run(spread, b, plane, images_[0].textures().front(), spread_[0]);
      blur_back(b, plane);
    } else if (attenuates_) {
      step(pass_on, b, plane);
    }
  }
}

/// From the image at hand through some planes to the next image, which is then at hand, or to spread_[0].
void GlEmission::march_on(const Batch& b, std::int64_t plane, std::int64_t count) {
  const Texture &from = images_[0].textures().front(), &to = blurs_back() ? spread_[0] : images_[1].textures().front();
  Program& p = prepare(march_back, b, plane);
  p.set("count", whole(count));
  p.set("held", whole(held_));
  from.bind(2);
  given_.bind_image(0, GL_WRITE_ONLY);
  to.bind_image(1, GL_WRITE_ONLY);
  glDispatchCompute(groups(to.width(), 32), groups(to.height(), 8), static_cast<GLuint>(b.items.size()));
  glMemoryBarrier(everything_that_reads);
  if (!blurs_back()) std::swap(images_[0].textures(), images_[1].textures());
}

void GlEmission::back_computed(const Batch& b, bool scatters, const GlArray& volume) {
  held_ = std::min(b.planes, given_.depth() / static_cast<std::int64_t>(b.items.size()));
  for (std::int64_t first = 0; first < b.planes; first += held_) {
    const std::int64_t count = std::min(held_, b.planes - first);
    if (!scatters) march_on(b, first, count);
    for (std::int64_t plane = first; scatters && plane < first + count; ++plane) {
      march_on(b, plane, 1);
      if (plane + 1 < b.planes) blur_back(b, plane);
    }
    gather_held(b, first, count, volume);
  }
}

void GlEmission::gather_held(const Batch& b, std::int64_t first, std::int64_t count, const GlArray& volume) {
  prepare_gather(b, given_);
  gather_.set("held", whole(held_));
  const Texture& target = volume.textures().front();
  target.bind_image(0, GL_READ_WRITE);
  std::array size{target.width(), target.height(), target.depth()};
  if (!facing()) size[b.axis] = count;
  for (int way = 0; way < (facing() ? 1 : 2); ++way) {
    if (!facing()) {
      if ((b.ways & 1 << way) == 0) continue;
      gather_.set("way", way);
      gather_.set("first", whole(way == 0 ? b.planes - first - count : first));
      gather_.set("count", whole(count));
    }
    glDispatchCompute(groups(size[0], 16), groups(size[1], 8), static_cast<GLuint>(size[2]));
    glMemoryBarrier(everything_that_reads);
  }
  plan_.context->pace(static_cast<double>(size[0] * size[1] * size[2] * static_cast<std::int64_t>(b.items.size())));
}

void GlEmission::add_back(const GlArray& y, Layers place, const Subset& s, GlArray& x, Write write) {
  plan_.context->make_current();
  if (write == Write::overwrite) x.textures().front().clear(0);
  const gl::Pass timed(plan_.timings, "backproject emission");
  attenuates_ = options_.back != EmissionOptions::Back::plain;
  const bool scatters = blurs_back();
  const DrawState state(DrawState::Mode::replace);
  make_spread();
  for (const Batch& b : batches(place, s, gathers_all() ? make_given() : batch)) {
    begin(b, nullptr);
    run(load, b, 0, y.textures().front(), images_[0].textures().front());
    if (scatters && blurs_in_front()) {
      run(spread, b, -1, images_[0].textures().front(), spread_[0]);
      blur_back(b, -1);
    }
    if (gathers_all())
      back_computed(b, scatters, x);
    else
      back_drawn(b, scatters, x);
  }
  glBindSampler(1, 0);
}

/// How many views given_ holds planes of: all planes, but a few of many views where planes are blurred one by one.
std::int64_t GlEmission::make_given() {
  const ArrayShape& image = images_[0].shape();
  const std::int64_t planes = std::ranges::max(planes_, {}, &PlaneStack::count).count;
  const std::int64_t most = std::min(plan_.context->limits().array_layers, most_given / (image.n0 * image.n1));
  const bool all_planes = facing() || !blurs_back();
  const std::int64_t views = std::clamp<std::int64_t>(all_planes ? most / planes : most, 1, image.n2);
  const std::int64_t held = facing() ? planes : std::clamp<std::int64_t>(most / views, 1, planes);
  if (!given_) given_ = Texture("given to planes", GL_TEXTURE_2D_ARRAY, GL_R32F, image.n0, image.n1, views * held);
  return views;
}

void GlEmission::make_spread() {
  if (!blurs_back() || spread_[0]) return;
  const Texture& image = images_[0].textures().front();
  for (Texture& t : spread_)
    t = Texture("spread", GL_TEXTURE_2D_ARRAY, GL_RG32F, image.width(), image.height(), image.depth());
}

}  // namespace backlit::gl
