// Signs of a GPU outside of the programming interfaces: they say why an interface finds no device, and what to do.
#pragma once

#include <filesystem>
#include <string>

namespace backlit {

struct GpuSigns {
  bool nvidia_card = false;   ///< the bus has a display controller by NVIDIA
  std::string nvidia_driver;  ///< first line of its kernel module's version; empty: not loaded
  bool nvidia_node = false;   ///< /dev/nvidia0, /dev/nvidia1, ...
  bool node_opens = false;    ///< one of them may be opened by this user
  bool cuda_library = false;  ///< libcuda.so.1 can be loaded
  bool render_node = false;   ///< /dev/dri/renderD128, ...: any maker's card
  bool render_opens = false;  ///< one of them may be opened by this user
  bool container = false;     ///< Docker, Podman, Apptainer, systemd-nspawn
  bool hidden = false;        ///< CUDA_VISIBLE_DEVICES names no device
  static constexpr const char* container_flags = "--gpus all -e NVIDIA_DRIVER_CAPABILITIES=all";
};

/// The signs of this machine. `root`: of another tree of /dev, /proc and /sys, for tests.
GpuSigns find_gpu_signs(const std::filesystem::path& root = "/");

/// What to do where CUDA finds no device. `version` is that of CUDA's run time, as CUDART_VERSION (13000: CUDA 13.0).
std::string remedy_without_cuda_device(const GpuSigns&, int version);

/// What to do where OpenGL runs in software.
std::string remedy_without_opengl_device(const GpuSigns&);

}  // namespace backlit
