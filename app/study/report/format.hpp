// Numbers and names as reports write them.
#pragma once

#include <string>

#include "study/report/statistics.hpp"
#include "study/study_result.hpp"

namespace backlit::report {

/// Three significant digits, all of a whole number, no exponent where that is short: "0.208", "37.8", "3784".
std::string number(double);
/// With a letter for thousands and more: "12", "4.19 M", "48.3 G".
std::string amount(double);
/// Of a share: "97 %", "3.2 %", "0.08 %".
std::string percent(double share);
/// "1.2 ms".
std::string duration(double seconds);
/// As percent(); a spread of a whole or more says nothing: "?".
std::string spread_text(double spread);
/// "37.8 ± 1.2 %".
std::string with_spread(double value, double spread);
/// "2.31 ± 4 %", and "may be 1" beside it where its spread holds 1.
std::string ratio_text(const Ratio&);
/// Operations and options as words: "distance_driven" is "distance driven", the option "views" "views per pass".
std::string spoken(const std::string& name);
/// "ok", "failed" or "unsupported".
const char* name(StudyCell::Status);
/// "failed", "not offered" or nothing.
std::string reason_of_none(StudyCell::Status);
/// "failed", "unsupported", "noisy" or nothing: the looks of a row.
std::string mark_of(const StudyCell&);

}  // namespace backlit::report
