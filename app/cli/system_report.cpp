#include "system_report.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
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
#include "device/gpu_signs.hpp"
#include "device/row_link.hpp"
#include "gl/display_report.hpp"
#include "io/libraries.hpp"

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

/// The version in the first line of NVIDIA's kernel module: what follows its colon.
std::string driver_text(const GpuSigns& signs) {
  const auto colon = signs.nvidia_driver.find(": ");
  const auto from = colon == std::string::npos ? colon : signs.nvidia_driver.find_first_not_of(' ', colon + 1);
  return from == std::string::npos ? signs.nvidia_driver : signs.nvidia_driver.substr(from);
}

Finding examine_egl(const GpuSigns& signs) {
  std::vector<std::string> versions, names;  // displays that say the same are named together
  std::string closed;
  for (const gl::DisplayReport& display : gl::report_displays()) {
    if (display.versions.empty()) {
      closed += (closed.empty() ? "" : ", ") + display.name;
    } else if (const auto known = std::find(versions.begin(), versions.end(), display.versions);
               known != versions.end()) {
      names[static_cast<std::size_t>(known - versions.begin())] += ", " + display.name;
    } else {
      versions.push_back(display.versions);
      names.push_back(display.name);
    }
  }
  if (versions.empty())
    return {State::problem, "EGL",
            "no display can be opened" + (closed.empty() ? closed : fmt::format(" (tried {})", closed)),
            fmt::format("install libegl1 and libgl1-mesa-dri; {}", remedy_without_opengl_device(signs))};
  std::string text;
  for (std::size_t i = 0; i < versions.size(); ++i)
    text += fmt::format("{}{} on {}", text.empty() ? "" : "; ", versions[i], names[i]);
  return {State::ok, "EGL", text};
}

Finding examine_device(const std::string& backend, Backend& device, const GpuSigns& signs) {
  const Capabilities able = device.capabilities();
  std::string text = device.device();
  if (able.memory_bytes > 0 && !able.software) text += fmt::format(", {} to use", byte_size_text(able.memory_bytes));
  if (const auto* card = dynamic_cast<LinksRows*>(&device.innermost()); card && card->links_machines())
    text += ", NCCL between cards";
  if (const std::string versions = device.innermost().versions(); !versions.empty()) text += ", " + versions;
  if (!able.software) return {State::ok, subject_of(backend), text};
  return {State::note, subject_of(backend), text + ": software rendering: no GPU was found",
          remedy_without_opengl_device(signs)};
}

/// Of an error's "problem; remedy".
Finding finding_of(State state, const std::string& subject, const std::string& error) {
  const auto end = error.find("; ");
  return {state, subject, error.substr(0, end), end == std::string::npos ? "" : error.substr(end + 2)};
}

/// Findings of all devices of a backend, or the reason why it has none.
std::vector<Finding> examine_backend(const std::string& name, const GpuSigns& signs) {
  std::vector<Finding> findings;
  for (std::int64_t index = 0;; ++index) {
    BackendOptions options;
    options.device = index;
    try {
      const auto device = make_backend(name, options);
      findings.push_back(examine_device(name, *device, signs));
    } catch (const Error& error) {
      if (index == 0)
        findings.push_back(
            finding_of(name == "gl" ? State::problem : State::note, subject_of(name), in_flags(error.what())));
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
  findings.push_back({State::ok, "libraries", fmt::format("{}", fmt::join(library_versions(), ", "))});
  if (std::string_view(BACKLIT_LEFT_OUT).size() > 0) findings.push_back({State::ok, "left out", BACKLIT_LEFT_OUT});
  return findings;
}

std::vector<Finding> examine_machine() {
  std::vector<Finding> findings{examine_system(), examine_processor(), examine_memory(), examine_assets()};
  const GpuSigns signs = find_gpu_signs();
  if (!signs.nvidia_driver.empty()) findings.push_back({State::ok, "driver", driver_text(signs)});
  findings.push_back(examine_egl(signs));
  const std::vector<std::string> backends = backend_names();
  for (const std::string& name : backends)
    for (Finding& finding : examine_backend(name, signs)) findings.push_back(std::move(finding));
  if (signs.nvidia_card && std::find(backends.begin(), backends.end(), "cuda") == backends.end())
    findings.push_back({State::note, "CUDA", "a card by NVIDIA is there, and this program was built without CUDA",
                        "build it where nvcc is, or use Python's wheel with CUDA (docs/install.md)"});
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
  const double rate = 1e-6 * static_cast<double>(piece * pieces) / seconds;
  const std::string text = fmt::format("{} free, writes {:.0f} MB/s in {}", free, rate, folder.string());
  if (rate < 50)
    return {State::note, "disk", text, "512^3 voxels take 512 MiB: write results to a folder on a faster disk"};
  return {State::ok, "disk", text};
}

}  // namespace backlit::cli
