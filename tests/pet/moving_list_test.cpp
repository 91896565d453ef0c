// A list of two bed positions: the phantom comes back in its place, with one activity everywhere.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>

#include <backlit/pet/default_grid.hpp>
#include <backlit/pet/reconstruction.hpp>
#include <backlit/pet/simulate.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "support/blob_at.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/petsird_stream.hpp"
#include "support/io/small_scanner.hpp"

using namespace backlit;

namespace {

Scanner short_ring() {
  return make_ring_scanner("short ring", test::closed_rings(48, 8, 60, 6, 6), {120, 1e9}, "test");
}

/// A ball each at both ends and one between, seen from either position; no two alike, no symmetry.
const Vec3 places[] = {{10, -6, -34}, {-12, 8, 3}, {4, 14, 36}};

Phantom balls(const RigidTransform& moved) {
  Phantom phantom{"balls", {}};
  for (const Vec3& place : places) {
    Body body;
    body.center = moved(place);
    body.half = Vec3(8);
    body.value = 1;
    phantom.bodies.push_back(body);
  }
  return phantom;
}

/// What is measured at one position of the bed: the patient is moved by `bed`.
struct Measured {
  RigidTransform bed;
  double start_s = 0, duration_s = 0;
  EventList events;
  double activity = 0;
};

Measured measured(const Scanner& scanner, const RigidTransform& bed, double counts, double start_s, double duration_s) {
  ListModeSimulation options;
  options.counts = counts;
  options.duration_s = duration_s;
  Measured m{bed, start_s, duration_s, {}, 0};
  m.activity = simulate_list_mode(scanner, balls(bed), nullptr, options, [&](const EventList& e) {
                 m.events.append(e, 0, e.size());
               }).activity;
  for (std::uint32_t& time : m.events.time_ms) time += static_cast<std::uint32_t>(1000 * start_s);
  return m;
}

/// With ends in the patient's frame.
EventList in_the_patient(const Scanner& scanner, const Measured& m) {
  EventList all = m.events;
  const std::vector<Vec3f> moved = ScannerPlace{{{0, m.bed.inverse()}}, 1}.positions(scanner);
  for (const std::uint32_t c : all.crystal1) all.end1.push_back(moved[c]);
  for (const std::uint32_t c : all.crystal2) all.end2.push_back(moved[c]);
  return all;
}

/// Sums of thirds along z.
std::array<double, 3> thirds(const Volume& image) {
  std::array<double, 3> sums{};
  for (std::int64_t i = 0; i < image.grid.voxels(); ++i)
    sums[static_cast<std::size_t>(3 * i / image.grid.voxels())] += double(image.values[i]);
  return sums;
}

}  // namespace

TEST_CASE("Two bed positions of unequal time give one volume: balls in their places, all of one activity") {
  const Scanner scanner = short_ring();
  const double turn = 4 * radians_per_degree;  // the bed sags, too
  const RigidTransform first{glm::dmat3(1), {0, 0, 22}},
      second{glm::dmat3(1, 0, 0, 0, std::cos(turn), std::sin(turn), 0, -std::sin(turn), std::cos(turn)), {2, -3, -22}};
  const Measured one = measured(scanner, first, 60'000, 0, 30), few = measured(scanner, second, 1000, 30, 10),
                 two = measured(scanner, second, 1000 * one.activity / few.activity, 30, 10);
  REQUIRE(two.activity == Approx(one.activity).epsilon(0.05));

  ListModeFile file{scanner, nullptr};
  std::int64_t sample = 20'000;  // of 26,112 pairs
  SECTION("in memory") {
    ListModeInfo info;
    info.duration_s = 40;
    info.places = {{{{0, first.inverse()}}, 0.75}, {{{0, second.inverse()}}, 0.25}};
    EventList events = in_the_patient(scanner, one);
    const EventList more = in_the_patient(scanner, two);
    events.append(more, 0, more.size());
    file.events = std::make_unique<MemoryListMode>(info, std::move(events));
  }
  SECTION("in PETSIRD") {
    const test::Scratch folder;
    std::string bytes;
    for (const Measured* m : {&one, &two}) {
      ListModeInfo info;
      info.start_s = m->start_s;
      info.duration_s = m->duration_s;
      const test::PetsirdStream part = test::petsird_stream(folder, scanner, m->events, info);
      if (bytes.empty()) bytes = part.header;
      bytes += test::bed_block(static_cast<std::uint32_t>(1000 * m->start_s), m->bed) + part.blocks;
    }
    test::write_bytes(folder / "beds.petsird", bytes + '\0');
    file = load_list_mode(folder / "beds.petsird");
    sample = 60'000;  // of 73,536: those that are not in coincidence have an efficiency of 0
    CHECK(file.events->info().duration_s == Approx(40));
  }
  const std::shared_ptr<ListModeSource> events = std::move(file.events);
  const std::vector<ScannerPlace>& seen_from = events->info().places;
  REQUIRE(seen_from.size() == 2);
  CHECK(seen_from[0].share == Approx(0.75));
  const VolumeGrid seen = default_pet_grid(file.scanner, seen_from);
  CHECK(static_cast<double>(seen.size[2]) * seen.spacing.z >= 48 + 44);
  const VolumeGrid grid{{21, 21, 27}, Vec3(4), Vec3(0, 0, 1)};
  CpuBackend backend(BackendOptions{});
  PetOptions options;
  options.iterations = 6;
  options.subsets = 4;
  options.sensitivity_pairs = 0;
  PetProblem problem(backend, events, file.scanner, grid, options, nullptr);
  const auto em = problem.reconstruction();
  while (em->step() != Reconstruction::Status::finished) continue;
  const Volume image = em->download();
  const double decays = one.activity * 4 / 3 * pi * 8 * 8 * 8;
  for (const Vec3& place : places) {
    INFO(place.z);
    const auto [sum, center] = test::blob_at(image, place);
    CHECK(glm::distance(center, place) < 1.5);
    CHECK(sum * 4 * 4 * 4 == Approx(decays).epsilon(0.1));  // mm3 a voxel
  }
  // A sample of pairs: what the first position sees, both, and the second.
  options.sensitivity_pairs = sample;
  PetProblem sampled(backend, events, file.scanner, grid, options, nullptr);
  const auto all = thirds(problem.sensitivity_image()), some = thirds(sampled.sensitivity_image());
  for (std::size_t i = 0; i < 3; ++i) CHECK(some[i] == Approx(all[i]).epsilon(0.05));
  CHECK(all[0] > 2 * all[2]);  // the second had a third of the first's time
}
