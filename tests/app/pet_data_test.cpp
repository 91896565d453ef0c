// PET lists from the command line: simulate --listmode, info, pet-quality.
#include <catch2/catch.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/render/png.hpp>
#include "support/io/damage.hpp"
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::test;
using Json = nlohmann::json;

namespace {

ProgramResult good(const TemporaryFolder& folder, const std::vector<std::string>& arguments) {
  const auto r = run_backlit(folder.path(), arguments);
  INFO(r.err);
  REQUIRE(r.code == 0);
  return r;
}

void refused(const TemporaryFolder& folder, const std::vector<std::string>& arguments, const std::string& text) {
  const auto before = folder.files();
  const auto r = run_backlit(folder.path(), arguments);
  CHECK(r.code == 2);
  CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
  CHECK_THAT(r.err, Catch::Contains(text));
  CHECK(folder.files() == before);
}

const std::vector<std::string> small{"simulate", "points", "--listmode", "--scanner", "gemini_tf",
                                     "--counts", "20000",  "--scatter",  "0.25",      "--randoms",
                                     "0.25",     "--seed", "7",          "--quiet"};

std::vector<std::string> with(std::vector<std::string> all, std::initializer_list<const char*> more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

TEST_CASE("simulate --listmode writes a CASToR list whose info tells what was asked for") {
  const TemporaryFolder folder;
  const Json made =
      Json::parse(good(folder, with(small, {"-o", "a.cdh", "--json", "--truth", "t.mha", "--grid", "40"})).out);
  CHECK(made["events"] == 20000);
  CHECK(made["trues"].get<int>() + made["scatters"].get<int>() + made["randoms"].get<int>() == 20000);
  CHECK(made["trues"].get<int>() == Approx(10000).margin(400));
  CHECK(folder.files() == std::vector<std::string>{"a.cdf", "a.cdh", "a.hscan", "a.lut", "t.mha"});
  CHECK(load_volume((folder / "t.mha").string()).grid.size == Size3{40, 40, 40});

  good(folder, with(small, {"-o", "b.cdh"}));
  CHECK(file_bytes(folder / "a.cdf") == file_bytes(folder / "b.cdf"));

  const Json info = Json::parse(good(folder, {"info", "a.cdh", "--json", "--png", "h.png"}).out);
  CHECK(info["kind"] == "list mode");
  CHECK(info["prompts"] == 20000);
  CHECK(info["tof_fwhm_ps"] == 600);
  CHECK(info["duration_s"] == 60);
  CHECK(info["mean_random_rate"].get<double>() > 0);
  std::int64_t tof = 0, rings = 0;
  for (const auto& n : info["tof_ps"]["counts"]) tof += n.get<std::int64_t>();
  for (const auto& n : info["ring_difference"]["counts"]) rings += n.get<std::int64_t>();
  CHECK(tof == 20000);
  CHECK(rings == 20000);
  CHECK(load_png(folder / "h.png").height == 3 * 320);
  const Json flipped = Json::parse(good(folder, {"info", "a.cdh", "--json", "--tof-sign", "-1"}).out);
  CHECK(flipped["tof_ps"]["first"].get<double>() ==
        Approx(-(info["tof_ps"]["first"].get<double>() +
                 info["tof_ps"]["width"].get<double>() * static_cast<double>(info["tof_ps"]["counts"].size()))));
  const std::string text = good(folder, {"info", "a.cdh"}).out;
  CHECK_THAT(text, Catch::Contains("prompts    20000 in 60 s: 333.333 a second"));
  CHECK_THAT(text, Catch::Contains("ring 2 - ring 1") && Catch::Contains("|####"));
  CHECK_THAT(text, Catch::Contains("Duration (s) 60  (a.cdh line "));
  CHECK(std::ranges::any_of(info["facts"], [](const Json& fact) { return fact["meaning"] == "Duration (s)"; }));
  CHECK(info["unused"].is_array());
}

TEST_CASE("list-mode commands refuse what cannot be, and leave nothing behind") {
  const TemporaryFolder folder;
  refused(folder, with(small, {"-o", "a.npy"}), "choose one of .cdh");
  refused(folder, with(small, {"-o", "a.cdh", "--scan", "x.scan.toml"}),
          "--scan and --noise do not apply to PET events");
  refused(folder, with(small, {"-o", "a.cdh", "--attenuation-output", "mu.mha"}), "give --attenuation");
  refused(folder, {"simulate", "points", "--listmode", "--scanner", "none", "-o", "a.cdh"}, "one of gemini_tf, mmr");
  refused(folder, {"simulate", "points", "--listmode", "--scatter", "0.9", "--randoms", "0.2", "-o", "a.cdh"},
          "together below 1");
  refused(folder, {"simulate", "points", "-o", "a.npy"}, "--scan: is missing; name a scan file, or give --listmode");
  refused(folder, {"pet-quality", "missing.mha"}, "missing.mha");
}

TEST_CASE("a simulation that is stopped leaves nothing behind") {
  const TemporaryFolder folder;
  const auto r = run_backlit(
      folder.path(),
      {"simulate", "nema-iq", "--attenuation", "nema-iq-mu", "--listmode", "--counts", "1e9", "-o", "a.cdh"}, 400);
  CHECK(r.code == 130);
  CHECK(folder.files().empty());
}

TEST_CASE("pet-quality prints the quality of images as text, table and curves") {
  const TemporaryFolder folder;
  good(folder, {"simulate", "nema-iq", "--listmode", "--counts", "10", "-o", "iq.cdh", "--truth", "true_it1.mha",
                "--grid", "150x150x30", "--voxel", "2x2x4", "--grid-center", "0,35,27", "--quiet"});
  std::filesystem::copy(folder / "true_it1.mha", folder / "true_it2.mha");
  const Json q = Json::parse(
      good(folder, {"pet-quality", "true_it1.mha", "true_it2.mha", "-o", "q.csv", "-o", "q.png", "--json"}).out);
  REQUIRE(q["images"].size() == 2);
  CHECK(q["images"][0]["series"] == "true");
  CHECK(q["images"][0]["spheres"].size() == 6);
  CHECK(q["images"][0]["spheres"][5]["contrast"].get<double>() == Approx(100).margin(8));
  CHECK(q["images"][0]["lung_residual"].get<double>() == Approx(0).margin(0.5));
  const std::string table = file_bytes(folder / "q.csv");
  CHECK_THAT(table, Catch::StartsWith("file,series,sphere_mm,contrast_percent"));
  CHECK(std::count(table.begin(), table.end(), '\n') == 13);
  CHECK(load_png(folder / "q.png").width == 3 * 460);
}

TEST_CASE("pet-quality says how well hot rods are separated, and draws profiles across them") {
  const TemporaryFolder folder;
  good(folder, {"simulate", "derenzo", "--listmode", "--counts", "10", "-o", "rods.cdh", "--truth", "true_it1.mha",
                "--grid", "216x216x3", "--voxel", "1x1x8", "--quiet"});
  const auto r = good(folder, {"pet-quality", "--phantom", "derenzo", "true_it1.mha", "-o", "q.csv", "-o", "q.png"});
  CHECK_THAT(r.out, Catch::Contains("4.8 mm  valley/peak 0.0") && Catch::Contains("separated 100.0 %"));
  const std::string table = file_bytes(folder / "q.csv");
  CHECK_THAT(table,
             Catch::StartsWith("file,series,rod_mm,valley_to_peak,peak,spread_percent,separated_percent\ntrue_it1.mha,"
                               "true,3.2,"));
  CHECK(std::count(table.begin(), table.end(), '\n') == 7);
  CHECK(load_png(folder / "q.png").height == 3 * 330);
  const Json q = Json::parse(good(folder, {"pet-quality", "--phantom", "derenzo", "true_it1.mha", "--json"}).out);
  const Json rods = q["images"][0]["rods"][5];
  CHECK(rods["rod_mm"] == 11.1);
  CHECK(rods["profile"].size() == rods["profile_mm"].size());
  CHECK(rods["profile"][5].get<double>() == Approx(1).margin(0.05));
  CHECK(rods["profile"][15].get<double>() == Approx(0).margin(0.05));
  refused(folder, {"pet-quality", "--phantom", "hot-rods-micro", "true_it1.mha", "-o", "q.txt"}, ".csv");
}
