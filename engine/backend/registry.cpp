#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "backend/backend.hpp"
#include "backend/cpu/cpu_backend.hpp"
#include "backend/gl/gl_backend.hpp"
#include "core/error.hpp"

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

std::unique_ptr<Backend> first_that_starts(const BackendOptions& options) {
  std::string reasons;
  for (auto entry = registry().rbegin(); entry != registry().rend(); ++entry) try {
      return entry->second(options);
    } catch (const Error& error) {
      reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : " | ", entry->first, error.what());
    }
  throw Failure("backend auto", "none starts", reasons);
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

std::unique_ptr<Backend> make_backend(const std::string& name, const BackendOptions& options) {
  if (name == "auto") return first_that_starts(options);
  for (const auto& [known, factory] : registry())
    if (known == name) return factory(options);
  throw InputError("backend", fmt::format("unknown backend '{}'", name),
                   fmt::format("choose one of auto, {}", fmt::join(backend_names(), ", ")));
}

}  // namespace backlit
