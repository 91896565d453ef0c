#include "render/gl/slicer.hpp"

#include <charconv>

#include "backend/gl/dispatch.hpp"
#include "backend/gl/draw_state.hpp"
#include "backend/gl/variant_text.hpp"
#include "core/error.hpp"

namespace backlit::gl {
namespace {

constexpr std::array draws{"compute", "fragment"};
constexpr std::int64_t most_pixels = 8;

void set(Program& p, const char* name, const Vec3& v) {
  p.set(name, static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z));
}

void set_plane(Program& p, const CutPlane& plane, const Texture& target) {
  plane.check("slice");
  if (target.width() != plane.width || target.height() != plane.height)
    throw Failure("slice", "the target has another size than the plane");
  set(p, "corner", plane.point(0, 0));
  set(p, "right", plane.pixel * plane.right);
  set(p, "down", -plane.pixel * plane.up);
}

void dispatch(Program& p, const Texture& target, std::int64_t pixels) {
  p.use();
  target.bind_image(0, GL_WRITE_ONLY);
  glDispatchCompute(groups(target.width(), 8), groups(target.height(), 8 * pixels), 1);
  glMemoryBarrier(everything_that_reads);
}

}  // namespace

std::string SliceVariant::name() const {
  std::string text = fmt::format("draw={},table={}", draws[static_cast<std::size_t>(draw)],
                                 view_table_names[static_cast<std::size_t>(table)]);
  if (draw == Draw::compute) text += fmt::format(",pixels={}", pixels);
  return text;
}

SliceVariant SliceVariant::parse(const std::string& text) {
  SliceVariant v;
  for_items(text, [&](const std::string& key, const std::string& value) {
    if (key == "draw") {
      v.draw = find_value<Draw>(draws, key, value);
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
    program_ = Program("slice from views", {"d2vr/cut.comp"}, defines);
  } else {
    program_ = Program("slice from views", {"shared/screen.vert", "d2vr/cut.frag"}, defines);
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
  program_ = Program("slice from volume", {"d2vr/cut.comp"}, {{"FROM_VOLUME", ""}, {"SAMPLES", "1"}});
  sampler_ = Sampler("volume", GL_LINEAR);
}

void VolumeSlicer::render(const GlDisplayVolume::Front& volume, const CutPlane& plane, const Texture& target) {
  if (!volume.values) throw Failure("slice", "there is no volume yet");
  backend_.context().make_current();
  const Pass pass(backend_.timings(), "slice from volume");
  const Vec3 extent = volume.grid.upper() - volume.grid.lower();
  set_plane(program_, plane, target);
  set(program_, "texture_scale", 1.0 / extent);
  set(program_, "texture_offset", -volume.grid.lower() / extent);
  volume.ready->wait_on_device();
  volume.values->bind(0);
  sampler_.bind(0);
  dispatch(program_, target, 1);
  glBindSampler(0, 0);
}

}  // namespace backlit::gl
