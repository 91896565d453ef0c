// Formats of numbers and names in reports.
#pragma once

#include <string>

#include "study/report/statistics.hpp"
#include "study/study_result.hpp"

namespace backlit::report {

/// Three significant digits, all digits of a whole number, no exponent if that is short: "0.208", "37.8", "3784".
std::string number(double);
/// With a letter for thousands and more: "12", "4.19 M", "48.3 G".
std::string amount(double);
/// A share as percentage: "97 %", "3.2 %", "0.08 %".
std::string percent(double share);
/// "1.2 ms".
std::string duration(double seconds);
/// Like percent(); "?" for a spread of 1 or more, which is meaningless.
std::string spread_text(double spread);
/// "37.8 ± 1.2 %".
std::string with_spread(double value, double spread);
/// "2.31 ± 4 %", with "may be 1" if the spread includes 1.
std::string ratio_text(const Ratio&);
/// Names of operations and options for people: "distance_driven" is "distance driven", the option "views" is "views per
/// pass".
std::string spoken(const std::string& name);
/// "ok", "failed" or "unsupported".
const char* name(StudyCell::Status);
/// "failed", "not offered" or empty.
std::string reason_of_none(StudyCell::Status);
/// Style of a row: "failed", "unsupported", "noisy" or empty.
std::string mark_of(const StudyCell&);

}  // namespace backlit::report
