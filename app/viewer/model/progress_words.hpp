// What is going on, in words.
#pragma once

#include <string>

#include "model/model.hpp"

namespace backlit::viewer {

/// "reading", a stage of the engine, in words: "Reading data".
std::string stage_in_words(const std::string& stage);
/// "3 s", "4 min", "2 h".
std::string duration(double seconds);
/// What else takes time than a run, how far it is, and how long it will take; empty when there is nothing.
std::string activity_in_words(const Status&);
/// The run in progress, or how the last one ended; empty before the first.
std::string run_in_words(const Status&, const ViewState&);
/// Share of the run in progress that is done.
double run_share(const Status&);

}  // namespace backlit::viewer
