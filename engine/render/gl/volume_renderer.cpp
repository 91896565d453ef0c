#include "render/gl/volume_renderer.hpp"

#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/render/lighting.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/draw_state.hpp"

namespace backlit::gl {
namespace {

using Tile = GlDisplayVolume::Tile;
using Vec4 = std::array<float, 4>;

/// The std140 layout of VolumeBlock in shaders/render/volume.glsl.
struct RenderBlock {
  Vec4 box_low, box_high, tile_low, tile_high, to_texels, texel_offset, per_texel;
  std::array<Vec4, VolumeRenderOptions::max_clips> planes;
  std::array<std::int32_t, 4> last_brick;
  Vec4 marching;
  std::array<std::int32_t, 4> switches;
  Vec4 lighting, light_cells, per_box;
};

Vec4 vec4(const Vec3& v, double w = 0) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), static_cast<float>(w)};
}

Vec3 vec3(const Size3& s) { return Vec3(s[0], s[1], s[2]); }

std::int32_t last(std::int64_t n) { return static_cast<std::int32_t>(n - 1); }

void set_light(RenderBlock& b, const VolumeGrid& grid, const VolumeRenderOptions& options, double range, double voxel) {
  const bool field = options.has_light_field(), dvr = options.mode == VolumeMode::dvr;
  b.lighting = vec4({dvr ? options.gradient_opacity : 0, field ? options.shadows : 0, field ? options.occlusion : 0},
                    full_opacity_gradient * range / voxel);
  const VolumeGrid cells = light_grid(grid, options.light_cells);
  const Vec3& side = cells.spacing;
  b.light_cells = vec4(side, std::max({side.x, side.y, side.z}));
  b.per_box = vec4(1.0 / (grid.upper() - grid.lower()), solid_extinction(cells));
}

/// Sets the members that are the same for all tiles.
RenderBlock block_of(const VolumeGrid& grid, const VolumeRenderOptions& options, const Classifier& classifier) {
  RenderBlock b{};
  b.box_low = vec4(glm::max(grid.lower(), options.crop_low) - grid.center);
  b.box_high = vec4(glm::min(grid.upper(), options.crop_high) - grid.center);
  b.to_texels = vec4(1.0 / grid.spacing);
  for (std::size_t i = 0; i < options.clips.size(); ++i) {
    const Vec3 n = glm::normalize(options.clips[i].normal);
    b.planes[i] = vec4(n, glm::dot(n, options.clips[i].point - grid.center));
  }
  b.last_brick[3] = static_cast<std::int32_t>(options.clips.size());
  const double step = largest_step(options, grid);
  const double range = classifier.high() - classifier.low(), voxel = step / options.step;
  const double full_gradient = full_light_gradient * range / voxel;
  b.marching = vec4({step, options.iso, options.opaque}, full_gradient);
  b.switches = {0, options.jitter, options.skip_empty, options.shaded};
  set_light(b, grid, options, range, voxel);
  return b;
}

void set_tile(RenderBlock& b, const VolumeGrid& grid, const Tile& tile, bool first) {
  constexpr double beyond = 1e30;
  const Vec3 corner = grid.lower() - grid.center;  // in mm, of voxel 0
  Vec3 low = corner + grid.spacing * vec3(tile.first), high = low + grid.spacing * vec3(tile.size);
  for (std::size_t a = 0; a < 3; ++a) {  // rounding must not cut off the volume's own faces
    if (tile.first[a] == 0) low[static_cast<int>(a)] = -beyond;
    if (tile.first[a] + tile.size[a] == grid.size[a]) high[static_cast<int>(a)] = beyond;
  }
  b.tile_low = vec4(low);
  b.tile_high = vec4(high);
  b.texel_offset = vec4((grid.center - grid.first_voxel()) / grid.spacing - vec3(tile.origin));
  const Texture &v = tile.values, &bricks = tile.bricks;
  b.per_texel = vec4(1.0 / Vec3(v.width(), v.height(), v.depth()));
  b.last_brick = {last(bricks.width()), last(bricks.height()), last(bricks.depth()), b.last_brick[3]};
  b.switches[0] = first;
}

/// Order of the tiles such that nearer ones come first along every ray: by their distance in voxels from the eye,
/// summed over the axes.
std::vector<std::size_t> front_to_back(const std::vector<Tile>& tiles, const VolumeGrid& grid, const CameraRays& rays) {
  const auto distance = [&](const Tile& tile) {
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
      const auto i = static_cast<std::size_t>(a);
      const double low = static_cast<double>(tile.first[i]), high = low + static_cast<double>(tile.size[i]);
      const double eye = (rays.origin[a] - grid.lower()[a]) / grid.spacing[a];
      if (rays.endless)
        sum += rays.direction[a] > 0 ? low : -high;
      else
        sum += eye < low ? low - eye : std::max(0.0, eye - high);
    }
    return sum;
  };
  std::vector<std::size_t> order(tiles.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return distance(tiles[a]) < distance(tiles[b]); });
  return order;
}

}  // namespace

VolumeRenderer::VolumeRenderer(std::shared_ptr<Context> context, RenderPath path)
    : context_(std::move(context)),
      path_(path),
      camera_("volume camera"),
      block_("volume rendering", sizeof(RenderBlock)),
      linear_("volume", GL_LINEAR, GL_CLAMP_TO_EDGE),
      transfer_("transfer function"),
      finisher_(context_),
      nothing_("pixels without a target"),
      no_vertices_("no vertices") {}

Program& VolumeRenderer::program(VolumeMode mode, bool tiled) {
  const auto m = static_cast<std::size_t>(mode);
  Program& p = programs_[m][tiled];
  if (p) return p;
  const Defines defines{
      {"MODE", std::to_string(m)}, {"TILED", tiled ? "1" : "0"}, {"BRICK", std::to_string(brick_size)}};
  const std::string label = "volume " + volume_mode_names()[m];
  if (path_ == RenderPath::compute)
    p = Program(label, {"render/volume.comp"}, defines);
  else
    p = Program(label, {"render/picture.vert", "render/volume.frag"}, defines);
  p.set("bisections", bisections);
  p.set("shadow_light", static_cast<float>(shadow_light));
  p.set("least_light", static_cast<float>(least_light));
  return p;
}

void VolumeRenderer::render(const GlDisplayVolume::Front& front, const CameraRays& rays,
                            const VolumeRenderOptions& options, const Classifier& classifier) {
  context_->make_current();
  if (found_.width() != rays.width || found_.height() != rays.height) found_ = make_found(rays.width, rays.height);
  render(front, rays, options, classifier, found_);
}

void VolumeRenderer::render(const GlDisplayVolume::Front& front, const CameraRays& rays,
                            const VolumeRenderOptions& options, const Classifier& classifier, const Texture& found) {
  options.check();
  if (!front.tiles) throw InputError("rendering", "no volume has been published", "publish one first");
  context_->make_current();
  front.ready->wait_on_device();
  kind_ = picture_kind(options.mode);
  if (options.mode == VolumeMode::dvr && !(classifier == classifier_)) {
    transfer_.write(classifier);
    classifier_ = classifier;
  }
  const bool leaping = options.skip_empty && options.mode != VolumeMode::mip;
  if (leaping) skipping_.update(front, options, classifier);
  camera_.write(rays, front.grid.center);

  if (options.has_light_field()) make_light(front, rays, options, classifier);
  const bool tiled = front.tiles->size() > 1;
  Program& p = program(options.mode, tiled);
  camera_.bind();
  block_.bind_uniform(1);
  linear_.bind(0);
  if (options.mode == VolumeMode::dvr) transfer_.bind(p);
  if (options.has_light_field()) light_.bind();
  found.bind_image(0, GL_READ_WRITE);
  p.use();
  RenderBlock block = block_of(front.grid, options, classifier);
  bool first = true;
  for (const std::size_t i : front_to_back(*front.tiles, front.grid, rays)) {
    const Tile& tile = (*front.tiles)[i];
    set_tile(block, front.grid, tile, first);
    block_.write(std::as_bytes(std::span(&block, 1)));
    tile.values.bind(0);
    tile.bricks.bind(3);
    if (leaping) skipping_.leaps(i).bind(1);
    draw(found);
    first = false;
  }
  transfer_.unbind();
  for (const GLuint unit : {0u, 4u, 5u}) glBindSampler(unit, 0);
}

void VolumeRenderer::make_light(const GlDisplayVolume::Front& front, const CameraRays& rays,
                                const VolumeRenderOptions& options, const Classifier& classifier) {
  if (light_.takes(LightVolume::subject_of(front, options, classifier))) {
    const bool dvr = options.mode == VolumeMode::dvr;
    Program& p = extinction_[dvr];
    if (!p) p = Program("extinction", {"render/extinction.comp"}, {{"MODE", dvr ? "4" : "3"}});
    if (dvr) transfer_.bind(p);
    block_.bind_uniform(1);
    linear_.bind(0);
    RenderBlock block = block_of(front.grid, options, classifier);
    for (const Tile& tile : *front.tiles) {
      set_tile(block, front.grid, tile, false);
      block_.write(std::as_bytes(std::span(&block, 1)));
      tile.values.bind(0);
      p.use();
      light_.fill();
    }
  }
  light_.light(options, light_grid(front.grid, options.light_cells), light_of(rays));
}

void VolumeRenderer::draw(const Texture& found) {
  if (path_ == RenderPath::compute) {
    glDispatchCompute(groups(found.width(), 8), groups(found.height(), 8), 1);
  } else {
    const DrawState state(DrawState::Mode::replace);
    linear_.bind(0);
    nothing_.use_without_target(found.width(), found.height());
    glBindVertexArray(no_vertices_.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
}

void VolumeRenderer::show(const Finish& finish, const Texture& shown) {
  if (!found_) throw InputError("rendering", "there is no picture to show", "render one first");
  finisher_.run(found_, kind_, camera_, finish, shown);
}

}  // namespace backlit::gl
