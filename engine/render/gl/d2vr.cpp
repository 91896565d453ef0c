#include "render/gl/d2vr.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/draw_state.hpp"
#include "gl/variant_text.hpp"

namespace backlit::gl {
namespace {

constexpr std::array draws{"compute", "fragment"};
constexpr std::int64_t first_views = 32;     // views of the coarsest refinement, at least
constexpr float mip_tolerance = 1 / 512.0f;  // of the largest value: half of what a screen shows
const Vec3 reference(0);                     // origin of the camera's millimetres: the views' own origin

std::int64_t number(const std::string& key, const std::string& value, std::int64_t least, std::int64_t most) {
  std::int64_t n = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, n);
  if (error != std::errc() || stop != end || n < least || n > most)
    throw InputError("variant", fmt::format("{} '{}'", key, value), fmt::format("give {} to {}", least, most));
  return n;
}

void set_planes(Program& p, const std::vector<RenderPlane>& clips) {
  p.set("plane_count", static_cast<int>(clips.size()));
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const Vec3 n = glm::normalize(clips[i].normal);
    p.set(fmt::format("planes[{}]", i).c_str(), static_cast<float>(n.x), static_cast<float>(n.y),
          static_cast<float>(n.z), static_cast<float>(glm::dot(n, clips[i].point - reference)));
  }
}

/// In these modes visibility depends on the value alone, so it can be known for a whole cell.
bool by_light(VolumeMode mode) { return mode == VolumeMode::iso || mode == VolumeMode::dvr; }

std::int64_t cells_for(const VolumeGrid& region, std::int64_t asked) {
  if (asked > 0) return asked;
  const Vec3 extent = region.upper() - region.lower();
  const double spacing = std::min({region.spacing.x, region.spacing.y, region.spacing.z});
  return std::clamp<std::int64_t>(std::llround(std::max({extent.x, extent.y, extent.z}) / (3 * spacing)), 8, 192);
}

}  // namespace

std::string D2vrVariant::name() const {
  return fmt::format("draw={},table={},samples={},cells={},reach={}", draws[static_cast<std::size_t>(draw)],
                     view_table_names[static_cast<std::size_t>(table)], samples, cells, reach);
}

D2vrVariant D2vrVariant::parse(const std::string& text) {
  D2vrVariant v;
  for_items(text, [&](const std::string& key, const std::string& value) {
    if (key == "draw")
      v.draw = find_value<Draw>(draws, key, value);
    else if (key == "table")
      v.table = find_value<ViewTableIn>(view_table_names, key, value);
    else if (key == "samples")
      v.samples = number(key, value, 2, 8);
    else if (key == "cells")
      v.cells = number(key, value, 0, 512);
    else if (key == "reach")
      v.reach = number(key, value, 0, 1);
    else
      throw InputError("variant", fmt::format("unknown key '{}'", key),
                       "there are draw, table, samples, cells and reach");
  });
  return v;
}

D2vr::D2vr(GlBackend& backend, const ResidentViews& views, const VolumeGrid& region, const D2vrVariant& variant)
    : backend_(backend),
      views_(views),
      region_(region),
      variant_(variant),
      coarse_(backend, views, region, cells_for(region, variant.cells), variant.reach),
      camera_("d2vr camera"),
      transfer_("d2vr transfer function"),
      nearest_("d2vr leaps", GL_NEAREST),
      framebuffer_("d2vr"),
      no_vertices_("no vertices") {
  variant_.cells = cells_for(region, variant.cells);
  variant_.table = views.place_of_table(variant.table);
}

Program& D2vr::program(VolumeMode mode) {
  Program& p = programs_[static_cast<std::size_t>(mode)];
  if (p) return p;
  Defines defines = views_.defines(variant_.table);
  const Choices choices = views_.choices(variant_.table, source_inside_);
  defines.emplace_back("MODE", std::to_string(static_cast<int>(mode)));
  defines.emplace_back("SAMPLES", std::to_string(variant_.samples));
  if (variant_.draw == D2vrVariant::Draw::compute)
    p = Program("d2vr", {"d2vr/rays.comp"}, defines, choices);
  else
    p = Program("d2vr", {"shared/screen.vert", "d2vr/rays.frag"}, defines, choices);
  return p;
}

void D2vr::prepare(const CameraRays& rays, const VolumeRenderOptions& options, const Classifier& classifier) {
  options.check();
  backend_.context().make_current();
  if (generation_ != views_.generation()) {
    const bool inside = views_.source_inside(region_);
    if (inside != source_inside_) programs_ = {};
    source_inside_ = inside;
    generation_ = views_.generation();
  }
  options_ = options;
  width_ = rays.width;
  height_ = rays.height;
  coarse_.update(options, classifier);
  camera_.write(rays, reference);
  if (options.mode != VolumeMode::dvr) return;
  if (!classifier_ || !(*classifier_ == classifier)) transfer_.write(classifier);
  classifier_ = classifier;
  const double voxel = std::min({region_.spacing.x, region_.spacing.y, region_.spacing.z});
  light_gradient_ = full_light_gradient * (classifier.high() - classifier.low()) / voxel;
}

void D2vr::draw(const Texture& found, std::int64_t first_row, std::int64_t rows, std::int64_t stride) {
  if (found.width() != width_ || found.height() != height_)
    throw Failure("d2vr", "the target has another size than the camera's picture");
  const Pass pass(backend_.timings(), "d2vr");
  Program& p = program(options_.mode);
  const bool sums = options_.mode == VolumeMode::drr || options_.mode == VolumeMode::average;
  views_.set_uniforms(p, stride);
  p.set("box_low", glm::max(region_.lower(), options_.crop_low));
  p.set("box_high", glm::min(region_.upper(), options_.crop_high));
  set_planes(p, options_.clips);
  p.set("cells_low", region_.lower());
  p.set("to_cells", coarse_.per_mm());
  p.set("marching", static_cast<float>(largest_step(options_, region_)), static_cast<float>(options_.iso),
        static_cast<float>(options_.opaque), static_cast<float>(light_gradient_));
  p.set("jitter", options_.jitter ? 1 : 0);
  p.set("skip", options_.skip_empty && !sums ? 1 : 0);
  p.set("shaded", options_.shaded ? 1 : 0);
  p.set("tolerance", views_.options().precision == Precision::exact ? 0.0f : mip_tolerance);
  p.set("slope_step", static_cast<float>(0.5 * region_.spacing.x));
  p.set("first_row", static_cast<int>(first_row));
  camera_.bind();
  coarse_.bind_largest();
  views_.bind();
  if (options_.mode == VolumeMode::dvr) transfer_.bind(p);
  coarse_.ranges().bind(3);
  nearest_.bind(4);
  if (by_light(options_.mode)) coarse_.leaps().bind(4);
  p.use();
  if (variant_.draw == D2vrVariant::Draw::compute) {
    found.bind_image(0, GL_WRITE_ONLY);
    glDispatchCompute(groups(width_, 8), groups(rows, 8), 1);
  } else {
    const DrawState state(DrawState::Mode::replace);
    views_.bind();
    framebuffer_.attach(found);
    framebuffer_.use();
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, static_cast<GLint>(first_row), static_cast<GLsizei>(width_), static_cast<GLsizei>(rows));
    glBindVertexArray(no_vertices_.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_SCISSOR_TEST);
  }
  glMemoryBarrier(everything_that_reads);
  transfer_.unbind();
  for (GLuint unit : {0u, 1u, 4u}) glBindSampler(unit, 0);
}

void D2vr::render(const CameraRays& rays, const VolumeRenderOptions& options, const Classifier& classifier,
                  const Texture& found, std::int64_t stride) {
  prepare(rays, options, classifier);
  draw(found, 0, height_, stride);
  finished_ = true;
  stride_ = stride;
}

void D2vr::begin(const CameraRays& rays, const VolumeRenderOptions& options, const Classifier& classifier) {
  prepare(rays, options, classifier);
  stride_ = 1;
  while (views_.count() / (2 * stride_) >= first_views) stride_ *= 2;
  row_ = 0;
  finished_ = false;
}

bool D2vr::step(const Texture& found, std::int64_t rows) {
  if (finished_) return false;
  backend_.context().make_current();
  if (row_ == height_) {
    stride_ /= 2;
    row_ = 0;
  }
  const std::int64_t count = rows > 0 ? std::min(rows, height_ - row_) : height_ - row_;
  draw(found, row_, count, stride_);
  row_ += count;
  finished_ = row_ == height_ && stride_ == 1;
  return true;
}

double D2vr::refinement() const {
  const std::int64_t used = (views_.count() + stride_ - 1) / stride_;
  return static_cast<double>(used) / static_cast<double>(views_.count());
}

}  // namespace backlit::gl
