// Benchmarks with other programs' figures beside them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::test;
using nlohmann::json;

TEST_CASE("bench puts what other programs reach beside our rows") {
  const TemporaryFolder folder;
  const std::vector<std::string> lines{"bench",  "lm75",      "--backend", "cpu",      "--events",
                                       "0.0005", "--repeats", "1",         "--against"};
  const auto against = [&](const std::string& file, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = lines;
    arguments.push_back(file);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_backlit(folder.path(), arguments);
  };
  const auto shipped = against("peers");
  INFO(shipped.err);
  REQUIRE(shipped.code == 0);
  CHECK_THAT(shipped.out, Catch::Contains("against parallelproj 1.x, Joseph") && Catch::Contains("1280") &&
                              Catch::Contains("ours: "));
  const auto as_json = json::parse(against("peers", {"--json"}).out);
  for (const json& row : as_json["rows"]) {
    if (row["operation"] == "plan") {
      CHECK(row["against"].empty());
      continue;
    }
    REQUIRE(row["against"].size() == 1);
    CHECK(row["against"][0]["rate"].get<double>() > 100);
    CHECK_THAT(row["against"][0]["source"].get<std::string>(), Catch::Contains("not restricted"));
  }
  // What we wrote ourselves is such a file too.
  write_text(folder / "ours.json", as_json.dump());
  CHECK_THAT(against("ours.json").out, Catch::Contains("0.0005 M"));

  write_text(folder / "list.json", "[1, 2]");
  CHECK_THAT(against("list.json").err, Catch::Contains("list.json: holds no benchmark rows; give a file that"));
  write_text(folder / "short.json",
             R"({"rows": [{"case": "lm75", "operation": "back", "rate": 1}, {"case": "lm75"}]})");
  const auto wrong = against("short.json");
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Catch::Contains("short.json: row 2 lacks case, operation or rate; each needs"));
  CHECK(wrong.out.empty());
}

TEST_CASE("bench times what OpenGL does, pass by pass, and how far it is off") {
  const TemporaryFolder folder;
  const auto rows = [&](std::vector<std::string> more, const char* name = "cone64") {
    more.insert(more.begin(), {"bench", name, "--backend", "gl", "--repeats", "1"});
    const auto run = run_backlit(folder.path(), more);
    INFO(run.err);
    REQUIRE(run.code == 0);
    return run.out;
  };
  const std::string back = rows({"--operation", "backprojection", "--precision", "fast", "--packing", "all"}, "head24");
  CHECK_THAT(back, Catch::Contains("packing=none") && Catch::Contains("packing=slices") &&
                       Catch::Contains("packing=orbit") && Catch::Contains("GUPS"));
  const std::vector<std::string> packed{"--operation", "projection", "--precision", "fast",
                                        "--packing",   "orbit",      "--rmse"};
  const auto with = [&](const char* more) {
    auto all = packed;
    all.emplace_back(more);
    return all;
  };
  CHECK_THAT(rows(with("--timings")), Catch::Contains(" off double") && Catch::Contains("project packed"));
  const json forward = json::parse(rows(with("--json")));
  CHECK_THAT(forward["rows"][0]["variant"].get<std::string>(), Catch::Contains("stack=view"));
  // Of what double precision says by ray it is 3e-4 off; a card's weights of 8 bits are 2e-5 off by view.
  const bool software = forward["environment"]["device"].get<std::string>().find("llvmpipe") != std::string::npos;
  CHECK(forward["rows"][0]["relative"].get<double>() < (software ? 1e-6 : 1e-4));
  // Without a pipeline FDK's steps are timed one after the other, of line integrals.
  const auto fdk = run_backlit(
      folder.path(), {"bench", "cone64", "--backend", "gl", "--repeats", "1", "--operation", "fdk", "--precision",
                      "fast", "--packing", "orbit", "--rmse", "--trace", "t.json", "--json"});
  REQUIRE(fdk.code == 0);
  CHECK_THAT(fdk.err, Catch::Contains("cone64: left out: gl: counts are corrected on the host in this case") &&
                          Catch::Contains("--trace: stages ran one after another here, there is no timeline"));
  const json whole = json::parse(fdk.out);
  REQUIRE(whole["rows"].size() == 1);
  CHECK(whole["rows"][0]["operation"] == "fdk f32");
  CHECK_THAT(whole["rows"][0]["variant"].get<std::string>(),
             Catch::Contains("packing=orbit") && Catch::EndsWith(", in steps"));
  CHECK(whole["rows"][0]["rmse"].get<double>() < 0.1);
  const auto no_fft =
      run_backlit(folder.path(), {"bench", "cone64", "--backend", "cpu", "--operation", "filter", "--variant", "fft"});
  CHECK(no_fft.code == 2);
  CHECK_THAT(no_fft.err, Catch::Contains("bench: nothing could be timed; cone64: left out: filter_variant: fft is not "
                                         "offered on cpu; use --backend gl, or --variant host\n"));
  const json filters =
      json::parse(rows({"--operation", "filter", "--variant", "convolution;host", "--timings", "--json"}));
  CHECK(filters["rows"].size() == 28);
  for (const json& row : filters["rows"]) CHECK(row["rate"].get<double>() > 0);
  std::vector<std::string> iteration{"--operation",  "iteration",    "--method", "sart",
                                     "--back-model", "voxel_driven", "--json"};
  const json all = json::parse(rows(iteration, "head24"));
  REQUIRE(all["rows"].size() == 3);
  CHECK_THAT(all["rows"][2]["variant"].get<std::string>(), Catch::Contains("precision=half"));
  CHECK_THAT(all["rows"][2]["variant"].get<std::string>(), Catch::Contains("with back model=voxel_driven"));
  iteration.insert(iteration.end(), {"--precision", "half"});
  CHECK(json::parse(rows(iteration, "head24"))["rows"].size() == 1);
}

TEST_CASE("bench --quality puts error beside seconds for each method, in a table, a plot and JSON") {
  const TemporaryFolder folder;
  const auto r = run_backlit(folder.path(), {"bench",
                                             "head16",
                                             "--backend",
                                             "cpu",
                                             "--quality",
                                             "--views",
                                             "12,24",
                                             "--seconds",
                                             "100",
                                             "--target",
                                             "180",
                                             "--methods",
                                             "fdk,sirt,ossart,tv",
                                             "--pairs",
                                             "matched,voxel_driven",
                                             "--precision",
                                             "exact",
                                             "--plot",
                                             "curves.png",
                                             "--json"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  const json all = json::parse(r.out);
  CHECK(std::filesystem::file_size(folder / "curves.png") > 10000);
  CHECK(all["runs"].size() == 2 * 6);  // sirt and ossart have both pairs
  for (const json& run : all["runs"]) {
    INFO(run);
    REQUIRE_FALSE(run["points"].empty());
    double last = 0;
    for (const json& point : run["points"]) {
      CHECK(point["seconds"].get<double>() >= last);
      last = point["seconds"].get<double>();
      CHECK(point["rmse_hu"].get<double>() > 0);
      CHECK(point["ssim"].get<double>() <= 1);
    }
    if (run["method"] != "fdk") CHECK(run["points"].back()["rmse_hu"] < run["points"].front()["rmse_hu"]);
  }
  REQUIRE(all["comparisons"].size() == 2);
  for (const json& comparison : all["comparisons"]) {
    const json& rows = comparison["rows"];
    const auto seconds = [&](const std::string& name) {
      for (const json& row : rows)
        if (row["method"] == name) return row["seconds"];
      return json();
    };
    CHECK(seconds("sirt exact").is_number());
    CHECK(seconds("tv exact").is_number());
    CHECK(seconds("ASTRA sirt").is_number());
  }
  const auto refused = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"bench", "head24", "--backend", "cpu"});
    const auto failed = run_backlit(folder.path(), more);
    CHECK(failed.code == 2);
    return failed.err;
  };
  CHECK_THAT(refused({"--quality", "--views", "7"}),
             Catch::Contains("head24 has 360 views: 7 of them cannot be spaced evenly"));
  CHECK_THAT(refused({"--quality", "--methods", "magic"}), Catch::Contains("method: unknown value 'magic'"));
  CHECK_THAT(refused({"--quality", "--repeats", "2"}), Catch::Contains("curves of quality do not take it"));
  CHECK_THAT(refused({"--views", "60"}), Catch::Contains("only curves of quality have it; add --quality"));
}
