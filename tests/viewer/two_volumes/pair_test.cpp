// A from a file beside B: turned and moved, registered, overlaid, saved with the session.
#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

/// A body with a rod and a ball, off its middle; `ct` or in counts of another modality.
Volume body(const VolumeGrid& grid, bool ct) {
  Volume v(grid);
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        const Vec3 p = grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        double value = glm::length(p / Vec3(38, 30, 34)) < 1 ? (ct ? 0.02 : 100) : 0;
        if (std::abs(p.x + 14) < 6 && std::abs(p.y - 4) < 6 && value > 0) value = ct ? 0.04 : 40;
        if (glm::length(p - Vec3(12, -8, -9)) < 9) value = ct ? 0.021 : 900;
        v.at(i, j, k) = static_cast<float>(value);
      }
  return v;
}

const VolumeGrid ct_grid{{45, 37, 41}, {2, 2, 2}, Vec3(0)}, pet_grid{{31, 29, 27}, {3, 3, 3.2}, Vec3(0)};

/// The file's voxels lie elsewhere than the body was.
Volume displaced(Volume v, const Vec3& by) {
  v.grid.center += by;
  return v;
}

}  // namespace

TEST_CASE("A volume from a file is registered, exported, let go, and found again with the session") {
  Windowless w;
  const auto ct = w.folder / "ct.mha", pet = w.folder / "pet.mha", out = w.folder / "out.mha",
             session = w.folder / "s.toml";
  save_volume(body(ct_grid, true), ct);
  save_volume(displaced(body(pet_grid, false), {7, -5, 4}), pet);
  w.act("open " + ct.string());
  REQUIRE(w.settle());
  w.act("pin file " + pet.string());
  REQUIRE(w.until([&] { return w.model.status().pinned.has_value(); }));
  CHECK(w.model.status().pinned->label == "pet.mha");
  CHECK_FALSE(w.model.status().pinned->made_by);
  CHECK(w.model.pinned_values_at(std::vector{Vec3(12, -8, -9) + Vec3(7, -5, 4)})[0] == Approx(900));
  w.act("register");
  REQUIRE(w.until([&] { return !w.model.status().registration_note.empty(); }));
  CHECK(glm::length(w.model.state().pinned.move - Vec3(-7, 5, -4)) < 1);
  CHECK(glm::length(w.model.state().pinned.turn) < 2);
  CHECK(w.model.pinned_values_at(std::vector{Vec3(12, -8, -9)})[0] == Approx(900));
  w.act("export pinned " + out.string());
  REQUIRE(w.settle());
  const Volume registered = load_volume(out);
  CHECK(registered.grid.size == ct_grid.size);
  CHECK(registered.at(28, 14, 16) == Approx(900).epsilon(0.02));  // the voxel in the ball
  w.act("save session " + session.string());
  w.act("undo");
  CHECK(w.model.state().pinned.move == Vec3(0));
  w.act("unpin");
  CHECK_FALSE(w.model.status().pinned);
  w.act("load session " + session.string());
  REQUIRE(w.until([&] { return w.model.status().pinned.has_value(); }));
  CHECK(glm::length(w.model.state().pinned.move - Vec3(-7, 5, -4)) < 1);
  // Another file as B keeps A.
  w.act("open " + out.string());
  REQUIRE(w.settle());
  CHECK(w.model.status().pinned.has_value());
  CHECK(w.model.status().errors.empty());
  w.act("pin file " + (w.folder / "none.mha").string());
  REQUIRE(w.until([&] { return !w.model.status().errors.empty(); }));
  CHECK(w.model.state().pinned.file.empty());
  CHECK_THROWS_AS(w.act("register"), InputError);
}

TEST_CASE("A lies over B in colours, is moved by hand, and is clear where it is faint") {
  REQUIRE_VIEWER();
  Viewer viewer;
  save_volume(body(ct_grid, true), viewer.folder / "ct.mha");
  save_volume(body(pet_grid, false), viewer.folder / "pet.mha");
  viewer.succeed(
      "set font_scale 0.5\nresize 600 440\ntoggle panels off\ntoggle crosshair off\ntoggle scale off\nopen "
      "ct.mha\nwait done\n"
      "crosshair 0 0 -9\nwait frames 3\nscreenshot ct.png \"pane Axial\"\nscreenshot ct3.png \"pane 3-D\"\n"
      "pin file pet.mha\nwait until pinned == 1\nset compare overlay\nset opacity 1\nwait frames 3\n"
      "screenshot both.png \"pane Axial\"\nscreenshot both3.png \"pane 3-D\"\nset opacity 0\nwait frames 3\n"
      "screenshot none.png \"pane Axial\"\nset opacity 1\nset tool \"move A\"\n"
      "drag left 0.5 0.5 0.7 0.5 in \"pane Axial\"\nwait frames 3\nscreenshot moved.png \"pane Axial\"\n"
      "expect move_x > 8\nexpect move_y == 0\nundo\nexpect move_x == 0\nexpect errors == 0\n");
  const auto colored = [](Rgb c) { return std::abs(c.r - c.b) > 60; };
  const Image ct = viewer.shot("ct"), both = viewer.shot("both"), none = viewer.shot("none"),
              moved = viewer.shot("moved");
  const Patch all{4, 26, ct.width - 8, ct.height - 30};
  CHECK(count(ct, all, colored) == 0);
  CHECK(count(both, all, colored) > 150);
  CHECK(mean_difference(none, ct, all) < 0.1);
  CHECK(mean_difference(both, moved, all) > 3);
  // Outside the body A is 0, so clear.
  const Patch corner{6, 30, 20, 20};
  CHECK(mean_difference(both, ct, corner) < 0.1);
  CHECK(mean_difference(viewer.shot("both3"), viewer.shot("ct3"), {4, 26, both.width - 8, both.height - 30}) > 1);
}
