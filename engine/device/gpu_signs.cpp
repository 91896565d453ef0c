#include "device/gpu_signs.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <system_error>

namespace backlit {
namespace {

namespace fs = std::filesystem;

std::string first_line_of(const fs::path& file) {
  std::string line;
  std::ifstream in(file);
  std::getline(in, line);
  return line;
}

bool has_nvidia_card(const fs::path& bus) {
  std::error_code error;
  for (fs::directory_iterator i(bus, error), end; !error && i != end; i.increment(error))
    if (first_line_of(i->path() / "vendor") == "0x10de" && first_line_of(i->path() / "class").rfind("0x03", 0) == 0)
      return true;
  return false;
}

/// Files of `folder` that are called `prefix` and a number: whether there are any, and whether one may be opened.
void look_for_nodes(const fs::path& folder, const std::string& prefix, bool& exists, bool& opens) {
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    const std::string name = i->path().filename().string();
    if (name.rfind(prefix, 0) != 0 || name.size() == prefix.size() ||
        name.find_first_not_of("0123456789", prefix.size()) != std::string::npos)
      continue;
    exists = true;
    opens = opens || ::access(i->path().c_str(), R_OK | W_OK) == 0;
  }
}

bool in_container(const fs::path& root) {
  std::error_code error;
  for (const char* mark : {".dockerenv", "run/.containerenv", ".singularity.d", "run/host/container-manager"})
    if (fs::exists(root / mark, error)) return true;
  return false;
}

/// Whether CUDA_VISIBLE_DEVICES hides all devices: it is set, and begins with no number and no name of a card.
bool hides_devices() {
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const std::string text = visible ? visible : "0";
  return text.empty() || text.front() == '-' || text == "NoDevFiles" || text == "none" || text == "void";
}

/// The oldest driver for programs of a version of CUDA (NVIDIA's table of minor version compatibility).
std::string driver_needed(int version) {
  const int major = version / 1000;
  if (major >= 13) return "580";
  return major == 12 ? "525" : "450";
}

/// What to do about a card that the system does not give to programs; empty if it does.
std::string remedy_of_card(const GpuSigns& s) {
  if (s.nvidia_driver.empty() && s.nvidia_card)
    return fmt::format("a card by NVIDIA is there without a driver: install it{} (Debian: nvidia-driver, of non-free)",
                       s.container ? " on the host" : "");
  if (s.nvidia_driver.empty()) return {};
  if (!s.nvidia_node && s.container) return fmt::format("start the container with {}", GpuSigns::container_flags);
  if (!s.nvidia_node) return "the driver made no /dev/nvidia0: run nvidia-smi once as root, or restart";
  if (!s.node_opens) return "this user may not open /dev/nvidia0: ask for the group that owns it (ls -l /dev/nvidia0)";
  return {};
}

}  // namespace

GpuSigns find_gpu_signs(const std::filesystem::path& root) {
  GpuSigns s;
  s.nvidia_card = has_nvidia_card(root / "sys/bus/pci/devices");
  s.nvidia_driver = first_line_of(root / "proc/driver/nvidia/version");
  look_for_nodes(root / "dev", "nvidia", s.nvidia_node, s.node_opens);
  look_for_nodes(root / "dev/dri", "renderD", s.render_node, s.render_opens);
  s.container = in_container(root);
  s.hidden = hides_devices();
  if (s.nvidia_driver.empty()) return s;
  s.cuda_library = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr;  // stays loaded, as by CUDA itself
  return s;
}

std::string remedy_without_cuda_device(const GpuSigns& s, int version) {
  if (s.nvidia_driver.empty() && !s.nvidia_card) return "no card by NVIDIA is here: use `backend` gl or cpu";
  if (std::string remedy = remedy_of_card(s); !remedy.empty()) return remedy;
  if (s.hidden) return "CUDA_VISIBLE_DEVICES hides all devices: unset it";
  if (!s.cuda_library && s.container) return fmt::format("start the container with {}", GpuSigns::container_flags);
  if (!s.cuda_library) return "libcuda.so.1 is missing: install the driver's CUDA library (Debian: libcuda1)";
  return fmt::format(
      "this build needs NVIDIA's driver {} or newer, and a card of compute capability 7.5 or newer: see "
      "nvidia-smi",
      driver_needed(version));
}

std::string remedy_without_opengl_device(const GpuSigns& s) {
  if (std::string remedy = remedy_of_card(s); !remedy.empty()) return remedy;
  if (!s.nvidia_driver.empty() && s.container)
    return fmt::format("the container lacks NVIDIA's OpenGL: start it with {}", GpuSigns::container_flags);
  if (!s.nvidia_driver.empty())
    return "NVIDIA's driver lacks OpenGL: install its libEGL_nvidia and the file that names it in "
           "share/glvnd/egl_vendor.d (Debian: libegl-nvidia0)";
  if (s.render_node && !s.render_opens)
    return "this user may not open /dev/dri/renderD128: join its group (Debian: adduser NAME render)";
  if (!s.render_node && s.container) return "with a GPU, start the container with --device /dev/dri";
  return "with a GPU, install its driver with OpenGL 4.5 and EGL";
}

}  // namespace backlit
