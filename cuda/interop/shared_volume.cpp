#include "cuda/interop/shared_volume.hpp"

#include <fmt/format.h>

#include <vector>

#include "cuda/device/cuda_array.hpp"
#include "cuda/interop/shared_gl.hpp"
#include "device/gl/gl_display_volume.hpp"

namespace backlit::cuda {
namespace {

class SharedVolume final : public gl::ForeignVolume {
 public:
  SharedVolume(std::shared_ptr<gl::Context> context, ShareTexture share)
      : context_(std::move(context)), share_(std::move(share)) {}
  ~SharedVolume() override {
    context_->make_current_or_none();
    shared_.clear();  // before what they share
  }
  SharedVolume(const SharedVolume&) = delete;
  SharedVolume& operator=(const SharedVolume&) = delete;

  const gl::GlArray* updated(const DeviceArray& array) override {
    const auto* volume = dynamic_cast<const CudaArray*>(&array);
    if (!volume) return nullptr;
    if (!copy_ || !(copy_->shape() == volume->shape())) {
      shared_.clear();
      copy_ = std::make_unique<gl::GlArray>(context_, "volume from CUDA", volume->shape());
      share();
    }
    BACKLIT_CUDA(cudaDeviceSynchronize());  // what the backend was given must be in the volume
    if (!shared_.empty()) try_on_device(*volume);
    if (shared_.empty()) copy_through_host(*volume);
    return copy_.get();
  }

 private:
  void share() {
    if (!sharing_) return;
    try {
      for (const gl::Texture& t : copy_->textures()) shared_.push_back(share_(t));
    } catch (const Failure& failure) {
      give_up(failure);
    }
  }

  /// Once sharing has failed it is not tried again.
  void give_up(const Failure& failure) {
    sharing_ = false;
    shared_.clear();
    fmt::print(stderr, "backlit: textures cannot be shared with OpenGL, volumes go through the host: {}\n",
               failure.what());
  }

  void try_on_device(const CudaArray& volume) {
    try {
      copy_on_device(volume);
    } catch (const Failure& failure) {
      give_up(failure);
    }
  }

  void copy_on_device(const CudaArray& volume) {
    const float* next = volume.data();
    for (std::size_t i = 0; i < shared_.size(); ++i) {
      const gl::Texture& t = copy_->textures()[i];
      shared_[i]->write(stream_, next);
      next += t.width() * t.height() * t.depth();
    }
    stream_.wait();
  }

  void copy_through_host(const CudaArray& volume) {
    std::vector<float> host(static_cast<std::size_t>(volume.count()));
    BACKLIT_CUDA(cudaMemcpy(host.data(), volume.data(), volume.bytes(), cudaMemcpyDeviceToHost));
    copy_->upload(host);
  }

  std::shared_ptr<gl::Context> context_;
  ShareTexture share_;
  std::unique_ptr<gl::GlArray> copy_;
  std::vector<std::unique_ptr<SharedTexture>> shared_;  ///< the copy's textures; empty where they cannot be
  bool sharing_ = true;
  Stream stream_;
};

}  // namespace

std::unique_ptr<SharedTexture> share_array_texture(const gl::Texture& texture) {
  return std::make_unique<SharedTexture>(texture, GL_TEXTURE_2D_ARRAY);
}

void register_shared_volumes(ShareTexture share) {
  gl::register_foreign_volumes([share = std::move(share)](std::shared_ptr<gl::Context> context) {
    return std::make_unique<SharedVolume>(std::move(context), share);
  });
}

}  // namespace backlit::cuda
