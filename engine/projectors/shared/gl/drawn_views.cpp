#include "projectors/shared/gl/drawn_views.hpp"

#include <algorithm>
#include <utility>

#include "device/gl/dispatch.hpp"

namespace backlit::gl {

DrawnViews::DrawnViews(GLenum format, std::int64_t width, std::int64_t height, std::int64_t layers, const Defines& what,
                       bool ping_pong)
    : target_("drawn views", GL_TEXTURE_2D_ARRAY, format, width, height, layers),
      add_("add drawn views", {"shared/add_drawn.comp"}, what),
      packs_groups_(std::ranges::any_of(what, [](const auto& define) { return define.first == "ORBIT"; })) {
  if (ping_pong) previous_ = Texture("drawn views, before", GL_TEXTURE_2D_ARRAY, format, width, height, layers);
}

void DrawnViews::turn() {
  std::swap(target_, previous_);
  glBindSampler(2, 0);
  previous_.bind(2);
}

void DrawnViews::add_to(const Texture& images, std::int64_t first_layer, std::int64_t stride, std::int64_t layers,
                        TimingTable& timings) {
  const Pass pass(timings, "add drawn views");
  if (!packs_groups_) {
    add_.set("first_layer", static_cast<int>(first_layer));
    add_.set("layer_stride", static_cast<int>(stride));
  }
  add_.use();
  glBindSampler(0, 0);
  target_.bind(0);
  images.bind_image(0, GL_READ_WRITE);
  glDispatchCompute(groups(target_.width(), 32), groups(target_.height(), 8), static_cast<GLuint>(layers));
  glMemoryBarrier(everything_that_reads);
}

}  // namespace backlit::gl
