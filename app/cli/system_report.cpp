#include "system_report.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include <backlit/core/assets.hpp>
#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/device/device_options.hpp>
#include <backlit/version.hpp>
#include "command.hpp"
#include "device/row_link.hpp"

namespace backlit::cli {
namespace {

using State = Finding::State;

/// The value after `key` in the first line of `file` that begins with `key`; empty if there is none.
std::string value_in(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const auto from = line.find_first_not_of(" \t:=\"", key.size());
    const auto to = line.find_last_not_of(" \"");
    return from == std::string::npos ? std::string() : line.substr(from, to + 1 - from);
  }
  return {};
}

std::string first_line(const char* file) {
  std::string line;
  std::getline(std::ifstream(file) >> std::ws, line);
  return line;
}

Finding examine_system() {
  utsname name{};
  ::uname(&name);
  const std::string distribution = value_in("/etc/os-release", "PRETTY_NAME");
  return {State::ok, "system",
          fmt::format("{}, {} {} {}", distribution.empty() ? "unknown distribution" : distribution, name.sysname,
                      name.release, name.machine)};
}

Finding examine_processor() {
  const std::string model = value_in("/proc/cpuinfo", "model name");
  return {State::ok, "processor",
          fmt::format("{}, {} threads", model.empty() ? "unknown model" : model, std::thread::hardware_concurrency())};
}

Finding examine_memory() {
  const auto kib = [](const char* key) { return std::atoll(value_in("/proc/meminfo", key).c_str()); };
  const std::int64_t total = kib("MemTotal") * 1024, free = kib("MemAvailable") * 1024;
  if (total == 0) return {State::note, "memory", "unknown: /proc/meminfo cannot be read", "mount /proc"};
  Finding finding{State::ok, "memory", fmt::format("{} free of {}", byte_size_text(free), byte_size_text(total))};
  constexpr std::int64_t little = std::int64_t{2} << 30;
  if (free < little) {
    finding.state = State::note;
    finding.remedy = "close other programs, or choose larger voxels: 512^3 voxels take 512 MiB, and their scan as much";
  }
  return finding;
}

Finding examine_assets() {
  const std::filesystem::path folder = asset_folder("phantoms");
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return {State::ok, "files", folder.parent_path().string()};
  return {State::problem, "files",
          fmt::format("no phantoms, scanners and colour maps in {}", folder.parent_path().string()),
          "install Backlit again, or set BACKLIT_ASSETS to their folder"};
}

std::string subject_of(const std::string& backend) {
  if (backend == "gl") return "OpenGL";
  return backend == "cuda" ? "CUDA" : "CPU";
}

/// The driver's version text, if an NVIDIA card is present.
std::string nvidia_driver() {
  const std::string line = first_line("/proc/driver/nvidia/version");
  const auto colon = line.find(": ");
  return colon == std::string::npos ? line : line.substr(colon + 2);
}

Finding examine_device(const std::string& backend, Backend& device) {
  const Capabilities able = device.capabilities();
  std::string text = device.device();
  if (able.memory_bytes > 0 && !able.software) text += fmt::format(", {} to use", byte_size_text(able.memory_bytes));
  if (const auto* card = dynamic_cast<LinksRows*>(&device.innermost()); card && !card->link_name().empty())
    text += ", NCCL between cards";
  if (const std::string versions = device.innermost().versions(); !versions.empty()) text += ", " + versions;
  if (!able.software) return {State::ok, subject_of(backend), text};
  return {State::note, subject_of(backend), text + ": software rendering: no GPU was found",
          nvidia_driver().empty() ? "with a GPU, install its driver with OpenGL 4.5 and EGL"
                                  : "the NVIDIA driver lacks OpenGL: install its libEGL_nvidia and the file that names "
                                    "it in share/glvnd/egl_vendor.d"};
}

/// Findings of all devices of a backend, or the reason why it has none.
std::vector<Finding> examine_backend(const std::string& name) {
  std::vector<Finding> findings;
  for (std::int64_t index = 0;; ++index) {
    BackendOptions options;
    options.device = index;
    try {
      const auto device = make_backend(name, options);
      findings.push_back(examine_device(name, *device));
    } catch (const Error& error) {
      if (index == 0)
        findings.push_back({name == "gl" ? State::problem : State::note, subject_of(name), in_flags(error.what()),
                            name == "gl" ? "install libegl1 and libgl1-mesa-dri (or the driver of your GPU): pictures "
                                           "and the viewer need OpenGL 4.5"
                                         : ""});
      break;
    }
    if (name == "cpu") break;
  }
  return findings;
}

/// Opens a file that disappears when it is closed or the program is killed; negative if it cannot be made.
int open_nameless(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  std::string name =
      (folder / ".backlit-doctor-XXXXXX").string();  // network file systems cannot make a file without a name
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

Finding examine_choice() {
  std::vector<std::string> passed_over;
  const auto backend = make_backend("auto", {}, {}, &passed_over);
  return {State::ok, "chosen", fmt::format("--backend auto takes {} for methods that iterate", backend->name())};
}

}  // namespace

std::vector<Finding> examine_build() {
  std::vector<Finding> findings{{State::ok, "backlit", fmt::format("{}, {}", version(), BACKLIT_BUILD)},
                                {State::ok, "built in", BACKLIT_BUILT_IN}};
  if (std::string_view(BACKLIT_LEFT_OUT).size() > 0) findings.push_back({State::ok, "left out", BACKLIT_LEFT_OUT});
  return findings;
}

std::vector<Finding> examine_machine() {
  std::vector<Finding> findings{examine_system(), examine_processor(), examine_memory(), examine_assets()};
  if (const std::string driver = nvidia_driver(); !driver.empty()) findings.push_back({State::ok, "driver", driver});
  for (const std::string& name : backend_names())
    for (Finding& finding : examine_backend(name)) findings.push_back(std::move(finding));
  findings.push_back(examine_choice());
  return findings;
}

Finding examine_disk(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    throw InputError(folder.string(), "there is no such folder", "name the folder for results");
  const auto space = std::filesystem::space(folder, error);
  const std::string free = byte_size_text(static_cast<std::int64_t>(space.available));
  constexpr std::size_t piece = std::size_t{16} << 20, pieces = 16;
  if (space.available < 2 * piece * pieces)
    return {State::problem, "disk", fmt::format("{} free in {}", free, folder.string()),
            "delete files there, or write results elsewhere"};
  const int file = open_nameless(folder);
  if (file < 0)
    return {State::problem, "disk", fmt::format("no file can be made in {}: {}", folder.string(), std::strerror(errno)),
            "write results to another folder"};
  const std::vector<char> values(piece, 'x');
  const auto start = std::chrono::steady_clock::now();
  bool written = true;
  for (std::size_t i = 0; i < pieces && written; ++i)
    written = ::write(file, values.data(), values.size()) == static_cast<ssize_t>(values.size());
  written = written && ::fsync(file) == 0;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ::close(file);
  if (!written)
    return {State::problem, "disk", fmt::format("writing 256 MiB in {} failed", folder.string()),
            "check the disk quota, or write results elsewhere"};
  return {State::ok, "disk",
          fmt::format("{} free, writes {:.0f} MB/s in {}", free, 1e-6 * static_cast<double>(piece * pieces) / seconds,
                      folder.string())};
}

}  // namespace backlit::cli
