// Volumes that were turned and moved are found again, by what their values have in common.
#include <backlit/data/registration.hpp>

#include <catch2/catch.hpp>

#include <cmath>

#include <backlit/core/error.hpp>

using namespace backlit;

namespace {

/// A body with a hollow, a dense rod and a ball: no two axes alike. As CT sees it, or as another modality does.
double body(const Vec3& p, bool ct) {
  const double shell = glm::length(p / Vec3(38, 30, 44));
  if (shell > 1) return 0;
  if (glm::length(p - Vec3(14, 6, 10)) < 9) return ct ? 0.001 : 4;
  if (std::abs(p.x + 12) < 5 && std::abs(p.y - 4) < 5) return ct ? 0.04 : 0.5;
  if (glm::length(p - Vec3(2, -14, -18)) < 8) return ct ? 0.025 : 9;
  return ct ? 0.02 : 1.5;
}

Volume volume_of(const VolumeGrid& grid, bool ct, const RigidMotion& motion) {
  Volume v(grid);
  const glm::dmat3 turn = motion.turn();
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        double sum = 0;  // of eight points of the voxel: edges lie between voxels
        for (int n = 0; n < 8; ++n)
          sum += body(turn * (grid.voxel_center(static_cast<double>(i) + (n % 2) * 0.5 - 0.25,
                                                static_cast<double>(j) + (n / 2 % 2) * 0.5 - 0.25,
                                                static_cast<double>(k) + (n / 4) * 0.5 - 0.25) -
                              motion.pivot) +
                          motion.pivot + motion.shift,
                      ct);
        v.at(i, j, k) = static_cast<float>(sum / 8);
      }
  return v;
}

const VolumeGrid fine{{43, 37, 49}, {2.3, 2.4, 2.2}, Vec3(0)}, coarse{{35, 34, 31}, {3.0, 3.1, 3.6}, Vec3(1, -2, 0.5)};

/// mm by which corners of the body lie wrong.
double error_of(const RigidMotion& found, const RigidMotion& truth) {
  double most = 0;
  for (int n = 0; n < 8; ++n) {
    const Vec3 corner(n % 2 ? 30 : -30, n / 2 % 2 ? 25 : -25, n / 4 ? 35 : -35);
    most = std::max(most, glm::length(found.apply(corner) - truth.apply(corner)));
  }
  return most;
}

}  // namespace

TEST_CASE("A motion is undone, and turns about any axis add up") {
  const RigidMotion m{{3, -4, 5}, {20, -35, 70}, {10, 2, -7}};
  const Vec3 p(1, 2, 3);
  CHECK(glm::length(m.undo(m.apply(p)) - p) < 1e-12);
  CHECK(glm::length(m.apply(m.pivot) - m.pivot - m.shift) < 1e-12);
  CHECK(glm::length(m.undo_direction(m.turn() * p) - p) < 1e-12);
  const Vec3 axis = glm::normalize(Vec3(1, -2, 0.5));
  RigidMotion turned = m;
  for (int i = 0; i < 7; ++i) turned = turned.turned(axis, 12);
  const RigidMotion once = m.turned(axis, 84);
  CHECK(glm::length(turned.apply(p) - once.apply(p)) < 1e-9);
  CHECK(glm::length(turned.turned(axis, -84).apply(p) - m.apply(p)) < 1e-9);
  const RigidMotion right = RigidMotion{{}, {10, 90, 0}, {}}.turned({0, 0, 1}, 30);
  CHECK(glm::length(right.apply(p) - RigidMotion{{}, {10, 90, 30}, {}}.apply(p)) < 1e-9);
}

TEST_CASE("A volume that was turned and moved is found, of the same kind and of another") {
  const RigidMotion truth{{5.5, -3.2, 4.1}, {4, -6, 8}, {0, 0, 0}};
  const Volume fixed = volume_of(fine, true, {});
  for (const bool same_kind : {true, false}) {
    INFO(same_kind);
    // The moving volume holds the body as it lay before `truth` was done to it.
    const Volume moving = volume_of(coarse, same_kind, truth);
    const Registration found = register_rigid(fixed, moving, {});
    CHECK(found.information > found.before + 0.02);
    CHECK(error_of({}, truth) > 8);
    CHECK(error_of(found.motion, truth) < 1);  // a third of a voxel
  }
}

TEST_CASE("Mutual information is largest where volumes agree") {
  const Volume fixed = volume_of(fine, true, {}), moving = volume_of(coarse, false, {});
  const double here = mutual_information(fixed, moving, {});
  CHECK(here > 1.05);
  CHECK(here < 2);
  for (const Vec3 shift : {Vec3(4, 0, 0), Vec3(0, -4, 0), Vec3(0, 0, 4)})
    CHECK(mutual_information(fixed, moving, {shift, {}, {}}) < here);
  CHECK(mutual_information(fixed, moving, {{}, {0, 0, 9}, {}}) < here);
  CHECK(mutual_information(fixed, moving, {{500, 0, 0}, {}, {}}) == 0);
}

TEST_CASE("What cannot be registered is refused, and registration can be stopped") {
  const Volume fixed = volume_of(coarse, true, {});
  CHECK_THROWS_AS(register_rigid(fixed, Volume(coarse), {}), InputError);
  CHECK_THROWS_AS(register_rigid(fixed, fixed, {{900, 0, 0}, {}, {}}), InputError);
  CancelToken cancel;
  Progress progress;
  cancel.request();
  CHECK_THROWS_AS(register_rigid(fixed, fixed, {}, {progress, cancel}), Cancelled);
  // A single slice lies on itself.
  const VolumeGrid flat{{55, 47, 1}, {1.8, 1.9, 1}, Vec3(0)};
  const Volume slice = volume_of(flat, true, {});
  const Registration found = register_rigid(slice, slice, {{1, 0, 0}, {}, {}});
  CHECK(glm::length(glm::dvec2(found.motion.shift)) < 0.3);
}
