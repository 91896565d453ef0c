#include "ranks/stages_of_ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace backlit::cli {

std::vector<StageOfRanks> stages_of_ranks(Ranks& ranks, const StageSeconds& own) {
  std::string mine;
  for (const auto& [stage, seconds] : own) mine += fmt::format("{:a} {}\n", seconds, stage);
  std::vector<StageSeconds> all;
  std::set<std::string> names;
  for (const std::string& text : ranks.from_all(mine)) {
    StageSeconds& one = all.emplace_back();
    std::istringstream in(text);
    for (std::string seconds, stage; in >> seconds && std::getline(in >> std::ws, stage);) {
      one[stage] = std::strtod(seconds.c_str(), nullptr);
      names.insert(stage);
    }
  }
  std::vector<StageOfRanks> stages;
  for (const std::string& name : names) {
    std::vector<double> seconds;
    for (StageSeconds& one : all) seconds.push_back(one[name]);
    const auto [least, most] = std::ranges::minmax_element(seconds);
    stages.push_back({name, *least, *most, static_cast<int>(most - seconds.begin())});
  }
  return stages;
}

std::string text_of(const std::vector<StageOfRanks>& stages) {
  std::vector<StageOfRanks> sorted = stages;
  std::erase_if(sorted, [](const StageOfRanks& s) { return s.most < 0.005; });
  std::ranges::stable_sort(sorted, std::ranges::greater(), &StageOfRanks::most);
  std::vector<std::string> texts;
  for (const StageOfRanks& s : sorted)
    texts.push_back(fmt::format("{} {:.2f} to {:.2f} s (longest on rank {})", s.stage, s.least, s.most, s.slowest));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace backlit::cli
