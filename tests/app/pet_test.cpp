// PET from the command line: a list is simulated, reconstructed, stopped and resumed.
#include <catch2/catch.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

void simulate_list(const TemporaryFolder& folder) {
  const auto r = run_backlit(folder.path(), {"simulate", "derenzo", "--listmode", "--scanner", "gemini_tf", "--counts",
                                             "20000", "--randoms", "0.1", "-o", "rods.cdh"});
  INFO(r.err);
  REQUIRE(r.code == 0);
}

ProgramResult pet(const TemporaryFolder& folder, std::vector<std::string> more) {
  std::vector<std::string> arguments{"pet",     "rods.cdh", "--backend",           "cpu",  "--grid", "31x31x11",
                                     "--voxel", "8",        "--sensitivity-pairs", "20000"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_backlit(folder.path(), arguments);
}

}  // namespace

TEST_CASE("a simulated list becomes an image, and goes on from a checkpoint") {
  const TemporaryFolder folder;
  simulate_list(folder);
  const auto r = pet(folder, {"-o", "a.mha", "--iterations", "3", "--subsets", "4", "--every-iteration", "--json",
                              "--sensitivity-output", "s.mha"});
  INFO(r.err);
  REQUIRE(r.code == 0);
  const json result = json::parse(r.out);
  CHECK(result["events"] == 20000);
  CHECK(result["tof"] == true);
  CHECK(result["iterations"] == 3);
  CHECK(result["size"] == json({31, 31, 11}));
  CHECK(result["sensitivity_pairs"] == 20000);
  CHECK(result["events_per_s"].get<double>() > 0);
  CHECK(result["seconds"]["iterate"].get<double>() > 0);
  CHECK(result["output"] == "a.mha");
  const Volume whole = load_volume(folder / "a.mha"), third = load_volume(folder / "a_it3.mha");
  CHECK(std::ranges::equal(whole.values, third.values));
  const Volume first = load_volume(folder / "a_it1.mha");
  CHECK_FALSE(std::ranges::equal(whole.values, first.values));
  const Volume sensitivity = load_volume(folder / "s.mha");
  CHECK(*std::ranges::max_element(sensitivity.values) > 0);

  REQUIRE(pet(folder, {"-o", "b.mha", "--iterations", "1", "--subsets", "4", "--checkpoint", "state"}).code == 0);
  REQUIRE(pet(folder, {"-o", "b.mha", "--iterations", "3", "--subsets", "4", "--resume", "state"}).code == 0);
  const Volume resumed = load_volume(folder / "b.mha");
  CHECK(std::ranges::equal(whole.values, resumed.values));
  const auto other = pet(folder, {"-o", "b.mha", "--iterations", "3", "--subsets", "2", "--resume", "state"});
  CHECK(other.code == 2);
  CHECK_THAT(other.err, Contains("subsets"));
}

TEST_CASE("the sign of times decides on which side of its line an event is") {
  const TemporaryFolder folder;
  const auto made = run_backlit(folder.path(), {"simulate", "points", "--listmode", "--scanner", "gemini_tf", "--tof",
                                                "300", "--counts", "4000", "-o", "rods.cdh"});
  INFO(made.err);
  REQUIRE(made.code == 0);
  const auto likelihood = [&](const std::string& sign) {
    const auto r = pet(folder, {"-o", "a.mha", "--line", "joseph", "--likelihood", "--json", "--tof-sign", sign});
    INFO(r.err);
    REQUIRE(r.code == 0);
    return json::parse(r.out)["log_likelihoods"].back().get<double>();
  };
  CHECK(likelihood("1") > likelihood("-1") + 4000);  // by more than a factor of e an event
}

TEST_CASE("pet says what is wrong, and writes nothing") {
  const TemporaryFolder folder;
  simulate_list(folder);
  const auto before = folder.files();
  const std::pair<std::vector<std::string>, const char*> wrong[] = {
      {{"-o", "a.jpg"}, "a.jpg"},
      {{"-o", "a.mha", "--tof-sign", "2"}, "--tof-sign: is 2; give 1 (dt = t1 - t2) or -1"},
      {{"-o", "a.mha", "--line", "joseph", "--image", "blobs"}, "joseph knows voxels only"},
      {{"-o", "a.mha", "--tube", "no-such-file"}, "no-such-file: cannot be read"},
      {{"-o", "a.mha", "--subsets", "30000"}, "30000 subsets of 20000 events"},
      {{"-o", "a.mha", "--scanner", "mmr", "--crystal-map", "map.txt"}, "--crystal-map: --scanner names crystals too"},
      {{"-o", "a.mha", "--attenuation", "mu.mha"}, "mu.mha"}};
  for (const auto& [arguments, text] : wrong) {
    const auto r = pet(folder, arguments);
    INFO(r.err);
    CHECK(r.code == 2);
    CHECK_THAT(r.err, Contains(text));
    CHECK(std::ranges::count(r.err, '\n') == 1);
  }
  CHECK(folder.files() == before);
}

TEST_CASE("an interrupted pet leaves nothing behind") {
  const TemporaryFolder folder;
  simulate_list(folder);
  const auto before = folder.files();
  std::vector<std::string> arguments{"pet", "rods.cdh", "--backend", "cpu", "-o", "a.mha", "--iterations", "100000"};
  const auto r = run_backlit(folder.path(), arguments, 700);
  CHECK(r.code == 130);
  CHECK(folder.files() == before);
}
