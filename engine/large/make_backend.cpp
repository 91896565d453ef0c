#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <map>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/device/device_options.hpp>
#include <backlit/device/ranks.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "device/gl/gl_backend.hpp"
#include "device/shared_arrays.hpp"
#include "large/device_group.hpp"
#include "large/large_backend.hpp"
#include "large/ranks/ranked_backend.hpp"

namespace backlit {
namespace {

using Entry = std::pair<std::string, BackendFactory>;

/// Backends in the order of registration. "auto" tries them from the last to the first.
std::vector<Entry>& registry() {
  static std::vector<Entry> entries{
      {"cpu", [](const BackendOptions& options) { return std::make_unique<CpuBackend>(options); }},
      {"gl", make_gl_backend},
  };
  return entries;
}

/// The backend of one device, or of several that share the work.
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

/// Of ranks, where no card was asked for. cpu and gl know none.
bool takes_own_card(const std::string& name, const BackendOptions& options) {
  return options.device == 0 && options.further_devices.empty() && name != "cpu" && name != "gl";
}

/// Volumes may be larger than the device. The cpu's memory is the host's, where nothing is cut: its results are the
/// same bit for bit whatever the budget.
std::unique_ptr<Backend> start(const Entry& entry, BackendOptions options) {
  const auto& [name, factory] = entry;
  if (name == "cpu") options.memory_bytes = 0;
  const std::shared_ptr<Ranks>& ranks = shared_among();
  if (ranks && takes_own_card(name, options)) {
    options.device = ranks->local_rank();
    options.processes = ranks->local_size();
  }
  auto backend = devices_for(factory, options);
  if (name != "cpu") backend = std::make_unique<LargeBackend>(std::move(backend), options.memory_bytes);
  if (ranks) return std::make_unique<RankedBackend>(std::move(backend), ranks, slabs_among());
  return backend;
}

/// Ranks use their backends together, and first compare them.
void use_with_ranks(Backend& backend, const BackendUse& use, std::span<const std::string> passed_over) {
  auto* const shared = dynamic_cast<SharedArrays*>(&backend);
  if (!shared) return use(backend);
  shared->compare_devices(passed_over);
  try {
    use(backend);
  } catch (const Unsupported& error) {
    // Ranks with one kind of device all pass it over. With several kinds they would no longer make the same calls.
    if (shared->unlike_devices().empty()) throw;
    throw InputError("ranks", fmt::format("{}; {}", error.what(), shared->unlike_devices()),
                     "give all ranks the same `backend`");
  }
}

/// The search of choose_backend() through all names.
class Walk {
 public:
  Walk(const std::function<Backend&(const std::string&)>& start, const BackendUse& use,
       std::vector<std::string>& passed_over, bool software_before_cpu)
      : start_(start), use_(use), passed_over_(passed_over), software_before_cpu_(software_before_cpu) {}

  Backend& make() {
    std::vector<std::string> in_software;
    for (auto entry = registry().rbegin(); entry != registry().rend(); ++entry)
      if (Backend* found = take(entry->first, &in_software)) return *found;
    for (const std::string& name : in_software)
      if (Backend* found = take(name, nullptr)) return *found;
    if (error_) std::rethrow_exception(error_);
    throw Failure("backend auto", "none starts", fmt::format("{}", fmt::join(passed_over_, " | ")));
  }

 private:
  /// Null when the backend is passed over. A backend in software is added to `later`, unless `later` is null.
  Backend* take(const std::string& name, std::vector<std::string>* later) {
    Backend* backend = nullptr;
    try {
      backend = &start_(name);
    } catch (const Error& error) {
      passed_over_.push_back(fmt::format("{} does not start: {}", name, error.what()));
      return nullptr;
    }
    if (later && !software_before_cpu_ && backend->capabilities().software) {
      later->push_back(name);
      passed_over_.push_back(fmt::format("{} passed over: no GPU was found", name));
      return nullptr;
    }
    try {
      if (use_) use_with_ranks(*backend, use_, passed_over_);
      return backend;
    } catch (const Unsupported& error) {
      refused(name, error.what(), later);
    } catch (const Failure& error) {
      if (shared_among()) throw;  // other ranks do not know of it
      refused(name, error.what(), later);
    }
    return nullptr;
  }

  void refused(const std::string& name, const char* reason, const void* first_round) {
    if (!first_round) return;
    passed_over_.push_back(fmt::format("{} passed over: {}", name, reason));
    error_ = std::current_exception();
  }

  const std::function<Backend&(const std::string&)>& start_;
  const BackendUse& use_;
  std::vector<std::string>& passed_over_;
  bool software_before_cpu_;
  std::exception_ptr error_;
};

}  // namespace

void register_backend(const std::string& name, BackendFactory factory) {
  auto& entries = registry();
  std::erase_if(entries, [&](const Entry& entry) { return entry.first == name; });
  entries.emplace_back(name, std::move(factory));
}

std::unique_ptr<Backend> make_registered_backend(const std::string& name, const BackendOptions& options) {
  for (auto entry = registry().rbegin(); entry != registry().rend(); ++entry) {
    if (entry->first == "cpu" || entry->first == "gl" || (name != "auto" && name != entry->first)) continue;
    try {
      return start(*entry, options);
    } catch (const Error&) {  // no such device
      if (name != "auto") throw;
    }
  }
  return nullptr;
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const Entry& entry : registry()) names.push_back(entry.first);
  return names;
}

Backend& choose_backend(const std::string& name, const std::function<Backend&(const std::string&)>& start,
                        const BackendUse& use, std::vector<std::string>* passed_over, bool software_before_cpu) {
  std::vector<std::string> reasons;
  if (name == "auto") return Walk(start, use, passed_over ? *passed_over : reasons, software_before_cpu).make();
  Backend& backend = start(name);
  if (use) use_with_ranks(backend, use, {});
  return backend;
}

std::unique_ptr<Backend> make_backend(const std::string& name, const BackendOptions& options, const BackendUse& use,
                                      std::vector<std::string>* passed_over) {
  std::map<std::string, std::unique_ptr<Backend>> started;
  const auto start_once = [&](const std::string& wanted) -> Backend& {
    auto& backend = started[wanted];
    for (const Entry& entry : registry())
      if (!backend && entry.first == wanted) backend = start(entry, options);
    if (!backend)
      throw InputError("backend", fmt::format("unknown backend '{}'", wanted),
                       fmt::format("choose one of auto, {}", fmt::join(backend_names(), ", ")));
    return *backend;
  };
  const Backend& chosen = choose_backend(name, start_once, use, passed_over);
  for (auto& [unused, backend] : started)
    if (backend.get() == &chosen) return std::move(backend);
  return nullptr;  // not reached: the chosen backend has been started
}

}  // namespace backlit
