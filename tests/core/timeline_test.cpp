// The trace file that viewers open.
#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include <backlit/core/timeline.hpp>
#include "support/scratch.hpp"

using namespace backlit;

TEST_CASE("A timeline becomes a trace with a named row a lane and microseconds") {
  const test::Scratch folder;
  const Timeline timeline{{"upload", "views 0 to 7", 0.001, 0.002},
                          {"filter", "views 0 to 7", 0.003, 0.001},
                          {"upload", "views 8 to 23", 0.003, 0.004}};
  const auto seconds = lane_seconds(timeline);
  CHECK(seconds.at("upload") == Approx(0.006));
  CHECK(seconds.at("filter") == Approx(0.001));
  write_trace(timeline, folder / "trace.json");
  std::ifstream in(folder / "trace.json");
  const auto json = nlohmann::json::parse(in);
  std::map<std::string, int> rows;
  int spans = 0;
  for (const auto& e : json["traceEvents"]) {
    if (e["ph"] == "M") rows[e["args"]["name"]] = e["tid"];
    if (e["ph"] == "X") {
      CHECK(e["tid"] == rows.at(e["cat"]));
      ++spans;
    }
  }
  CHECK(rows.size() == 2);
  CHECK(spans == 3);
  CHECK(json["traceEvents"][1]["ts"].get<double>() == Approx(0));
  CHECK(json["traceEvents"][3]["ts"].get<double>() == Approx(2000));
  CHECK(json["traceEvents"][1]["dur"].get<double>() == Approx(2000));
}
