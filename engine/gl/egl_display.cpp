#include "gl/egl_display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include <backlit/core/error.hpp>

namespace backlit::gl {
namespace {

template <class F>
F load(const char* name) {
  return reinterpret_cast<F>(eglGetProcAddress(name));
}

bool has_word(const char* list, std::string_view word) {
  return list && fmt::format(" {} ", list).find(fmt::format(" {} ", word)) != std::string::npos;
}

struct Device {
  EGLDeviceEXT handle;
  bool software;
  std::optional<int> cuda;  ///< CUDA's ordinal
};

std::vector<Device> enumerate() {
  const auto query_devices = load<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto query_string = load<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  const auto query_attribute = load<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT");
  if (!query_devices || !query_string || !query_attribute) return {};
  EGLDeviceEXT handles[64];
  EGLint count = 0;
  if (!query_devices(64, handles, &count)) return {};
  std::vector<Device> devices;
  for (EGLint i = 0; i < count; ++i) {
    // Reads the extension string first: some drivers crash when asked for an attribute that they lack.
    const char* extensions = query_string(handles[i], EGL_EXTENSIONS);
    Device d{handles[i], has_word(extensions, "EGL_MESA_device_software"), {}};
    EGLAttrib ordinal = 0;
    if (has_word(extensions, "EGL_NV_device_cuda") && query_attribute(handles[i], EGL_CUDA_DEVICE_NV, &ordinal))
      d.cuda = static_cast<int>(ordinal);
    devices.push_back(d);
  }
  return devices;
}

DisplayCandidate candidate(const Device& d, std::size_t index) {
  const auto get_display = load<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  std::string name = fmt::format("EGL device {}{}", index, d.software ? " (software)" : "");
  return {get_display ? get_display(EGL_PLATFORM_DEVICE_EXT, d.handle, nullptr) : EGL_NO_DISPLAY, name};
}

DisplayCandidate asked_for(const std::vector<Device>& devices, const ContextOptions& options) {
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (options.device ? static_cast<int>(i) == *options.device : devices[i].cuda == options.cuda_device)
      return candidate(devices[i], i);
  if (options.device)
    throw InputError("device", fmt::format("there is no EGL device {}", *options.device),
                     devices.empty() ? "EGL lists no devices here; leave the device out"
                                     : fmt::format("choose one of 0 to {}", devices.size() - 1));
  throw InputError("device", fmt::format("no EGL device belongs to CUDA device {}", *options.cuda_device),
                   "install NVIDIA's EGL driver, or use copies in place of shared textures");
}

}  // namespace

std::vector<DisplayCandidate> display_candidates(const ContextOptions& options) {
  const auto devices = enumerate();
  if (options.device || options.cuda_device) return {asked_for(devices, options)};
  std::vector<DisplayCandidate> all;
  for (bool software : {false, true})
    for (std::size_t i = 0; i < devices.size(); ++i)
      if (devices[i].software == software) all.push_back(candidate(devices[i], i));
  if (const auto get_display = load<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT"))
    all.push_back({get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr), "surfaceless Mesa"});
  std::erase_if(all, [](const auto& c) { return c.display == EGL_NO_DISPLAY; });
  return all;
}

}  // namespace backlit::gl
