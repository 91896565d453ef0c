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
/// "37.8 ± 1.2 %"; a spread of a whole or more is not known: "37.8 ± ?".
std::string with_spread(double value, double spread);
/// "2.31 ± 4 %", and "about 1" beside it where its spread holds 1.
std::string ratio_text(const Ratio&);
/// Operations and options as words: "distance_driven" is "distance driven", the option "views" "views per pass".
std::string spoken(const std::string& name);
/// "ok", "failed" or "unsupported".
const char* name(StudyCell::Status);
/// "failed", "unsupported", "noisy" or nothing.
std::string mark_of(const StudyCell&);

}  // namespace backlit::report
