#include "backend_option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <set>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>

namespace backlit::cli {

void BackendOption::add_flags(CLI::App& app) {
  app.add_option("--backend", name,
                 fmt::format("{} or auto: the first that starts and offers what is asked, GPUs first (default auto)",
                             fmt::join(backend_names(), ", ")))
      ->type_name("NAME")
      ->group("Method");
  app.add_option("--device", devices,
                 "which of several devices of the backend, from 0 (default 0); 0,1 lets them share the work")
      ->option_text("INDEX,...")
      ->delimiter(',')
      ->group("Method");
  app.add_option("--gpu-memory", memory,
                 "what may be used of the device's memory, as 256M or 2G: larger volumes go through in parts (default: "
                 "what there is)")
      ->type_name("SIZE")
      ->group("Method");
}

std::unique_ptr<Backend> BackendOption::make(const Console& console, const BackendUse& use) const {
  BackendOptions options;
  if (std::set<std::int64_t>(devices.begin(), devices.end()).size() != devices.size())
    throw InputError("--device", "a device is named twice", "name each once");
  if (!devices.empty() && name == "cpu")
    throw InputError("--device", "the cpu is one device", "leave it out, or choose another --backend");
  if (!devices.empty()) {
    options.device = devices.front();
    options.further_devices.assign(devices.begin() + 1, devices.end());
  }
  if (!memory.empty()) options.memory_bytes = byte_size_from(memory, "--gpu-memory");
  std::vector<std::string> passed_over;
  auto backend = make_backend(name, options, use, &passed_over);
  for (const std::string& reason : passed_over) console.detail(reason);
  console.detail(fmt::format("backend {} on {}", backend->name(), device_text(*backend)));
  return backend;
}

std::string device_text(const Backend& backend) {
  const std::string device = backend.device();
  const bool software = device.find("llvmpipe") != std::string::npos || device.find("softpipe") != std::string::npos;
  return software ? device + ": a software renderer on the CPU, no GPU was found" : device;
}

}  // namespace backlit::cli
