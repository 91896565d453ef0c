#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/gl_backend_class.hpp"

namespace backlit::gl {
namespace {

class GlBlur final : public Blur {
 public:
  GlBlur(std::shared_ptr<Context> context, TimingTable& timings, Program& program, const BlurWeights& weights)
      : context_(std::move(context)), timings_(timings), program_(program) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::vector<float> single(weights[axis].begin(), weights[axis].end());
      weights_[axis] =
          Buffer("weights of a blur", static_cast<std::int64_t>(single.size() * sizeof(float)), single.data());
    }
  }
  ~GlBlur() override { context_->make_current_or_none(); }

  void along(int axis, const DeviceArray& from, DeviceArray& to) override {
    const ArrayShape s = from.shape();
    if (to.shape() != s) throw Failure("OpenGL", "arrays of different shapes do not go together");
    const GlArray& source = as_gl(from);
    if (source.textures().size() > 1)
      throw Unsupported("blur", fmt::format("{} slices are more than one texture array holds", s.n2),
                        "use `backend` cpu or cuda");
    context_->make_current();
    const Pass pass(timings_, "blur");
    program_.set("axis", axis);
    program_.use();
    weights_[static_cast<std::size_t>(axis)].bind_storage(0);
    source.textures().front().bind(0);
    as_gl(to).textures().front().bind_image(0, GL_WRITE_ONLY);
    glDispatchCompute(groups(s.n0, 32), groups(s.n1, 8), static_cast<GLuint>(s.n2));
    glMemoryBarrier(everything_that_reads);
  }

 private:
  std::shared_ptr<Context> context_;
  TimingTable& timings_;
  Program& program_;
  Buffer weights_[3];
};

}  // namespace

std::unique_ptr<Blur> GlBackend::make_blur(const BlurWeights& weights) {
  context_->make_current();
  if (!blur_) blur_ = Program("blur", {"vector/blur.comp"}, {});
  return std::make_unique<GlBlur>(context_, timings_, blur_, weights);
}

}  // namespace backlit::gl
