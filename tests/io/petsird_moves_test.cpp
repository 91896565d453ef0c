// PETSIRD: beds and gantries that move. The sample is of the package: two types of modules that turn apart, an
// alignment of the gantry, four positions; where crystals were is its own computation.
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include "support/io/io_samples.hpp"
#include "support/io/petsird_stream.hpp"
#include "support/io/small_scanner.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

namespace backlit {
namespace {

using test::bed_block;

EventList two_events(std::uint32_t time_ms) {
  EventList events;
  events.crystal1 = {30, 40};
  events.crystal2 = {6, 16};
  events.time_ms = {time_ms, time_ms + 100};
  return events;
}

}  // namespace

TEST_CASE("PETSIRD: events have the ends that crystals had when bed and gantry were moved", "[petsird]") {
  const ListModeFile file = load_list_mode(test::source_dir() / "tests/io/samples/petsird-moves.petsird");
  const ListModeInfo& info = file.events->info();
  CHECK(info.events == 9);
  CHECK(info.duration_s == Approx(10));
  REQUIRE(info.places.size() == 4);
  CHECK(info.places[0].share == Approx(0.1));
  CHECK(info.places[1].share == Approx(0.2));
  CHECK(info.places[2].share == Approx(0.1));
  CHECK(info.places[3].share == Approx(0.6));
  CHECK(info.places[1].parts.size() == 1);  // the bed moves both types of modules
  CHECK(info.places[2].parts.size() == 2);
  const Vec3 one[] = {
      {-407, -2, 5}, {-407, 4.94592714, -34.39230919}, {-352.07040918, -196.93965745, -69.9901858}};  // type 0, bin 17
  const Vec3 two[] = {{158, -1.53613681, 8.12807137},
                      {158, 5.40979034, -31.26423782},
                      {152.97732002, -35.34678763, -31.34273624},
                      {145.3095112, -56.88965347, 79.31538324}};  // type 1, bin 5
  for (int pass = 0; pass < 2; ++pass) {
    const EventList events = read_all(*file.events);
    REQUIRE(events.size() == 9);
    REQUIRE(events.end1.size() == 9);
    const std::size_t of_one[] = {0, 2, 5}, of_two[] = {1, 3, 6, 8};
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(events.crystal1[of_one[i]] == 8);
      CHECK(glm::distance(Vec3(events.end1[of_one[i]]), one[i]) < 1e-3);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(events.crystal1[of_two[i]] == 16 + 5);
      CHECK(glm::distance(Vec3(events.end1[of_two[i]]), two[i]) < 1e-3);
    }
    CHECK(glm::distance(Vec3(events.end2[8]), Vec3(-354.95240097, -214.28726169, -3.07354123)) < 1e-3);
  }
  const std::vector<Vec3f> moved = info.places[3].positions(file.scanner);
  CHECK(glm::distance(Vec3(moved[16 + 5]), two[3]) < 1e-3);
}

TEST_CASE("PETSIRD: a bed that comes back is one position, one that never moves from its place is none", "[petsird]") {
  const test::Scratch folder;
  const auto of = [&](const EventList& e) { return test::petsird_stream(folder, test::small_scanner(), e); };
  const test::PetsirdStream first = of(two_events(0)), second = of(two_events(5000)), third = of(two_events(9000));
  const RigidTransform up{glm::dmat3(1), {0, 0, 30}};
  const auto places = [&](const std::string& blocks) {
    test::write_bytes(folder / "moved.petsird", first.header + blocks + '\0');
    return load_list_mode(folder / "moved.petsird").events->info().places;
  };
  CHECK(places(bed_block(0, {}) + first.blocks + bed_block(5000, {}) + second.blocks).empty());
  const auto back = places(first.blocks + bed_block(5000, up) + second.blocks + bed_block(9000, {}) + third.blocks);
  REQUIRE(back.size() == 2);
  CHECK(back[0].share == Approx(2. / 3));
  CHECK(back[1].parts[0].moved.shift.z == Approx(-30));
  const auto one = places(bed_block(0, up) + first.blocks);
  REQUIRE(one.size() == 1);
  CHECK(one[0].share == Approx(1));
}

TEST_CASE("PETSIRD: of a bed that moves on and on steps are joined, but not the ends of events", "[petsird]") {
  const test::Scratch folder;
  const Scanner scanner = test::small_scanner();
  const std::string header = test::petsird_bytes(folder, scanner, {});
  std::string blocks;
  constexpr int steps = 601;
  for (int step = 0; step < steps; ++step) {
    const auto time = static_cast<std::uint32_t>(200 * step);
    blocks += test::bed_block(time, {glm::dmat3(1), {0, 0, 0.25 * step}}) +
              test::petsird_bytes(folder, scanner, two_events(time)).substr(header.size());
  }
  test::write_bytes(folder / "on.petsird", header + blocks + '\0');
  ListModeFile file = load_list_mode(folder / "on.petsird");
  const std::vector<ScannerPlace>& places = file.events->info().places;
  REQUIRE(places.size() == 301);  // two in a row
  double share = 0;
  for (const ScannerPlace& place : places) share += place.share;
  CHECK(share == Approx(1));
  CHECK(places[1].parts[0].moved.shift.z == Approx(-0.25 * 3));
  CHECK(places[1].share == Approx(2. / steps));
  const EventList events = read_all(*file.events);
  REQUIRE(events.size() == 2 * steps);
  for (std::size_t i = 0; i < events.end1.size(); i += 97)
    CHECK(static_cast<double>(events.end1[i].z) ==
          Approx(static_cast<double>(file.scanner.position[events.crystal1[i]].z) - 0.25 * double(i / 2)));
}

TEST_CASE("PETSIRD: movements out of order, or that deform, are refused", "[petsird]") {
  const test::Scratch folder;
  const auto of = [&](const EventList& e) { return test::petsird_stream(folder, test::small_scanner(), e); };
  const test::PetsirdStream first = of(two_events(0)), second = of(two_events(5000));
  const auto open = [&](const std::string& blocks) {
    test::write_bytes(folder / "wrong.petsird", first.header + blocks + '\0');
    load_list_mode(folder / "wrong.petsird");
  };
  CHECK_THROWS_WITH(open(bed_block(5000, {}) + first.blocks), Catch::Contains("sort its blocks by time"));
  CHECK_THROWS_WITH(open(second.blocks + bed_block(2000, {})), Catch::Contains("sort its blocks by time"));
  CHECK_THROWS_WITH(open(bed_block(0, {glm::dmat3(1.01), {}}) + first.blocks),
                    Catch::Contains("no rotation and shift"));
  CHECK_THROWS_WITH(open(bed_block(0, {glm::dmat3(0), {}}) + first.blocks), Catch::Contains("no rotation and shift"));
}

}  // namespace backlit
