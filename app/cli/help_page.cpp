#include "help_page.hpp"

#include <sstream>

namespace backlit::cli {

std::string help_page(const std::string& text, std::size_t width, std::size_t indent) {
  std::istringstream lines(text);
  std::string page;
  bool blank = true;  // true at the start, so that leading blank lines are dropped
  for (std::string line; std::getline(lines, line); blank = line.empty()) {
    if (line.empty() && blank) continue;
    const std::string margin(line.starts_with("  ") ? indent : 0, ' ');
    while (line.size() > width) {
      const auto space = line.rfind(' ', width), bar = line.rfind('|', width - 1);
      const bool at_bar = bar != std::string::npos && (space == std::string::npos || bar > space);
      const auto cut = at_bar ? bar + 1 : space;
      if (cut == std::string::npos || cut <= margin.size()) break;  // one word longer than the line
      page += line.substr(0, cut) + '\n';
      line = margin + line.substr(at_bar ? cut : cut + 1);
    }
    page += line + '\n';
  }
  return page;
}

}  // namespace backlit::cli
