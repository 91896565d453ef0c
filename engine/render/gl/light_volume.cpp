#include "render/gl/light_volume.hpp"

#include <algorithm>

#include "device/gl/dispatch.hpp"

namespace backlit::gl {

LightVolume::Subject LightVolume::subject_of(const GlDisplayVolume::Front& front, const VolumeRenderOptions& o,
                                             const Classifier& classifier) {
  Subject s{front.tiles, front.generation, o.mode, 0, 0, {}, o.crop_low, o.crop_high, {}, {}};
  if (o.mode == VolumeMode::iso) s.iso = o.iso;
  if (o.mode == VolumeMode::dvr) {
    s.classifier = classifier;
    s.gradient_opacity = o.gradient_opacity;
  }
  for (const RenderPlane& p : o.clips) s.clips.insert(s.clips.end(), {p.point, p.normal});
  s.cells = light_grid(front.grid, o.light_cells).size;
  return s;
}

bool LightVolume::takes(const Subject& subject) {
  if (subject == subject_) return false;
  if (subject.cells != subject_.cells) {
    const auto [x, y, z] = subject.cells;
    for (Texture* t : {&extinction_, &direct_, &ambient_}) *t = Texture("light", GL_TEXTURE_3D, GL_R32F, x, y, z);
    const std::int64_t side = std::max({x, y, z});
    for (Texture& t : slices_) t = Texture("slice of light", GL_TEXTURE_2D, GL_R32F, side, side);
  }
  if (!program_) {
    program_ = Program("light", {"render/light.comp"});
    linear_ = Sampler("light", GL_LINEAR, GL_CLAMP_TO_EDGE);
  }
  subject_ = subject;
  has_ambient_ = false;
  to_light_ = Vec3(0);
  return true;
}

void LightVolume::fill() const {
  extinction_.bind_image(0, GL_WRITE_ONLY);
  glDispatchCompute(groups(extinction_.width(), 4), groups(extinction_.height(), 4), groups(extinction_.depth(), 4));
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

void LightVolume::sweep(const LightSweep& s, float weight, const Texture& light) {
  const Size3& size = subject_.cells;
  const auto a = static_cast<std::size_t>(s.axis), b = (a + 1) % 3, c = (a + 2) % 3;
  program_.set("axis", s.axis);
  program_.set("path", static_cast<float>(s.path), static_cast<float>(s.anew), static_cast<float>(s.spread), weight);
  program_.set("shift", static_cast<float>(s.shift[0]), static_cast<float>(s.shift[1]));
  light.bind_image(0, GL_READ_WRITE);
  for (std::int64_t i = 0; i < size[a]; ++i) {
    program_.set("slice", static_cast<int>(s.from_upper ? size[a] - 1 - i : i));
    program_.set("first", i == 0 ? 1 : 0);
    slices_[static_cast<std::size_t>(i % 2)].bind_image(1, GL_READ_ONLY);
    slices_[static_cast<std::size_t>(1 - i % 2)].bind_image(2, GL_WRITE_ONLY);
    glDispatchCompute(groups(size[b], 8), groups(size[c], 8), 1);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
  }
}

void LightVolume::light(const VolumeRenderOptions& options, const VolumeGrid& cells, const Vec3& to_light) {
  program_.use();
  extinction_.bind(0);
  glBindSampler(0, 0);
  if (options.occlusion > 0 && !has_ambient_) {
    ambient_.clear(0);
    for (const LightSweep& s : occlusion_sweeps(cells)) sweep(s, 1.0f / 6, ambient_);
    has_ambient_ = true;
  }
  if (options.shadows > 0 && to_light != to_light_) {
    direct_.clear(0);
    sweep(shadow_sweep(cells, to_light), 1, direct_);
    to_light_ = to_light;
  }
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

void LightVolume::bind() const {
  direct_.bind(4);
  ambient_.bind(5);
  linear_.bind(4);
  linear_.bind(5);
}

}  // namespace backlit::gl
