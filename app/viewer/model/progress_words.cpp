#include "model/progress_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace backlit::viewer {
namespace {

/// Text for the remaining time, estimated from the share that is done; empty while it is unknown.
std::string left(double seconds, double share) {
  constexpr double soon = 2;
  if (seconds < soon || share < 0.02 || share >= 1) return "";
  const double rest = seconds * (1 - share) / share;
  return rest < soon ? "" : fmt::format(", {} left", duration(rest));
}

/// Text for an iteration, which may pass over the views more than once. `left`: the remaining time; before the views,
/// which a narrow panel cuts off.
std::string iterating(const Status& s, std::int64_t iterations, const std::string& left) {
  const ReconProgress& p = s.progress;
  const std::string which =
      fmt::format("Iteration {} of {}{}", std::min(p.iteration + 1, iterations), iterations, left);
  const double each = static_cast<double>(p.total) / static_cast<double>(iterations);
  const double done = std::clamp(static_cast<double>(p.done) - each * static_cast<double>(p.iteration), 0.0, each);
  if (p.unit == "events") return which + fmt::format(" ({:.3g} of {:.3g} M events)", 1e-6 * done, 1e-6 * each);
  const auto views = static_cast<double>(s.source->scan.view_count());
  return which + fmt::format(" ({:.0f} of {:.0f} {})", done * views / each, views, p.unit);
}

}  // namespace

std::string stage_in_words(const std::string& stage) {
  static const std::map<std::string, std::string> known{{"read", "Reading data"},
                                                        {"check", "Checking file"},
                                                        {"write", "Writing file"},
                                                        {"filter", "Filtering projections"},
                                                        {"stripes", "Removing rings"},
                                                        {"count", "Counting events"},
                                                        {"counts", "Counting events"},
                                                        {"simulate", "Simulating"},
                                                        {"compare", "Comparing A and B"},
                                                        {"sensitivity", "Sensitivity"},
                                                        {"thickness", "Measuring the wall thickness"},
                                                        {"find center", "Finding the rotation axis"},
                                                        {"denoise", "Smoothing noise"},
                                                        {"look for faults", "Looking for faults"},
                                                        {"calibrate", "Comparing projections"},
                                                        {"curves", "Drawing the criterion"},
                                                        {"backproject", "Backprojection"},
                                                        {"project", "Projecting"}};
  if (const auto found = known.find(stage); found != known.end()) return found->second;
  std::string text = stage;
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string activity_in_words(const Status& s) {
  if (s.activity.empty()) return "";
  const std::string text = stage_in_words(s.activity);
  if (s.activity_total < 1) return text;
  const double share = static_cast<double>(s.activity_done) / static_cast<double>(s.activity_total);
  return text + fmt::format(", {:.0f} %", 100 * share) + left(s.activity_seconds(), share);
}

double run_share(const Status& s) {
  const ReconProgress& p = s.progress;
  return p.total > 0 ? std::clamp(static_cast<double>(p.done) / static_cast<double>(p.total), 0.0, 1.0) : 0;
}

std::string run_in_words(const Status& s) {
  if (!s.running) {
    if (s.runs == 0) return "";
    if (s.finished.cancelled) return "Cancelled";
    const auto plan = s.finished.stages.find("plan");  // for a list the sensitivity, which may take longest
    const double before = s.source->list && plan != s.finished.stages.end() ? plan->second : 0;
    return fmt::format("{} {:.2f} s", s.finished.complete ? "Done in" : "Stopped after", s.finished.seconds + before);
  }
  const ReconProgress& p = s.progress;
  if (p.total == 0) return "Preparing ...";
  const double seconds = s.throughput.empty() ? 0 : s.throughput.back().seconds;
  const std::string paused = s.paused ? "Paused: " : "", rest = s.paused ? "" : left(seconds, run_share(s));
  if (p.stage == "iterate" && s.started.iterations > 0) return paused + iterating(s, s.started.iterations, rest);
  return fmt::format("{}{}: {} of {} {}{}", paused, stage_in_words(p.stage), p.done, p.total, p.unit, rest);
}

}  // namespace backlit::viewer
