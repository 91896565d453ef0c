// GATE's coincidences as a table.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <random>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/object_likeness.hpp"
#include "support/io/small_scanner.hpp"
#include "support/scratch.hpp"

using namespace backlit;
namespace fs = std::filesystem;

namespace {

constexpr const char* heading =
    "runID,eventID1,eventID2,time1,time2,globalPosX1,globalPosY1,globalPosZ1,globalPosX2,globalPosY2,globalPosZ2,"
    "comptonPhantom1,comptonPhantom2,energy1,energy2\n";

std::string row(const Vec3& a, const Vec3& b, double t1, double t2, int event1, int event2, int scattered) {
  return fmt::format("0,{},{},{:.15e},{:.15e},{},{},{},{},{},{},{},0,0.511,0.511\n", event1, event2, t1, t2, a.x, a.y,
                     a.z, b.x, b.y, b.z, scattered);
}

}  // namespace

TEST_CASE("GATE's table: photons go to their crystals, with times and kinds", "[gate]") {
  const test::Scratch folder;
  const Scanner scanner = test::small_scanner();
  save_scanner(scanner, folder / "s.hscan");
  std::mt19937 random(3);
  std::uniform_real_distribution<double> jitter(-1.5, 1.5);
  std::string text = "# made by a test\n" + std::string(heading);
  std::vector<std::array<std::uint32_t, 2>> pairs;
  for (std::uint32_t i = 0; i < 200; ++i) {
    pairs.push_back({i % 48, (i * 7 + 8) % 48});
    const auto near = [&](std::uint32_t c) {
      return Vec3(scanner.position[c]) + Vec3(jitter(random), jitter(random), jitter(random));
    };
    text += row(near(pairs[i][0]), near(pairs[i][1]), 0.25 + 1e-3 * i, 0.25 + 1e-3 * i + 1.5e-10, 5, i % 9 ? 5 : 6,
                i % 4 == 1);
  }
  test::write_bytes(folder / "c.csv", text);
  CHECK(is_list_mode(folder / "c.csv"));
  const std::string hscan = (folder / "s.hscan").string();
  const ListModeFile file = load_list_mode(folder / "c.csv", {.scanner = hscan});
  CHECK(test::fact(file, "x of photon 1") == "column 6, mm");
  CHECK(test::fact(file, "time of photon 2") == "column 5, s");
  CHECK(test::fact(file, "time resolution (FWHM)") == "400 ps");
  CHECK(file.facts.front().source == "c.csv line 2, globalPosX1");
  CHECK(file.unused == std::vector<std::string>{"runID = (a column)", "energy1 = (a column)", "energy2 = (a column)"});
  const bool has_tof = file.scanner.tof_fwhm_ps > 0;
  EventList events = read_all(*file.events);
  REQUIRE(events.size() == 200);
  for (std::size_t i = 0; i < 200; ++i) {
    REQUIRE(events.crystal1[i] == pairs[i][0]);
    REQUIRE(events.crystal2[i] == pairs[i][1]);
    if (has_tof) REQUIRE(events.dt_ps[i] == Approx(-150).epsilon(1e-4));
  }
  CHECK(events.time_ms[100] == 350);
  CHECK(events.kind[0] == EventKind::random);
  CHECK(events.kind[1] == EventKind::scatter);
  CHECK(events.kind[2] == EventKind::true_);
  file.events->rewind();
  EventList some;
  REQUIRE(file.events->read(7, some));
  CHECK(some.size() == 7);

  test::write_bytes(folder / "bad.csv", heading + row({0, 0, 0}, Vec3(scanner.position[3]), 0, 0, 1, 1, 0));
  const ListModeFile bad = load_list_mode(folder / "bad.csv", {.scanner = hscan});
  CHECK_THROWS_WITH(read_all(*bad.events),
                    Catch::Contains("bad.csv:2") && Catch::Contains("where small has no crystal"));
  CHECK_THROWS_WITH(load_list_mode(folder / "c.csv"), Catch::Contains("do not hold their scanner"));
  test::write_bytes(folder / "half.csv", "globalPosX1,globalPosX2\n1,2\n");
  CHECK_THROWS_WITH(load_list_mode(folder / "half.csv", {.scanner = hscan}),
                    Catch::Contains("has no columns globalPosY1"));

  // A column of one photon alone is not used, nor are scatters where decays are not known.
  Scanner timeless = scanner;
  timeless.tof_fwhm_ps = 0;
  save_scanner(timeless, folder / "t.hscan");
  test::write_bytes(folder / "one.csv",
                    "globalPosX1,globalPosY1,globalPosZ1,globalPosX2,globalPosY2,globalPosZ2,time1,comptonPhantom1,"
                    "comptonPhantom2,eventID2\n");
  CHECK(load_list_mode(folder / "one.csv", {.scanner = (folder / "t.hscan").string()}).unused ==
        std::vector<std::string>{"time1 = (a column)", "comptonPhantom1 = (a column)", "comptonPhantom2 = (a column)",
                                 "eventID2 = (a column)"});

  const int refused = test::read_damaged(
      folder / "c.csv", folder / "victim.csv",
      [&](const fs::path& path) { read_all(*load_list_mode(path, {.scanner = hscan}).events); }, 60);
  CHECK(refused > 20);
}
