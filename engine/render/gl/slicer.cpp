#include "render/gl/slicer.hpp"

#include <charconv>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/draw_state.hpp"
#include "gl/variant_text.hpp"

namespace backlit::gl {
namespace {

constexpr std::array slice_draws{"compute", "fragment"};
constexpr std::int64_t most_pixels = 8;

void set_plane(Program& p, const CutPlane& plane, const Texture& target) {
  plane.check("slice");
  if (target.width() != plane.width || target.height() != plane.height)
    throw Failure("slice", "the target has another size than the plane");
  p.set("corner", plane.point(0, 0));
  p.set("right", plane.pixel * plane.right);
  p.set("down", -plane.pixel * plane.up);
}

constexpr float nothing_yet = 3e38f;  ///< shaders/d2vr/cut_slab.comp has the same

void set_slab(Program& p, const Slab& slab, const CutPlane& plane, const VolumeGrid& grid) {
  constexpr double most = 512;
  const double voxel = std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  const double samples = std::clamp(std::ceil(2 * slab.thickness / voxel), 1.0, most);
  const Vec3 step = slab.thickness / samples * plane.normal();
  p.set("across", step);
  p.set("first", -0.5 * (samples - 1) * step);
  p.set("box_low", grid.lower());
  p.set("box_high", grid.upper());
  p.set("samples", static_cast<int>(samples));
  p.set("show", static_cast<int>(slab.show));
}

void dispatch(Program& p, const Texture& target, std::int64_t pixels) {
  p.use();
  target.bind_image(0, GL_WRITE_ONLY);
  glDispatchCompute(groups(target.width(), 8), groups(target.height(), 8 * pixels), 1);
  glMemoryBarrier(everything_that_reads);
}

}  // namespace

std::string SliceVariant::name() const {
  std::string text = fmt::format("draw={},table={}", slice_draws[static_cast<std::size_t>(draw)],
                                 view_table_names[static_cast<std::size_t>(table)]);
  if (draw == Draw::compute) text += fmt::format(",pixels={}", pixels);
  return text;
}

SliceVariant SliceVariant::parse(const std::string& text) {
  SliceVariant v;
  for_items(text, [&](const std::string& key, const std::string& value) {
    if (key == "draw") {
      v.draw = find_value<Draw>(slice_draws, key, value);
    } else if (key == "table") {
      v.table = find_value<ViewTableIn>(view_table_names, key, value);
    } else if (key == "pixels") {
      const char* end = value.data() + value.size();
      const auto [stop, error] = std::from_chars(value.data(), end, v.pixels);
      if (error != std::errc() || stop != end || v.pixels < 1 || v.pixels > most_pixels)
        throw InputError("variant", fmt::format("'{}' pixels an invocation", value), "give 1 to 8");
    } else {
      throw InputError("variant", fmt::format("unknown key '{}'", key), "there are draw, table and pixels");
    }
  });
  return v;
}

ViewSlicer::ViewSlicer(GlBackend& backend, const ResidentViews& views, const SliceVariant& variant)
    : backend_(backend), views_(views), variant_(variant) {
  backend.context().make_current();
  variant_.table = views.place_of_table(variant.table);
  Defines defines = views.defines(variant_.table);
  if (variant.draw == SliceVariant::Draw::compute) {
    defines.emplace_back("SAMPLES", std::to_string(variant.pixels));
    program_ = Program("slice from views", {"d2vr/cut.comp"}, defines, views.choices(variant_.table));
  } else {
    program_ =
        Program("slice from views", {"shared/screen.vert", "d2vr/cut.frag"}, defines, views.choices(variant_.table));
    framebuffer_ = Framebuffer("slice");
    no_vertices_ = VertexArray("no vertices");
  }
}

void ViewSlicer::render(const CutPlane& plane, const Texture& target, std::int64_t stride) {
  backend_.context().make_current();
  const Pass pass(backend_.timings(), "slice from views");
  set_plane(program_, plane, target);
  views_.set_uniforms(program_, stride);
  views_.bind();
  if (variant_.draw == SliceVariant::Draw::compute) {
    dispatch(program_, target, variant_.pixels);
  } else {
    const DrawState state(DrawState::Mode::replace);
    framebuffer_.attach(target);
    framebuffer_.use();
    program_.use();
    glBindVertexArray(no_vertices_.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  glBindSampler(0, 0);
  glBindSampler(1, 0);
}

VolumeSlicer::VolumeSlicer(GlBackend& backend) : backend_(backend) {
  backend.context().make_current();
  program_ = Program("slice from volume", {"d2vr/cut_volume.comp"});
  slab_program_ = Program("slab of volume", {"d2vr/cut_slab.comp"});
  sampler_ = Sampler("volume", GL_LINEAR);
  nearest_ = Sampler("volume", GL_NEAREST);
}

void VolumeSlicer::render(const GlDisplayVolume::Front& volume, const CutPlane& plane, const Texture& target,
                          const Slab& slab, bool smooth) {
  if (!volume.tiles) throw Failure("slice", "there is no volume yet");
  backend_.context().make_current();
  const Pass pass(backend_.timings(), "slice from volume");
  const bool thick = slab.thickness > 0;
  Program& program = thick ? slab_program_ : program_;
  set_plane(program, plane, target);
  if (thick) set_slab(program, slab, plane, volume.grid);
  volume.ready->wait_on_device();
  (smooth || thick ? sampler_ : nearest_).bind(0);
  const float outside = thick ? nothing_yet : 0;
  glClearTexImage(target.id(), 0, GL_RED, GL_FLOAT, &outside);
  glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
  for (const GlDisplayVolume::Tile& tile : *volume.tiles) {
    constexpr double overlap = 0.01;  // voxels; both tiles hold the same values there, so that rounding leaves no seam
    const VolumeGrid& grid = volume.grid;
    const Vec3 origin(tile.origin[0], tile.origin[1], tile.origin[2]),
        first(tile.first[0], tile.first[1], tile.first[2]);
    const Vec3 size(tile.size[0], tile.size[1], tile.size[2]);
    const Vec3 texels(tile.values.width(), tile.values.height(), tile.values.depth());
    const Vec3 low = grid.lower() + origin * grid.spacing, extent = texels * grid.spacing;
    program.set("texture_scale", 1.0 / extent);
    program.set("texture_offset", -low / extent);
    program.set("own_low", glm::max(Vec3(0), (first - origin - overlap) / texels));
    program.set("own_high", glm::min(Vec3(1), (first - origin + size + overlap) / texels));
    if (thick) program.set("last", &tile == &volume.tiles->back() ? 1 : 0);
    tile.values.bind(0);
    dispatch(program, target, 1);
  }
  glBindSampler(0, 0);
}

}  // namespace backlit::gl
