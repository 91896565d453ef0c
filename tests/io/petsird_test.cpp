// PETSIRD: files that the package of three versions wrote (two types of modules, time of flight, energy bins,
// efficiencies, prompts and delayeds).
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include "support/io/damage.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

fs::path sample(const std::string& version) {
  return test::source_dir() / ("tests/io/samples/petsird-" + version + ".petsird");
}

}  // namespace

TEST_CASE("PETSIRD 0.12: crystals, events and efficiencies are those of the package", "[petsird]") {
  REQUIRE(is_list_mode(sample("0.12.0")));
  ListModeFile file = load_list_mode(sample("0.12.0"));
  CHECK(file.events->info().format == "petsird");
  CHECK(file.scanner.name == "PETSIRD_TEST");
  REQUIRE(file.scanner.crystals() == 4 * 4 + 3 * 3);
  // Element 0 of module 1 of either type; lengths are floats there.
  CHECK(glm::length(Vec3(file.scanner.position[4]) - Vec3(0, -410, 0)) < 1e-3);
  CHECK(glm::length(Vec3(file.scanner.position[16 + 3]) - Vec3(78.36603, -133.73393, -1)) < 1e-3);
  CHECK_FALSE(file.events->info().has_tof());  // modules of different types have none
  const EventList events = read_all(*file.events);
  REQUIRE(events.size() == 57);
  CHECK(file.events->counts().prompts == 57);
  CHECK(file.events->counts().delayeds == 3 * 6);
  // Detection bins 30 and 7 with two energies a crystal; 5 of type 1 and 20 of type 0; 6 and 5 of type 1.
  CHECK((events.crystal1[0] == 15 && events.crystal2[0] == 3));
  CHECK((events.crystal1[5] == 16 + 5 && events.crystal2[5] == 10));
  CHECK((events.crystal1[56] == 16 + 6 && events.crystal2[56] == 16 + 5));
  CHECK(events.time_ms[0] == 0);
  CHECK(events.time_ms[56] == 20);
  double sum = 0;
  for (const float norm : events.norm) sum += 1 / static_cast<double>(norm);
  CHECK(1 / static_cast<double>(events.norm[0]) == Approx(4.17300005).epsilon(1e-6));
  CHECK(1 / static_cast<double>(events.norm[5]) == Approx(17.2200003).epsilon(1e-6));
  CHECK(sum == Approx(504.873084).epsilon(1e-6));
  // Some at a time gives the same.
  file.events->rewind();
  EventList some, all;
  while (file.events->read(4, some)) {
    CHECK(some.size() <= 4);
    all.append(some, 0, some.size());
  }
  CHECK(all.crystal1 == events.crystal1);
  CHECK(all.norm == events.norm);
}

TEST_CASE("PETSIRD: older versions, time of flight and delayeds", "[petsird]") {
  ListModeFile middle = load_list_mode(sample("0.9.1"));
  CHECK(read_all(*middle.events).size() == 57);
  ListModeOptions options;
  options.delayeds = true;
  ListModeFile file = load_list_mode(sample("0.7.2"), options);
  REQUIRE(file.scanner.crystals() == 16);
  const ListModeInfo& info = file.events->info();
  REQUIRE(info.has_tof());
  const EventList events = read_all(*file.events);
  CHECK(events.size() == 3 * (7 + 2));
  CHECK(std::ranges::count(events.kind, EventKind::delayed) == 6);
  CHECK((events.crystal1[0] == 2 && events.crystal2[0] == 13));  // bins 5 and 26
  // Five bins share the range; bin 1 lies one below the middle, and bins are positions (t1 - t2) c / 2.
  CHECK(events.dt_ps[0] == Approx(-info.tof_bin_ps));
  CHECK(info.tof_range_ps == Approx(5 * info.tof_bin_ps));
  options.flip_tof = true;
  ListModeFile flipped = load_list_mode(sample("0.7.2"), options);
  CHECK(read_all(*flipped.events).dt_ps[0] == Approx(info.tof_bin_ps));
}

TEST_CASE("PETSIRD: damaged copies are read or refused", "[petsird]") {
  const test::Scratch scratch;
  for (const char* version : {"0.12.0", "0.7.2"}) {
    const std::size_t size = fs::file_size(sample(version));
    for (const std::size_t header : {std::size_t{0}, size - 200, std::size_t{64}}) {
      const int refused = test::read_damaged(
          sample(version), scratch / "damaged.petsird",
          [](const fs::path& victim) {
            ListModeFile file = load_list_mode(victim);
            read_all(*file.events);
          },
          48, header);
      CHECK(refused > 10);
    }
  }
}

}  // namespace backlit
