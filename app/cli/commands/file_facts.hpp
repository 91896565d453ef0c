// What `backlit info` lists of a file's header: values with their source, and fields that are not used.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include <backlit/io/scans/scan_file.hpp>
#include "command.hpp"

namespace backlit::cli {

/// `file`: a ScanFile, a FileInfo or a ListModeFile.
template <class File>
void print_facts(const File& file, const Console& c) {
  constexpr std::size_t most = 100;  // a Zeiss file has seven hundred
  if (!file.facts.empty()) c.say("read", "");
  for (const ScanFact& fact : file.facts) c.say("", fmt::format("{} {}  ({})", fact.meaning, fact.value, fact.source));
  if (!file.unused.empty()) c.say("not used", "");
  for (std::size_t i = 0; i < std::min(most, file.unused.size()); ++i) c.say("", file.unused[i]);
  if (file.unused.size() > most)
    c.say("", fmt::format("and {} more: --json lists all of them", file.unused.size() - most));
}

template <class File>
void add_facts(const File& file, nlohmann::ordered_json& json) {
  if (file.facts.empty() && file.unused.empty()) return;
  json["facts"] = nlohmann::ordered_json::array();
  for (const ScanFact& fact : file.facts)
    json["facts"].push_back({{"meaning", fact.meaning}, {"value", fact.value}, {"source", fact.source}});
  json["unused"] = file.unused;
}

}  // namespace backlit::cli
