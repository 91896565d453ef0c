// Slices played as a film.
#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using test::Windowless;

TEST_CASE("Slices are played from first to last and over again, without a step of undo, until they are stopped") {
  Windowless w;
  const VolumeGrid grid{{6, 7, 5}, {2, 1, 3}, Vec3(1, 2, 3)};
  Volume v(grid);
  v.at(3, 3, 2) = 1;
  save_volume(v, w.folder.path() / "v.mha");
  w.act("open " + (w.folder.path() / "v.mha").string());
  REQUIRE(w.settle());
  w.act("crosshair 1 2 3");
  w.act("set play_speed 20");
  for (const auto& [name, axis] : {std::pair("axial", 2), {"coronal", 1}, {"sagittal", 0}}) {
    INFO(name);
    w.act(std::string("play ") + name);
    REQUIRE(w.model.playing());
    const Vec3 from = w.model.state().crosshair;
    const double last = grid.first_voxel()[axis] +
                        static_cast<double>(grid.size[static_cast<std::size_t>(axis)] - 1) * grid.spacing[axis];
    const auto at = [&] { return w.model.state().crosshair[axis]; };
    REQUIRE(w.until([&] { return at() == Approx(last); }));
    REQUIRE(w.until([&] { return at() < last - 0.5; }));  // over again
    for (int a = 0; a < 3; ++a)
      if (a != axis) CHECK(w.model.state().crosshair[a] == from[a]);
  }
  w.model.end_drag();  // what follows is a step of its own
  w.act("play");
  CHECK(!w.model.playing());
  CHECK(w.model.history().undo_name() == "play");
  w.act("undo");
  CHECK(w.model.state().layout.play == "sagittal");
  CHECK_THROWS_AS(w.act("play diagonal"), InputError);
}
