// Ranks tell each other which devices they work with.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "device/shares_card.hpp"
#include "large/large_backend.hpp"
#include "large/ranks/ranked_backend.hpp"

namespace backlit {
namespace {

/// Of a rank.
struct DeviceOfRank {
  std::string kind, machine, card;
  std::vector<std::string> passed_over;

  std::string text() const {
    std::string hex;  // a card's name may hold any bytes
    for (const char c : card) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return fmt::format("{}\n{}\n{}\n{}\n", kind, machine, hex, fmt::join(passed_over, "\n"));
  }
  static DeviceOfRank from(const std::string& text) {
    DeviceOfRank d;
    std::istringstream in(text);
    for (std::string* field : {&d.kind, &d.machine, &d.card}) std::getline(in, *field);
    for (std::string reason; std::getline(in, reason);)
      if (!reason.empty()) d.passed_over.push_back(reason);
    return d;
  }
};

/// "rank 1 on n2", "62 ranks".
std::string named(const std::vector<std::size_t>& ranks, const std::vector<DeviceOfRank>& all) {
  constexpr std::size_t most_names = 3;
  if (ranks.size() > most_names) return fmt::format("{} ranks", ranks.size());
  std::vector<std::string> names;
  for (const std::size_t r : ranks) names.push_back(fmt::format("rank {} on {}", r, all[r].machine));
  return fmt::format("{}", fmt::join(names, " and "));
}

/// Why a rank passed over what others may work with.
std::string reasons(const DeviceOfRank& rank, const std::vector<DeviceOfRank>& all) {
  std::vector<std::string> own;
  for (const std::string& reason : rank.passed_over)
    if (std::ranges::any_of(all, [&](const auto& other) { return std::ranges::count(other.passed_over, reason) == 0; }))
      own.push_back(reason);
  return own.empty() ? "" : fmt::format(" ({})", fmt::join(own, "; "));
}

/// Empty where all work with the same kind.
std::string differences(const std::vector<DeviceOfRank>& all) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> kinds;  // in the order of their first ranks
  for (std::size_t r = 0; r < all.size(); ++r) {
    auto known = std::ranges::find(kinds, all[r].kind, &decltype(kinds)::value_type::first);
    if (known == kinds.end()) known = kinds.insert(known, {all[r].kind, {}});
    known->second.push_back(r);
  }
  if (kinds.size() < 2) return "";
  std::vector<std::string> texts;
  for (const auto& [kind, ranks] : kinds) {
    texts.push_back(fmt::format("{} {} with {}{}", named(ranks, all), ranks.size() > 1 ? "work" : "works", kind,
                                reasons(all[ranks.front()], all)));
  }
  return fmt::format("ranks work with different devices, and all wait for the slowest: {}", fmt::join(texts, "; "));
}

}  // namespace

void RankedBackend::compare_devices(std::span<const std::string> passed_over) {
  const auto* const card = dynamic_cast<SharesCard*>(&device_->innermost());
  const DeviceOfRank mine{device_->name() + (device_->capabilities().software ? " in software" : ""),
                          ranks_->machine(),
                          card ? card->card_name() : "",
                          {passed_over.begin(), passed_over.end()}};
  std::vector<DeviceOfRank> all;
  for (const std::string& text : ranks_->from_all(mine.text())) all.push_back(DeviceOfRank::from(text));
  unlike_ = differences(all);

  std::map<std::pair<std::string, std::string>, std::int64_t> sharing;
  for (const DeviceOfRank& d : all)
    if (!d.card.empty()) ++sharing[{d.machine, d.card}];
  if (std::ranges::all_of(sharing, [](const auto& card_and_ranks) { return card_and_ranks.second == 1; })) return;
  // All devices have started by now, and no rank makes arrays before all know what is free.
  const DeviceOfRank& here = all[static_cast<std::size_t>(ranks_->rank())];
  if (auto* const large = dynamic_cast<LargeBackend*>(device_.get());
      large && !here.card.empty() && !std::exchange(knows_share_, true))
    large->share_card(sharing.at({here.machine, here.card}));
  ranks_->sum(0);
}

}  // namespace backlit
