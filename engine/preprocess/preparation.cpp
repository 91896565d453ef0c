#include <backlit/preprocess/preparation.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {

std::string to_text(const CenterOption& c) {
  switch (c.kind) {
    case CenterOption::Kind::find:
      return "find";
    case CenterOption::Kind::column:
      return fmt::format("{}", c.column);
    default:
      return {};
  }
}

void from_text(CenterOption& c, const std::string& text, const std::string& where) {
  double column = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), column);
  if (text.empty())
    c = {};
  else if (text == "find")
    c = CenterOption::Kind::find;
  else if (error == std::errc{} && stop == text.data() + text.size() && std::isfinite(column))
    c = column;
  else
    throw InputError(where, fmt::format("'{}' is neither 'find' nor a column", text),
                     "'find' looks for it; columns count from 0, at the middle of a pixel");
}

std::string to_text(const ViewRange& v) {
  return v.all() ? std::string() : fmt::format("{}:{}:{}", v.first, v.end, v.step);
}

void from_text(ViewRange& v, const std::string& text, const std::string& where) {
  v = {};
  if (text.empty()) return;
  std::int64_t numbers[3] = {0, 0, 1};
  const char *at = text.data(), *end = at + text.size();
  int count = 0;
  for (bool more = true; more && count < 3; ++count) {
    const auto [stop, error] = std::from_chars(at, end, numbers[count]);
    if (error != std::errc{}) break;
    more = stop != end && *stop == ':';
    at = more ? stop + 1 : stop;
  }
  if (at != end || count < 2)
    throw InputError(where, fmt::format("'{}' is not FIRST:END or FIRST:END:STEP", text),
                     "0:180:6, say, takes views 0, 6, ... up to 174");
  if (numbers[0] < 0 || numbers[0] >= numbers[1] || numbers[2] < 1)
    throw InputError(where, fmt::format("'{}' selects nothing", text),
                     "FIRST is 0 or more, END is larger, STEP is at least 1");
  v = {numbers[0], numbers[1], numbers[2]};
}

void check_idle(const PreparationOptions& asked, const CorrectionOptions& of_file) {
  if (asked.correct == CorrectionSource::automatic) return;
  check_idle(asked.correct == CorrectionSource::file ? over(of_file, asked.corrections) : asked.corrections);
}

Parameter correct_parameter(CorrectionSource& correct) {
  return choice("correct", correct, "corrections to make: the scan file's, none, or those that the projections need",
                {"file", "none", "auto"});
}

Parameters describe(PreparationOptions& o) {
  return {written("center", o.center,
                  "column (0-based, fractions allowed) on which the rotation axis projects, or 'find' (default: the "
                  "scan file's offset_px)",
                  "find|px"),
          written("views", o.views, "the views to use: from FIRST on, below END, every STEP-th (default: all)",
                  "FIRST:END:STEP")};
}

}  // namespace backlit
