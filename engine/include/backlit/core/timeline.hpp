// Timeline of work: spans of time on named lanes, and the file that trace viewers open.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace backlit {

struct TimeSpan {
  std::string lane;  ///< "upload", "filter", "backproject", "download": one row of the picture
  std::string name;  ///< "views 8 to 23"
  double start = 0;  ///< seconds; the origin is the same for all spans of a timeline
  double seconds = 0;
};

using Timeline = std::vector<TimeSpan>;

/// Seconds of the steady clock, for spans of the host.
double clock_seconds();

/// Seconds by lane.
std::map<std::string, double> lane_seconds(const Timeline&);

/// Chrome's trace format (JSON; chrome://tracing and ui.perfetto.dev open it), atomically. It begins with the first
/// span. Lanes keep the order in which they first appear.
void write_trace(const Timeline&, const std::filesystem::path&);

}  // namespace backlit
