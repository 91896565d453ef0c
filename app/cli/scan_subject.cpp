// D2VR for `backlit render`: the projections of a scan as the subject of pictures.
#include <backlit/core/error.hpp>
#include "commands/volume_pictures.hpp"
#include "open_session.hpp"
#include "render/gl/d2vr.hpp"
#include "render/gl/finisher.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {
namespace {

class ProjectionRenderer final : public Renderer {
 public:
  ProjectionRenderer(std::unique_ptr<Backend> backend, ProjectionSource& source, const VolumeGrid& grid,
                     const FilterOptions& options, const Watch& watch)
      : backend_(std::move(backend)),
        gl_(dynamic_cast<gl::GlBackend&>(backend_->innermost())),
        filter_(gl_.make_filter(source.scan(), options)),
        views_(gl::load_resident_views(gl_, source, *filter_, {Precision::fast, true}, watch)),
        d2vr_(gl_, views_, grid) {}

  std::string device() const override { return device_text(*backend_); }
  std::vector<double> found(const CameraRays& rays, const VolumeRenderOptions& options,
                            const Classifier& classifier) override {
    if (found_.width() != rays.width || found_.height() != rays.height)
      found_ = gl::make_found(rays.width, rays.height);
    d2vr_.render(rays, options, classifier, found_);
    const auto values = gl::read_found(found_);
    gl_.context().check("d2vr");
    return {values.begin(), values.end()};
  }
  std::vector<float> overview() { return d2vr_.overview(); }

 private:
  std::unique_ptr<Backend> backend_;
  gl::GlBackend& gl_;
  std::unique_ptr<ProjectionFilter> filter_;
  gl::ResidentViews views_;
  gl::D2vr d2vr_;
  gl::Texture found_;
};

}  // namespace

Subject subject_of_scan(const std::string& file, const FilterOptions& filter, const DeviceOptions& asked,
                        const Console& console) {
  if (asked.backend != "auto" && asked.backend != "gl")
    throw Unsupported("--backend", "only gl renders from projections", "leave it out");
  const Session session = open_session(file, {}, console);
  DeviceOptions gl = asked;
  gl.backend = "gl";
  TerminalProgress bar(console.quiet);
  auto renderer = std::make_unique<ProjectionRenderer>(start_backend(gl, console), *session.projections(),
                                                       session.grid(), filter, Watch(bar, interrupt()));
  warn_of_repairs(session.report(), console);
  const auto values = std::make_shared<const std::vector<float>>(renderer->overview());
  return {session.grid(), *values, values, std::move(renderer)};
}

}  // namespace backlit::cli
