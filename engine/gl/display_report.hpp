// What EGL offers on this machine, in words.
#pragma once

#include <string>
#include <vector>

namespace backlit::gl {

struct DisplayReport {
  std::string name;      ///< "EGL device 0 (software)"
  std::string versions;  ///< "1.5 by NVIDIA"; empty if the display cannot be opened
};

/// Opens every display for contexts without a window, best first.
std::vector<DisplayReport> report_displays();

}  // namespace backlit::gl
