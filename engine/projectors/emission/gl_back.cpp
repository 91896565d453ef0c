// The transpose of emission: from the near plane to the far one, each plane gets its share of the image. Then voxels
// gather from the planes.
#include <algorithm>
#include <array>

#include "device/gl/dispatch.hpp"
#include "device/gl/draw_state.hpp"
#include "projectors/emission/gl_passes.hpp"
#include "projectors/emission/make_plane_stack.hpp"

namespace backlit::gl {

void EmissionPasses::prepare_gather(const Batch& b, const Texture& shares) {
  plan_.set_axis(gather_, b.axis);
  gather_.set("view_count", whole(static_cast<std::int64_t>(b.items.size())));
  gather_.set("planes", whole(b.planes));
  gather_.set("directions", b.directions);
  gather_.use();
  glBindTextureUnit(0, shares.id());
}

/// Draws a plane's slices as quads; the blend unit adds them.
void EmissionPasses::gather(const Batch& b, std::int64_t plane, const std::vector<Texture>& volume) {
  prepare_gather(b, images_[2].textures().front());
  gather_.set("plane", whole(plane));
  glEnable(GL_BLEND);  // the DrawState of back() set the blend function
  std::int64_t first_z = 0;
  for (const Texture& t : volume) {
    const std::int64_t layers = b.axis == 2 ? 1 : t.depth();
    gather_.set("first_z", whole(first_z));
    gather_.set("volume_layers", whole(layers));
    framebuffer_.attach(t);
    framebuffer_.use();
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(b.directions == 3 ? 2 * layers : layers));
    first_z += t.depth();
  }
  glDisable(GL_BLEND);
  glMemoryBarrier(everything_that_reads);  // without it llvmpipe loses the first plane's values (Mesa 22.3)
}

/// Blurs spread_[0] into the present image.
void EmissionPasses::blur_back(const Batch& b, std::int64_t plane) {
  run(blur_rows_back, b, plane, spread_[0], spread_[1]);
  run(blur_columns_back, b, plane, spread_[1], image());
}

void EmissionPasses::back_drawn(const Batch& b, bool scatters, const std::vector<Texture>& volume) {
  for (std::int64_t plane = 0; plane < b.planes; ++plane) {
    run(share, b, plane, image(), images_[2].textures().front());
    gather(b, plane, volume);
    plan_.context->pace(updates(image(), 1));
    if (plane + 1 == b.planes) break;
    if (scatters) {
      run(spread, b, plane, image(), spread_[0]);
      blur_back(b, plane);
    } else if (attenuates_) {
      step(attenuate, b, plane);
    }
  }
}

/// Passes the present image through some planes to the next image, which becomes the present one, or to spread_[0].
void EmissionPasses::march_on(const Batch& b, std::int64_t plane, std::int64_t count) {
  const Texture &from = image(), &to = blurs_back() ? spread_[0] : images_[1].textures().front();
  Program& p = prepare(march_back, b, plane);
  p.set("count", whole(count));
  p.set("held", whole(held_));
  from.bind(2);
  shares_.bind_image(0, GL_WRITE_ONLY);
  to.bind_image(1, GL_WRITE_ONLY);
  glDispatchCompute(groups(to.width(), 32), groups(to.height(), 8), static_cast<GLuint>(b.items.size()));
  glMemoryBarrier(everything_that_reads);
  if (!blurs_back()) std::swap(images_[0].textures(), images_[1].textures());
}

void EmissionPasses::march_planes(const Batch& b, std::int64_t first, std::int64_t count, bool scatters) {
  if (!scatters) return march_on(b, first, count);
  for (std::int64_t plane = first; plane < first + count; ++plane) {
    march_on(b, plane, 1);
    if (plane + 1 < b.planes) blur_back(b, plane);
  }
}

void EmissionPasses::back_computed(const Batch& b, bool scatters, const std::vector<Texture>& volume) {
  held_ = std::min(b.planes, shares_.depth() / static_cast<std::int64_t>(b.items.size()));
  for (std::int64_t first = 0; first < b.planes; first += held_) {
    const std::int64_t count = std::min(held_, b.planes - first);
    march_planes(b, first, count, scatters);
    std::int64_t first_z = 0;
    for (const Texture& t : volume) {
      facing() ? gather_facing(b, first, count, t, first_z) : gather_held(b, first, count, t, first_z);
      first_z += t.depth();
    }
  }
}

void EmissionPasses::gather_held(const Batch& b, std::int64_t first, std::int64_t count, const Texture& volume,
                                 std::int64_t first_z) {
  prepare_gather(b, shares_);
  gather_.set("first_z", whole(first_z));
  gather_.set("held", whole(held_));
  volume.bind_image(0, GL_READ_WRITE);
  std::array size{volume.width(), volume.height(), volume.depth()};
  size[b.axis] = count;
  for (int direction = 0; direction < 2; ++direction) {
    if ((b.directions & 1 << direction) == 0) continue;
    gather_.set("direction", direction);
    gather_.set("first", whole(direction == 0 ? b.planes - first - count : first));
    gather_.set("count", whole(count));
    gather_into(b, size);
  }
}

void EmissionPasses::gather_facing(const Batch& b, std::int64_t first, std::int64_t count, const Texture& volume,
                                   std::int64_t first_z) {
  prepare_gather(b, shares_);
  const std::array size{volume.width(), volume.height(), volume.depth()};
  gather_.set("first_z", whole(first_z));
  gather_.set("held", whole(held_));
  gather_.set("plane", whole(first));
  gather_.set("count", whole(count));
  volume.bind_image(0, GL_READ_WRITE);
  gather_into(b, size);
}

void EmissionPasses::gather_into(const Batch& b, const std::array<std::int64_t, 3>& size) {
  glDispatchCompute(groups(size[0], 16), groups(size[1], 8), static_cast<GLuint>(size[2]));
  glMemoryBarrier(everything_that_reads);
  plan_.context->pace(static_cast<double>(size[0] * size[1] * size[2] * static_cast<std::int64_t>(b.items.size())));
}

/// In the transpose, the blur between the detector's face and the grid comes first.
void EmissionPasses::blur_in_front_back(const Batch& b) {
  if (!blurs_back() || !blurs_in_front()) return;
  run(spread, b, -1, image(), spread_[0]);
  blur_back(b, -1);
}

void EmissionPasses::back(const Batch& b, const GlArray& attenuation, GlArray& activity) {
  attenuates_ = gives_by_attenuation();
  const bool scatters = blurs_back();
  const DrawState state(DrawState::Mode::replace);
  if (gathers_all()) make_shares();
  make_spread();
  begin(b, attenuation, nullptr);
  blur_in_front_back(b);
  const std::vector<Texture>& volume = activity.textures();
  gathers_all() ? back_computed(b, scatters, volume) : back_drawn(b, scatters, volume);
}

/// Makes shares_; returns the number of views in it. It holds all planes of some views. Where planes are blurred one by
/// one and do not face the detector, it holds a few planes of many views. (For planes that face the detector, a voxel
/// looks for its planes among all of them.)
std::int64_t EmissionPasses::make_shares() {
  const ArrayShape& image = images_[0].shape();
  const bool all_planes = facing() || !blurs_back();
  const std::int64_t planes = most_planes();
  const std::int64_t most =
      std::clamp<std::int64_t>(most_emission_values / (image.n0 * image.n1), 1, plan_.context->limits().array_layers);
  const std::int64_t views = std::clamp<std::int64_t>(all_planes ? most / planes : most, 1, image.n2);
  const std::int64_t held = std::clamp<std::int64_t>(most / views, 1, planes);
  if (!shares_) shares_ = Texture("shares of planes", GL_TEXTURE_2D_ARRAY, GL_R32F, image.n0, image.n1, views * held);
  return views;
}

void EmissionPasses::make_spread() {
  if (!blurs_back() || spread_[0]) return;
  for (Texture& t : spread_)
    t = Texture("spread", GL_TEXTURE_2D_ARRAY, GL_RG32F, image().width(), image().height(), image().depth());
}

}  // namespace backlit::gl
