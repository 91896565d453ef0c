// Lists of GATE and PETSIRD: an object without symmetry comes back as it lay in the scanner.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include <backlit/pet/simulate.hpp>
#include <backlit/phantom/phantom.hpp>
#include "support/io/io_samples.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/list_likeness.hpp"
#include "support/io/small_scanner.hpp"
#include "support/scratch.hpp"

namespace backlit::list_round_trip_test {
namespace {

namespace fs = std::filesystem;

Scanner ring() {
  Scanner scanner = make_ring_scanner("ring", test::closed_rings(48, 8, 60, 5, 5), {100, 1e9}, "test");
  scanner.tof_fwhm_ps = 100;
  return scanner;
}

/// Far from the middle: a sign of time of flight that is wrong shows.
Phantom object() {
  Phantom phantom = test::lopsided_phantom(20);
  phantom.bodies.pop_back();  // no activity below zero
  for (Body& body : phantom.bodies) body.center += Vec3(9, -6, 2);
  return phantom;
}

EventList simulated(const Scanner& scanner) {
  ListModeSimulation options;
  options.counts = 60000;
  EventList all;
  simulate_list_mode(scanner, object(), nullptr, options,
                     [&](const EventList& events) { all.append(events, 0, events.size()); });
  return all;
}

/// GATE's tree of coincidences: where the photons of each stopped, in mm, and when, in s.
void write_gate_table(const fs::path& path, const Scanner& scanner, const EventList& events) {
  std::string text =
      "eventID1,time1,globalPosX1,globalPosY1,globalPosZ1,eventID2,time2,globalPosX2,globalPosY2,"
      "globalPosZ2\n";
  for (std::size_t i = 0; i < static_cast<std::size_t>(events.size()); ++i) {
    const Vec3f &p = scanner.position[events.crystal1[i]], &q = scanner.position[events.crystal2[i]];
    const double second = 1e-3 * events.time_ms[i];
    text += fmt::format("{0},{1:.15f},{2},{3},{4},{0},{5:.15f},{6},{7},{8}\n", i,
                        second + 1e-12 * static_cast<double>(events.dt_ps[i]), p.x, p.y, p.z, second, q.x, q.y, q.z);
  }
  test::write_bytes(path, text);
}

void check_place(ListModeFile file) {
  REQUIRE(file.events->info().has_tof());
  test::check_list_place(std::move(file), object(), {{25, 25, 13}, {2.8, 2.8, 2.8}, {0, 0, 0}}, 0.05);
}

}  // namespace

TEST_CASE("A GATE table and a PETSIRD list: an object without symmetry comes back as it lay", "[gate][petsird]") {
  const test::Scratch folder;
  const Scanner scanner = ring();
  const EventList events = simulated(scanner);
  SECTION("GATE") {
    save_scanner(scanner, folder / "ring.hscan");
    write_gate_table(folder / "part.csv", scanner, events);
    const std::string hscan = (folder / "ring.hscan").string();
    check_place(load_list_mode(folder / "part.csv", {.scanner = hscan}));
  }
  SECTION("PETSIRD") {
    ListModeInfo info;
    info.tof_fwhm_ps = scanner.tof_fwhm_ps;
    info.tof_range_ps = 1600;
    info.tof_bin_ps = 25;
    const auto writer = create_list_mode(folder / "part.petsird", scanner, info);
    writer->write(events);
    writer->commit();
    check_place(load_list_mode(folder / "part.petsird"));
  }
}

}  // namespace backlit::list_round_trip_test
