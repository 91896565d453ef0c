// Why a GPU is not found, and what to do: from files as they lie on such machines.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "device/gpu_signs.hpp"
#include "support/program.hpp"

using namespace backlit;
using Catch::Contains;

namespace gpu_signs_test {

void put(const std::filesystem::path& file, const std::string& text = "") {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text << "\n";
}

constexpr int cuda13 = 13000;

/// A machine with NVIDIA's card and driver.
GpuSigns with_driver() {
  GpuSigns s;
  s.nvidia_card = s.nvidia_node = s.node_opens = s.cuda_library = s.render_node = s.render_opens = true;
  s.nvidia_driver = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.247.01";
  return s;
}

}  // namespace gpu_signs_test

TEST_CASE("Signs of a GPU are read from the bus, the driver's files and the nodes of devices") {
  using namespace gpu_signs_test;
  const test::TemporaryFolder folder;
  const std::filesystem::path& root = folder.path();
  GpuSigns s = find_gpu_signs(root);
  CHECK_FALSE((s.nvidia_card || s.nvidia_node || s.render_node || s.container || s.cuda_library));
  CHECK(s.nvidia_driver.empty());

  put(root / "sys/bus/pci/devices/0000:00:04.0/vendor", "0x10de");  // the card's sound device
  put(root / "sys/bus/pci/devices/0000:00:04.0/class", "0x040300");
  put(root / "dev/nvidiactl");
  CHECK_FALSE((find_gpu_signs(root).nvidia_card || find_gpu_signs(root).nvidia_node));

  put(root / "sys/bus/pci/devices/0000:00:05.0/vendor", "0x10de");
  put(root / "sys/bus/pci/devices/0000:00:05.0/class", "0x030200");
  put(root / "proc/driver/nvidia/version", with_driver().nvidia_driver);
  put(root / "dev/nvidia0");
  put(root / "dev/dri/renderD128");
  put(root / ".dockerenv");
  s = find_gpu_signs(root);
  CHECK((s.nvidia_card && s.nvidia_node && s.node_opens && s.render_node && s.render_opens && s.container));
  CHECK(s.nvidia_driver == with_driver().nvidia_driver);
}

TEST_CASE("Each reason why CUDA finds no device has its remedy") {
  using namespace gpu_signs_test;
  CHECK_THAT(remedy_without_cuda_device({}, cuda13), Contains("`backend` gl or cpu"));

  GpuSigns s = with_driver();  // an old driver: 535 has CUDA 12.2
  CHECK_THAT(remedy_without_cuda_device(s, cuda13), Contains("driver 580 or newer"));
  CHECK_THAT(remedy_without_cuda_device(s, 12080), Contains("driver 525 or newer"));
  s.hidden = true;
  CHECK_THAT(remedy_without_cuda_device(s, cuda13), Contains("CUDA_VISIBLE_DEVICES"));

  s = with_driver();
  s.cuda_library = false;
  CHECK_THAT(remedy_without_cuda_device(s, cuda13), Contains("libcuda1"));
  s.container = true;
  CHECK_THAT(remedy_without_cuda_device(s, cuda13), Contains("--gpus all"));

  s = with_driver();
  s.node_opens = false;
  CHECK_THAT(remedy_without_cuda_device(s, cuda13), Contains("may not open /dev/nvidia0"));
  s.nvidia_node = false;
  CHECK_THAT(remedy_without_cuda_device(s, cuda13), Contains("nvidia-smi once as root"));
  s.container = true;
  CHECK_THAT(remedy_without_cuda_device(s, cuda13), Contains("--gpus all"));

  s = GpuSigns{};
  s.nvidia_card = true;
  CHECK_THAT(remedy_without_cuda_device(s, cuda13), Contains("without a driver"));
}

TEST_CASE("Each reason why OpenGL runs in software has its remedy") {
  using namespace gpu_signs_test;
  GpuSigns s;
  CHECK_THAT(remedy_without_opengl_device(s), Contains("OpenGL 4.5 and EGL"));
  s.container = true;
  CHECK_THAT(remedy_without_opengl_device(s), Contains("--device /dev/dri"));
  s.render_node = true;
  CHECK_THAT(remedy_without_opengl_device(s), Contains("adduser NAME render"));
  s = with_driver();
  CHECK_THAT(remedy_without_opengl_device(s), Contains("libegl-nvidia0"));
  s.container = true;
  CHECK_THAT(remedy_without_opengl_device(s), Contains("NVIDIA_DRIVER_CAPABILITIES=all"));
}
