#include <fmt/format.h>

#include <cmath>

#include "study/report/format.hpp"
#include "study/report/selection.hpp"
#include "study/study_report.hpp"

namespace backlit {
namespace {

using namespace report;

/// RFC 4180: fields with commas, quotes or line breaks in quotes.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

/// Empty if it is not known.
std::string value(const std::optional<double>& number) { return number ? fmt::format("{:.6g}", *number) : ""; }

std::optional<double> if_positive(double number) { return number > 0 ? std::optional(number) : std::nullopt; }

std::string line(const std::vector<std::string>& fields) {
  std::string out;
  for (const std::string& text : fields) out += (&text == fields.data() ? "" : ",") + field(text);
  return out + "\n";
}

}  // namespace

std::string study_csv(const StudyResult& r) {
  std::string out = line({"operation", "workload", "architecture", "options", "status", "rate", "unit", "spread",
                          "seconds", "repeats", "device seconds", "error", "error unit", "share", "limit", "note"});
  for (const StudyCell& c : r.cells) {
    const bool timed = has_speed(c);
    out += line({c.operation, c.workload, c.architecture, options_text(c), name(c.status), timed ? value(c.rate) : "",
                 timed ? c.unit : "", timed ? value(c.spread) : "", timed ? value(c.median) : "",
                 timed ? std::to_string(c.seconds.size()) : "", timed ? value(if_positive(c.device_seconds)) : "",
                 value(c.rmse), c.rmse ? c.error_unit : "", timed ? value(c.share) : "", timed ? c.limit : "", c.note});
  }
  for (const Ceiling& c : r.ceilings)
    out += line({"limit", c.name, c.architecture, "", "ok", value(c.rate), c.unit, value(c.spread), "", "", "", "", "",
                 "", "", ""});
  return out;
}

}  // namespace backlit
