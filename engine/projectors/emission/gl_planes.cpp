// Emission through planes that face the detector, of a grid that comes in boxes: each adds to images of the planes at
// hand, from which they are composited.
#include <algorithm>

#include "device/gl/dispatch.hpp"
#include "device/gl/draw_state.hpp"
#include "projectors/emission/gl_passes.hpp"

namespace backlit::gl {
namespace {

int whole(std::int64_t n) { return static_cast<int>(n); }
float real(std::int64_t n) { return static_cast<float>(n); }

}  // namespace

void set_box(Program& p, const Box& box) {
  p.set("box_first", real(box.first[0]), real(box.first[1]), real(box.first[2]));
  p.set("box_size", real(box.size[0]), real(box.size[1]), real(box.size[2]));
}

std::int64_t EmissionPasses::planes_at_once(std::int64_t views) {
  make_given();
  return std::min(most_planes(), given_.depth() / views);
}

/// What planes show of the activity and what they are given are never wanted at a time: given_ is both.
void EmissionPasses::clear_planes(const Batch& b) {
  held_ = planes_at_once(static_cast<std::int64_t>(b.items.size()));
  if (!matter_images_)
    matter_images_ =
        Texture("matter of planes", GL_TEXTURE_2D_ARRAY, GL_R32F, given_.width(), given_.height(), given_.depth());
  given_.clear(0);
  matter_images_.clear(0);
}

void EmissionPasses::sample(const Batch& b, const Box& box, const GlArray& volume, Shown shown) {
  const float unit = fill(volume, activity_box_, "box");
  bind_views(b);
  activity_box_->bind(0);
  const Texture& images = shown == Shown::activity ? given_ : matter_images_;
  const auto views = static_cast<std::int64_t>(b.items.size()), count = b.end - b.first;
  plan_.set_axis(sample_, b.axis);
  set_box(sample_, box);
  sample_.set("activity_unit", unit);
  sample_.set("plane", whole(b.first));
  sample_.set("count", whole(count));
  sample_.set("held", whole(held_));
  sample_.use();
  images.bind_image(0, GL_READ_WRITE);
  glDispatchCompute(groups(images.width(), 32), groups(images.height(), 8), static_cast<GLuint>(views * count));
  glMemoryBarrier(everything_that_reads);
  plan_.context->pace(static_cast<double>(images.width() * images.height() * views * count));
}

void EmissionPasses::begin_planes(const Batch& b, const Texture& activity) {
  activity.bind(0);
  matter_images_.bind(1);
  bind_views(b);
}

void EmissionPasses::forward(const Batch& b) {
  attenuates_ = true;
  begin_planes(b, given_);
  project(b);
}

void EmissionPasses::back(const Batch& b) {
  attenuates_ = gives_by_matter();
  const DrawState state(DrawState::Mode::replace);
  make_spread();
  begin_planes(b, matter_images_);  // activity is not read, and given_ written
  blur_in_front_back(b);
  march_planes(b, b.first, b.end - b.first, blurs_back());
}

void EmissionPasses::gather(const Batch& b, const Box& box, GlArray& activity) {
  bind_views(b);
  gather_facing(b, b.first, b.end - b.first, activity.textures().front(), box.first);
}

}  // namespace backlit::gl
