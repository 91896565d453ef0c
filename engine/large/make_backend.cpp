#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "device/gl/gl_backend.hpp"
#include "large/device_group.hpp"
#include "large/large_backend.hpp"

namespace backlit {
namespace {

using Entry = std::pair<std::string, BackendFactory>;

/// In order of registration; "auto" goes through it from the back.
std::vector<Entry>& registry() {
  static std::vector<Entry> entries{
      {"cpu", [](const BackendOptions& options) { return std::make_unique<CpuBackend>(options); }},
      {"gl", make_gl_backend},
  };
  return entries;
}

/// One device, or several that share their work.
std::unique_ptr<Backend> devices_for(const BackendFactory& factory, const BackendOptions& options) {
  if (options.further_devices.empty()) return factory(options);
  std::vector<std::unique_ptr<Backend>> devices;
  BackendOptions one = options;
  one.further_devices.clear();
  devices.push_back(factory(one));
  for (std::int64_t device : options.further_devices) {
    one.device = device;
    devices.push_back(factory(one));
  }
  return make_device_group(std::move(devices));
}

/// Volumes may be larger than the device. The cpu's memory is the host's, where nothing is cut: its results are the
/// same bit for bit whatever the budget.
std::unique_ptr<Backend> start(const Entry& entry, BackendOptions options) {
  const auto& [name, factory] = entry;
  if (name == "cpu") options.memory_bytes = 0;
  auto devices = devices_for(factory, options);
  if (name == "cpu") return devices;
  return std::make_unique<LargeBackend>(std::move(devices), options.memory_bytes);
}

std::unique_ptr<Backend> first_that_offers(const BackendOptions& options, const BackendUse& use,
                                           std::vector<std::string>& passed_over) {
  std::exception_ptr unsupported;
  for (auto entry = registry().rbegin(); entry != registry().rend(); ++entry) {
    std::unique_ptr<Backend> backend;
    try {
      backend = start(*entry, options);
    } catch (const Error& error) {
      passed_over.push_back(fmt::format("{} does not start: {}", entry->first, error.what()));
      continue;
    }
    try {
      if (use) use(*backend);
      return backend;
    } catch (const Unsupported& error) {
      passed_over.push_back(fmt::format("{} passed over: {}", entry->first, error.what()));
      unsupported = std::current_exception();
    }
  }
  if (unsupported) std::rethrow_exception(unsupported);
  throw Failure("backend auto", "none starts", fmt::format("{}", fmt::join(passed_over, " | ")));
}

}  // namespace

void register_backend(const std::string& name, BackendFactory factory) {
  auto& entries = registry();
  std::erase_if(entries, [&](const Entry& entry) { return entry.first == name; });
  entries.emplace_back(name, std::move(factory));
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const Entry& entry : registry()) names.push_back(entry.first);
  return names;
}

std::unique_ptr<Backend> make_backend(const std::string& name, const BackendOptions& options, const BackendUse& use,
                                      std::vector<std::string>* passed_over) {
  std::vector<std::string> reasons;
  if (name == "auto") return first_that_offers(options, use, passed_over ? *passed_over : reasons);
  for (const Entry& entry : registry()) {
    if (entry.first != name) continue;
    auto backend = start(entry, options);
    if (use) use(*backend);
    return backend;
  }
  throw InputError("backend", fmt::format("unknown backend '{}'", name),
                   fmt::format("choose one of auto, {}", fmt::join(backend_names(), ", ")));
}

}  // namespace backlit
