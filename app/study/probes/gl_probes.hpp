// OpenGL's ceilings, through fragment and compute shaders, and what a context says about its device.
#pragma once

#include "device/gl/gl_backend_class.hpp"
#include "study/probes/device_probes.hpp"

namespace backlit {

class GlProbes final : public ProbedDevice {
 public:
  /// `backend` must outlive this.
  explicit GlProbes(gl::GlBackend& backend) : backend_(backend) {}

  std::vector<DeviceProbe> probes(std::int64_t copied_bytes) override;
  /// With GL_NV_shader_thread_group also how many multiprocessors run fragments, and how many compute shaders.
  std::vector<std::pair<std::string, std::string>> facts() override;

 private:
  gl::GlBackend& backend_;
};

}  // namespace backlit
