// Comparison of two volumes: A, which was pinned, and B, which is shown.
#include <backlit/core/error.hpp>
#include "model/values/kept_volumes.hpp"
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

TEST_CASE("A pinned volume stays while others come, how far they are apart is told") {
  Windowless w;
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  CHECK_THROWS_AS(w.act("compare numbers"), InputError);
  w.act("pin");
  REQUIRE(w.until([&] { return w.model.status().pinned.has_value(); }));
  CHECK(w.model.status().pinned->label == "spheres, fdk");
  w.act("compare numbers");
  REQUIRE(w.until([&] { return w.model.status().compared.has_value(); }));
  CHECK(w.model.status().compared->metrics.rmse == Approx(0).margin(1e-7));
  CHECK(w.model.status().compared->metrics.ssim == Approx(1).margin(1e-4));
  w.act("set cutoff 0.5");
  REQUIRE(w.settle());
  w.act("compare numbers");
  REQUIRE(w.until([&] { return w.model.status().compared->metrics.rmse > 0; }));
  const Metrics near = w.model.status().compared->metrics;
  CHECK(near.rmse > 1e-5);
  CHECK(near.ssim < 0.999);
  CHECK(w.model.status().pinned->made_by->recon.method.text("cutoff") == "1");
  // A volume on another grid, farther away still.
  w.act("set center_shift 4");
  w.act("grid 33");
  REQUIRE(w.settle());
  w.act("compare numbers");
  REQUIRE(w.until([&] { return w.model.status().compared->metrics.rmse != near.rmse; }));
  CHECK(w.model.status().compared->metrics.rmse > near.rmse);
  w.act("unpin");
  CHECK_FALSE(w.model.status().pinned);
  CHECK(w.model.compared_by() == "off");
}

TEST_CASE("Undo and redo of pin and unpin bring back A, also one that was reconstructed or is just being") {
  Windowless w;
  w.act("grid 24");
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  std::vector<Vec3> points;
  for (int i = -9; i < 10; ++i) points.emplace_back(4 * i, 2 * i, i);
  const auto now = [&] {
    REQUIRE(w.settle());
    REQUIRE(w.model.status().pinned.has_value());
    return w.model.pinned_values_at(points);
  };
  w.act("pin");
  const auto first = now();
  w.act("set center_shift 5");
  REQUIRE(w.settle());
  w.act("pin");
  const auto second = now();
  CHECK(first != second);
  w.act("undo");
  CHECK(now() == first);
  CHECK(w.model.status().pinned->made_by->geometry.center_shift == 0);
  CHECK(w.model.status().pinned->label == "spheres, fdk");
  w.act("undo");  // the shift
  CHECK(now() == first);
  w.act("undo");
  CHECK_FALSE(w.model.status().pinned);
  w.act("redo");
  CHECK(now() == first);
  w.act("redo");
  w.act("redo");
  CHECK(now() == second);
  CHECK(w.model.status().pinned->made_by->geometry.center_shift == 5);
  w.act("unpin");
  CHECK_FALSE(w.model.status().pinned);
  w.act("undo");
  CHECK(now() == second);
  w.act("wall thickness");
  CHECK(now() != second);
  CHECK(w.model.status().pinned->computed);
  w.act("undo");
  CHECK(now() == second);
  CHECK_FALSE(w.model.status().pinned->computed);
  w.act("redo");
  now();
  CHECK(w.model.status().pinned->computed);
  w.act("unpin");

  w.act("set method sirt");
  w.act("set iterations 100000");
  REQUIRE(w.until([&] { return w.model.status().running && w.model.status().progress.iteration > 2; }));
  w.act("pin");
  REQUIRE(w.until([&] { return w.model.status().pinned.has_value(); }));
  const auto made = w.model.pinned_values_at(points);
  w.act("unpin");
  w.act("undo");
  REQUIRE(w.until([&] { return w.model.status().pinned.has_value(); }));
  CHECK(w.model.pinned_values_at(points) == made);
  CHECK(w.model.status().running);
  w.act("cancel");
  REQUIRE(w.settle());
  CHECK(w.model.status().errors.empty());
}

TEST_CASE("Volumes are kept for undo while they fit") {
  viewer::KeptVolumes kept(2 * 4 * 60);
  const auto volume = [](std::int64_t x) { return std::make_shared<const Volume>(VolumeGrid{{x, 4, 5}}); };
  const auto first = volume(3), second = volume(3), third = volume(2);
  kept.keep(1, first);
  kept.keep(2, second);
  CHECK(kept.find(1) == first);
  kept.keep(3, third);
  CHECK(kept.find(1) == nullptr);
  CHECK(kept.find(2) == second);
  CHECK(kept.find(3) == third);
  CHECK_FALSE(kept.fits(volume(7)->grid));
  kept.keep(4, volume(7));
  CHECK(kept.find(3) == third);
  CHECK(kept.find(4) == nullptr);
}

TEST_CASE("A and B are seen by a wipe, in turn, side by side, and by their difference, in slices and in 3-D") {
  REQUIRE_VIEWER();
  Viewer viewer;
  const auto shots = [](const std::string& name) {
    return "wait frames 3\nscreenshot " + name + ".png \"pane Axial\"\nscreenshot " + name + "3.png \"pane 3-D\"\n";
  };
  viewer.succeed(
      "set font_scale 0.5\nresize 600 420\ntoggle panels off\ntoggle crosshair off\ntoggle scale off\ngrid 32\nopen "
      "demo:spheres\nwait "
      "done\n"
      "window 0 0.03\nmode mip\nkey P\nwait until pinned == 1\nset follow off\nset center_shift 6\nreconstruct\nwait "
      "done\n" +
      shots("b") + "compare wipe\nset wipe 1\n" + shots("a") + "set wipe 0.5\n" + shots("both") +
      "compare difference\n" + shots("difference") +
      "compare side\nwait frames 3\nscreenshot left.png \"pane Axial A\"\nscreenshot right.png \"pane Axial\"\n"
      "compare wipe\nwait frames 3\ndrag left 0.5 0.3 0.8 0.3 in \"pane Axial\"\nexpect wipe == 0.8 0.02\n"
      "expect crosshair.x == 0\ncompare flicker\nwait 0.1\ncompare off\n" +
      shots("off") + "expect errors == 0\n");
  const Image a = viewer.shot("a"), b = viewer.shot("b"), both = viewer.shot("both"), off = viewer.shot("off");
  const std::int64_t half = a.width / 2;
  const Patch all{4, 26, a.width - 8, a.height - 30}, left{4, 26, half - 12, a.height - 30},
      right{half + 8, 26, a.width - half - 14, a.height - 30};
  CHECK(mean_difference(a, b, all) > 2);
  CHECK(mean_difference(b, off, all) < 0.1);
  CHECK(mean_difference(both, a, left) < 0.1);
  CHECK(mean_difference(both, b, right) < 0.1);
  CHECK(mean_difference(both, b, left) > 1);
  const auto colored = [](Rgb c) { return std::abs(c.r - c.b) > 40; };
  CHECK(count(viewer.shot("difference"), all, colored) > 500);
  CHECK(count(b, all, colored) == 0);
  const Image left_half = viewer.shot("left"), right_half = viewer.shot("right");
  CHECK(left_half.width == right_half.width);
  CHECK(mean_difference(left_half, right_half, {4, 30, left_half.width - 8, left_half.height - 40}) > 1);
  const Image a3 = viewer.shot("a3"), b3 = viewer.shot("b3"), both3 = viewer.shot("both3");
  const Patch whole3{4, 26, a3.width - 8, a3.height - 30};
  CHECK(mean_difference(a3, b3, whole3) > 0.5);
  CHECK(mean_difference(both3, b3, whole3) > 0.1);
  CHECK(mean_difference(both3, a3, whole3) > 0.1);
}

TEST_CASE("A double click shows a pane alone, and another the arrangement again") {
  REQUIRE_VIEWER();
  Viewer viewer;
  viewer.succeed(
      "set font_scale 0.5\nresize 600 420\ntoggle panels off\ngrid 32\nopen demo:spheres\nwait done\nwait frames 3\n"
      "screenshot small.png \"pane Coronal\"\nclick \"pane Coronal\"\nclick \"pane Coronal\"\nwait frames 3\n"
      "expect large is coronal\nscreenshot large.png \"pane Coronal\"\nclick \"pane Coronal\"\nclick \"pane Coronal\"\n"
      "wait frames 3\nexpect large is \"\"\nenlarge 3-d\nwait frames 3\nscreenshot space.png \"pane 3-D\"\n"
      "enlarge off\nwait frames 3\nexpect errors == 0\n");
  const Image small = viewer.shot("small"), large = viewer.shot("large"), space = viewer.shot("space");
  CHECK(large.width > 2 * small.width - 20);
  CHECK(space.width == large.width);
  CHECK(space.height == large.height);
}
