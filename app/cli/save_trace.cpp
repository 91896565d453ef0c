#include "save_trace.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace backlit::cli {
namespace {

using nlohmann::json;

/// Clocks of machines differ: spans are counted from `met`, when all ranks have met.
std::string text_of(const Timeline& timeline, double met) {
  json spans = json::array();
  for (const TimeSpan& s : timeline) spans.push_back({s.lane, s.name, s.start - met, s.seconds});
  return spans.dump();
}

void add(std::string_view text, int rank, Timeline& all) {
  for (const json& s : json::parse(text))
    all.push_back({fmt::format("rank {}: {}", rank, s[0].get<std::string>()), s[1], s[2], s[3]});
}

}  // namespace

void save_trace(const Timeline& timeline, const std::string& file, const Console& console) {
  if (file.empty()) return;
  if (timeline.empty())
    console.warn("--trace: stages ran one after another here, there is no timeline; FDK on a GPU has one (cuda, gl)");
  else
    write_trace(timeline, file);
}

Timeline gather_timelines(Ranks& ranks, const Timeline& own) {
  ranks.maximum(0);
  const std::string mine = text_of(own, clock_seconds());
  const double size[] = {static_cast<double>(mine.size())};
  const std::vector<double> sizes = ranks.gather(size);
  std::vector<std::string> texts(sizes.size());
  Ranks::Out out(sizes.size());
  Ranks::In in(sizes.size());
  if (ranks.rank() > 0) out[0] = std::as_bytes(std::span(mine));
  for (std::size_t r = 1; ranks.rank() == 0 && r < sizes.size(); ++r) {
    texts[r].resize(static_cast<std::size_t>(sizes[r]));
    in[r] = std::as_writable_bytes(std::span(texts[r]));
  }
  ranks.exchange(out, in);
  Timeline all;
  if (ranks.rank() > 0) return all;
  texts[0] = mine;
  for (std::size_t r = 0; r < texts.size(); ++r) add(texts[r], static_cast<int>(r), all);
  return all;
}

}  // namespace backlit::cli
