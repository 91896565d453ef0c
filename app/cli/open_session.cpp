#include "open_session.hpp"

#include <fmt/format.h>

#include "device/shared_arrays.hpp"
#include "terminal_progress.hpp"

namespace backlit::cli {

Session open_session(const std::filesystem::path& path, const SessionOptions& options, const Console& console) {
  TerminalProgress bar(console.quiet);
  Session session = Session::open(path, options, Watch(bar, interrupt()));
  for (const std::string& warning : session.report().warnings) console.warn(in_flags(warning));
  session.require_projections();
  check_idle(options.preparation, session.file().corrections);
  return session;
}

void warn_of_repairs(const SessionReport& report, const Console& console) {
  if (const std::string text = repairs_text(report); !text.empty()) console.warn(text);
}

void warn_of_unlike_ranks(Backend& backend, const Console& console) {
  if (const std::string text = unlike_devices(backend); !text.empty()) console.warn(in_flags(text));
}

std::unique_ptr<Backend> start_backend(const DeviceOptions& options, const Console& console, const BackendUse& use) {
  std::vector<std::string> passed_over;
  auto backend = make_backend(options.backend, backend_options(options), use, &passed_over);
  warn_of_unlike_ranks(*backend, console);
  for (const std::string& reason : passed_over) console.detail(reason);
  console.detail(fmt::format("backend {} on {}", backend->name(), device_text(*backend)));
  return backend;
}

}  // namespace backlit::cli
