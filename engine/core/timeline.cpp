#include <backlit/core/timeline.hpp>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>

namespace backlit {

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::map<std::string, double> lane_seconds(const Timeline& timeline) {
  std::map<std::string, double> seconds;
  for (const TimeSpan& s : timeline) seconds[s.lane] += s.seconds;
  return seconds;
}

void write_trace(const Timeline& timeline, const std::filesystem::path& path) {
  using Json = nlohmann::ordered_json;
  std::vector<std::string> lanes;
  Json events = Json::array();
  const auto first = std::ranges::min_element(timeline, {}, &TimeSpan::start);
  for (const TimeSpan& s : timeline) {
    auto lane = std::find(lanes.begin(), lanes.end(), s.lane);
    if (lane == lanes.end()) {
      lane = lanes.insert(lanes.end(), s.lane);
      events.push_back(
          {{"ph", "M"}, {"name", "thread_name"}, {"pid", 1}, {"tid", lanes.size()}, {"args", {{"name", s.lane}}}});
    }
    events.push_back({{"ph", "X"},
                      {"name", s.name},
                      {"cat", s.lane},
                      {"pid", 1},
                      {"tid", lane - lanes.begin() + 1},
                      {"ts", 1e6 * (s.start - first->start)},
                      {"dur", 1e6 * s.seconds}});
  }
  write_text(path, Json{{"displayTimeUnit", "ms"}, {"traceEvents", events}}.dump(1) + "\n");
}

}  // namespace backlit
