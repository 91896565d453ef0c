// Frames without a screen, for tests, pictures and machines without a display server.
#include <imgui.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "gl/beside_cuda.hpp"
#include "window/surface.hpp"

namespace backlit::viewer {
namespace {

class Offscreen final : public Surface {
 public:
  explicit Offscreen(const SurfaceOptions& options)
      : size_{options.width, options.height},
        scale_(options.scale > 0 ? options.scale : 1),
        // On the reconstruction's device, so that volumes need not pass through the host.
        context_(gl::create_beside_cuda(0, {.debug = options.debug})) {}

  const std::shared_ptr<gl::Context>& context() const override { return context_; }
  WorkerContext worker_context() override {
    return [share = context_] { return gl::Context::create({.share = share}); };
  }

  std::array<std::int64_t, 2> size() const override { return size_; }
  void resize(std::int64_t width, std::int64_t height) override { size_ = {width, height}; }
  float scale() const override { return scale_; }

  bool poll(double patience) override {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, std::chrono::duration<double>(patience), [&] { return woken_; });
    return std::exchange(woken_, false);
  }
  std::function<void()> waker() const override {
    return [this] {
      const std::lock_guard lock(mutex_);
      woken_ = true;
      wake_.notify_one();
    };
  }
  bool closed() const override { return false; }
  void set_title(const std::string&) override {}
  std::vector<std::string> take_dropped() override { return {}; }

  void begin_frame(bool) override {
    ImGui::GetIO().DisplaySize = {static_cast<float>(size_[0]), static_cast<float>(size_[1])};
    ImGui::GetIO().DeltaTime = 1.0f / 60;
  }
  void show(const gl::Texture&) override { glFinish(); }  // a window also waits until its frame is shown

 private:
  std::array<std::int64_t, 2> size_;
  float scale_;
  std::shared_ptr<gl::Context> context_;
  mutable std::mutex mutex_;
  mutable std::condition_variable wake_;
  mutable bool woken_ = false;
};

}  // namespace

std::unique_ptr<Surface> make_offscreen(const SurfaceOptions& options) { return std::make_unique<Offscreen>(options); }

}  // namespace backlit::viewer
