#include "gl/display_report.hpp"

#include <fmt/format.h>

#include "gl/egl_display.hpp"

namespace backlit::gl {

std::vector<DisplayReport> report_displays() {
  std::vector<DisplayReport> reports;
  for (const DisplayCandidate& candidate : display_candidates({})) {
    DisplayReport report{candidate.name, {}};
    // The display belongs to the whole process: never terminate it.
    if (eglInitialize(candidate.display, nullptr, nullptr)) {
      const auto text = [&](EGLint name) {
        const char* const value = eglQueryString(candidate.display, name);
        return value ? value : "unknown";
      };
      report.versions = fmt::format("{} by {}", text(EGL_VERSION), text(EGL_VENDOR));
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace backlit::gl
