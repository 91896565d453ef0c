// Texts for the work in progress.
#pragma once

#include <string>

#include "model/model.hpp"

namespace backlit::viewer {

/// Text for a stage of the engine: "read" becomes "Reading data".
std::string stage_in_words(const std::string& stage);
/// "3 s", "4 min", "2 h".
std::string duration(double seconds);
/// Work other than a run: its stage, share done and remaining time; empty if there is none.
std::string activity_in_words(const Status&);
/// The run in progress, or the end of the last one; empty before the first run.
std::string run_in_words(const Status&);
/// Share of the run in progress that is done.
double run_share(const Status&);

}  // namespace backlit::viewer
