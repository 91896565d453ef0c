#include "study/bench_peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include <backlit/core/assets.hpp>
#include <backlit/core/error.hpp>

namespace backlit::cli {
namespace {

std::string text(const nlohmann::json& row, const char* key) {
  const auto at = row.find(key);
  return at != row.end() && at->is_string() ? at->get<std::string>() : std::string();
}

}  // namespace

Peers::Peers(const std::string& file) {
  if (file.empty()) return;
  const std::string path = file == "peers" ? (asset_folder("bench") / "peers.json").string() : file;
  std::ifstream in(path);
  const nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
  if (!json.is_object() || !json.contains("rows") || !json["rows"].is_array())
    throw InputError(path, "holds no benchmark rows",
                     "give a file that `backlit bench --json` wrote, or a file of the same form");
  for (const nlohmann::json& row : json["rows"]) {
    const auto rate = row.is_object() ? row.find("rate") : row.end();
    if (!row.is_object() || text(row, "case").empty() || text(row, "operation").empty() || rate == row.end() ||
        !rate->is_number() || !(rate->get<double>() > 0))
      throw InputError(path, fmt::format("row {} lacks case, operation or rate", rows_.size() + 1),
                       "each needs the first two as text, a number above 0 as rate");
    rows_.push_back({text(row, "case"), text(row, "operation"), text(row, "variant"), text(row, "unit"),
                     text(row, "source"), rate->get<double>()});
  }
}

std::vector<Peers::Row> Peers::of(const BenchRow& ours) const {
  std::vector<Row> same;
  std::ranges::copy_if(rows_, std::back_inserter(same), [&](const Row& row) {
    return row.case_name == ours.case_name && row.operation == ours.operation &&
           (row.unit.empty() || row.unit == ours.unit);
  });
  return same;
}

}  // namespace backlit::cli
