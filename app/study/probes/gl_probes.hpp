// OpenGL's ceilings, through fragment and compute shaders, and a context's data about its device.
#pragma once

#include "device/gl/gl_backend_class.hpp"
#include "study/probes/device_probes.hpp"

namespace backlit {

class GlProbes final : public ProbedDevice {
 public:
  /// `backend` must outlive this object.
  explicit GlProbes(gl::GlBackend& backend) : backend_(backend) {}

  std::vector<DeviceProbe> probes(std::int64_t copied_bytes) override;
  /// With GL_NV_shader_thread_group also the number of multiprocessors that run fragments, and that run compute
  /// shaders.
  std::vector<std::pair<std::string, std::string>> facts() override;

 private:
  gl::GlBackend& backend_;
};

}  // namespace backlit
