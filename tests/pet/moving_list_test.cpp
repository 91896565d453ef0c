// A list of two bed positions: the phantom comes back in its place, with one activity everywhere.
#include <catch2/catch.hpp>

#include <cmath>

#include <backlit/pet/default_grid.hpp>
#include <backlit/pet/reconstruction.hpp>
#include <backlit/pet/simulate.hpp>
#include "device/cpu/cpu_backend.hpp"

using namespace backlit;

namespace {

Scanner short_ring() {
  RingLayout layout;
  layout.modules = 48;
  layout.module_rings = 8;
  layout.face_radius_mm = 60;
  layout.pitch_mm = 2 * 60 * std::tan(pi / 48);
  layout.ring_spacing_mm = 6;
  layout.layers_mm = {20};
  layout.mean_depth_mm = 6;
  return make_ring_scanner("short ring", layout, {120, 1e9}, "test");
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

/// Events at one position of the bed: the patient is moved by `bed`. Their ends are the patient's.
EventList events_at(const Scanner& scanner, const RigidTransform& bed, double counts, double seconds,
                    double* activity) {
  ListModeSimulation options;
  options.counts = counts;
  options.duration_s = seconds;
  EventList all;
  *activity = simulate_list_mode(scanner, balls(bed), nullptr, options, [&](const EventList& e) {
                all.append(e, 0, e.size());
              }).activity;
  const std::vector<Vec3f> moved = ScannerPlace{{{0, bed.inverse()}}, 1}.positions(scanner);
  for (const std::uint32_t c : all.crystal1) all.end1.push_back(moved[c]);
  for (const std::uint32_t c : all.crystal2) all.end2.push_back(moved[c]);
  return all;
}

/// Sum within 14 mm of a point, and the centre of mass.
std::pair<double, Vec3> blob(const Volume& image, const Vec3& point) {
  double sum = 0;
  Vec3 moment(0);
  for (std::int64_t k = 0; k < image.grid.size[2]; ++k)
    for (std::int64_t j = 0; j < image.grid.size[1]; ++j)
      for (std::int64_t i = 0; i < image.grid.size[0]; ++i) {
        const Vec3 at = image.grid.voxel_center(double(i), double(j), double(k));
        if (glm::distance(at, point) > 14) continue;
        sum += double(image.at(i, j, k));
        moment += double(image.at(i, j, k)) * at;
      }
  const Vec3& s = image.grid.spacing;
  return {sum * s.x * s.y * s.z, moment / sum};
}

}  // namespace

TEST_CASE("Two bed positions of unequal time give one volume: balls in their places, all of one activity") {
  const Scanner scanner = short_ring();
  const double turn = 4 * radians_per_degree;  // the bed sags, too
  const RigidTransform first{glm::dmat3(1), {0, 0, 22}},
      second{glm::dmat3(1, 0, 0, 0, std::cos(turn), std::sin(turn), 0, -std::sin(turn), std::cos(turn)), {2, -3, -22}};
  double activity = 0, tried = 0;
  EventList events = events_at(scanner, first, 60'000, 30, &activity);
  events_at(scanner, second, 1000, 10, &tried);
  const EventList more = events_at(scanner, second, 1000 * activity / tried, 10, &tried);
  REQUIRE(tried == Approx(activity).epsilon(0.05));
  events.append(more, 0, more.size());

  ListModeInfo info;
  info.duration_s = 40;
  info.places = {{{{0, first.inverse()}}, 0.75}, {{{0, second.inverse()}}, 0.25}};
  const VolumeGrid seen = default_pet_grid(scanner, info.places);
  CHECK(seen.size[2] * seen.spacing.z >= 48 + 44);
  const VolumeGrid grid{{21, 21, 27}, Vec3(4), Vec3(0, 0, 1)};
  const auto reconstruct = [&](std::int64_t pairs) {
    CpuBackend backend(BackendOptions{});
    PetOptions options;
    options.iterations = 6;
    options.subsets = 4;
    options.sensitivity_pairs = pairs;
    PetProblem problem(backend, std::make_shared<MemoryListMode>(info, events), scanner, grid, options, nullptr);
    const auto em = problem.reconstruction();
    while (em->step() != Reconstruction::Status::finished) continue;
    return em->download();
  };
  const double decays = activity * 4 / 3 * pi * 8 * 8 * 8;
  for (const std::int64_t pairs : {std::int64_t{0}, std::int64_t{60'000}}) {
    INFO(pairs << " pairs");
    const Volume image = reconstruct(pairs);
    for (const Vec3& place : places) {
      INFO(place.z);
      const auto [sum, center] = blob(image, place);
      CHECK(glm::distance(center, place) < 1.5);
      CHECK(sum == Approx(decays).epsilon(0.1));
    }
  }
}
