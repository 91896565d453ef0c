#include <backlit/render/renderer.hpp>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/device/device_options.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "render/gl/d2vr.hpp"
#include "render/gl/finisher.hpp"
#include "render/gl/volume_renderer.hpp"

namespace backlit {
namespace {

class SoftwareRenderer final : public Renderer {
 public:
  explicit SoftwareRenderer(std::shared_ptr<const Volume> volume) : volume_(std::move(volume)) {}
  std::string device() const override { return "cpu, double precision"; }
  const VolumeGrid& grid() const override { return volume_->grid; }
  std::span<const float> values() const override { return volume_->values.span(); }
  std::vector<double> render(const CameraRays& rays, const VolumeRenderOptions& options,
                             const Classifier& classifier) override {
    return render_reference(*volume_, rays, options, classifier);
  }

 private:
  std::shared_ptr<const Volume> volume_;
};

gl::GlBackend& gl_of(Backend& backend, const char* remedy) {
  if (auto* const gl = dynamic_cast<gl::GlBackend*>(&backend.innermost())) return *gl;
  throw Unsupported(backend.name(), "the device makes no such pictures", remedy);
}

class VolumeOnDevice final : public Renderer {
 public:
  VolumeOnDevice(std::shared_ptr<const Volume> volume, std::unique_ptr<Backend> backend)
      : volume_(std::move(volume)),
        backend_(std::move(backend)),
        gl_(gl_of(*backend_, "choose gl or cpu")),
        display_(gl_.shared_context()),
        renderer_(gl_.shared_context()) {
    const ArrayPtr array = backend_->make_array(shape_of(volume_->grid));
    backend_->upload(volume_->values.span(), *array);
    display_.publish(*array, volume_->grid);
    backend_->finish();
  }
  ~VolumeOnDevice() override { gl_.context().make_current(); }
  std::string device() const override { return device_text(*backend_); }
  const VolumeGrid& grid() const override { return volume_->grid; }
  std::span<const float> values() const override { return volume_->values.span(); }
  std::vector<double> render(const CameraRays& rays, const VolumeRenderOptions& options,
                             const Classifier& classifier) override {
    gl_.context().make_current();
    renderer_.render(display_.front(), rays, options, classifier);
    const auto found = gl::read_found(renderer_.found());
    return {found.begin(), found.end()};
  }

 private:
  std::shared_ptr<const Volume> volume_;
  std::unique_ptr<Backend> backend_;
  gl::GlBackend& gl_;  ///< its context is current while the members below are made, used and destroyed
  gl::GlDisplayVolume display_;
  gl::VolumeRenderer renderer_;
};

class ScanOnDevice final : public Renderer {
 public:
  ScanOnDevice(std::unique_ptr<Backend> backend, ProjectionSource& source, const VolumeGrid& region,
               const FilterOptions& options, const Watch& watch)
      : backend_(std::move(backend)),
        gl_(gl_of(*backend_, "choose gl")),
        filter_(gl_.make_filter(source.scan(), options)),
        views_(gl::load_resident_views(gl_, source, *filter_, {Precision::fast, true}, watch)),
        d2vr_(gl_, views_, region),
        overview_(d2vr_.overview()) {}
  ~ScanOnDevice() override { gl_.context().make_current(); }
  std::string device() const override { return device_text(*backend_); }
  const VolumeGrid& grid() const override { return d2vr_.region(); }
  std::span<const float> values() const override { return overview_; }
  std::vector<double> render(const CameraRays& rays, const VolumeRenderOptions& options,
                             const Classifier& classifier) override {
    gl_.context().make_current();
    if (found_.width() != rays.width || found_.height() != rays.height)
      found_ = gl::make_found(rays.width, rays.height);
    d2vr_.render(rays, options, classifier, found_);
    const auto found = gl::read_found(found_);
    gl_.context().check("d2vr");
    return {found.begin(), found.end()};
  }

 private:
  std::unique_ptr<Backend> backend_;
  gl::GlBackend& gl_;
  std::unique_ptr<ProjectionFilter> filter_;
  gl::ResidentViews views_;
  gl::D2vr d2vr_;
  std::vector<float> overview_;
  gl::Texture found_;
};

}  // namespace

std::unique_ptr<Renderer> make_renderer(std::shared_ptr<const Volume> volume, std::unique_ptr<Backend> backend) {
  if (!backend || backend->name() == "cpu") return std::make_unique<SoftwareRenderer>(std::move(volume));
  return std::make_unique<VolumeOnDevice>(std::move(volume), std::move(backend));
}

std::unique_ptr<Renderer> make_renderer(ProjectionSource& source, const VolumeGrid& region,
                                        const FilterOptions& options, std::unique_ptr<Backend> backend,
                                        const Watch& watch) {
  return std::make_unique<ScanOnDevice>(std::move(backend), source, region, options, watch);
}

}  // namespace backlit
