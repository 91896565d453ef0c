// The noise of what is shown is smoothed, in the file written from it, too, and comes back.
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/recon/denoise.hpp>

#include "support/recon/noisy_ball.hpp"
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::test;

TEST_CASE("A shown volume is denoised, exported as shown, and is as before after undo") {
  Windowless w;
  const auto file = w.folder / "ball.mha", smooth = w.folder / "smooth.mha", again = w.folder / "again.mha";
  save_volume(noisy_ball(0.2f), file);
  w.act("open " + file.string());
  REQUIRE(w.settle());
  w.act("set denoise 1");
  w.act("set denoise 1.5");
  REQUIRE(w.settle());
  CHECK(w.model.status().denoised == 1.5);
  const Vec3 inside(1, 1, 1);
  CHECK(w.model.value_at(inside) == Approx(1).margin(0.15));
  w.act("export volume " + smooth.string());
  REQUIRE(w.settle());
  CHECK(noise_in(load_volume(smooth)) < 0.05);
  w.act("undo");
  REQUIRE(w.settle());
  CHECK(w.model.status().denoised < 1.5);
  w.act("set denoise 0");
  REQUIRE(w.settle());
  w.act("export volume " + again.string());
  REQUIRE(w.settle());
  CHECK(std::ranges::equal(load_volume(again).values.span(), noisy_ball(0.2f).values.span()));
  CHECK(w.model.status().errors.empty());
}

TEST_CASE("A new reconstruction is denoised, too, once it is finished") {
  Windowless w;
  w.act("set denoise 2");
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  CHECK(w.model.status().denoised == 2);
  const std::int64_t first = w.model.status().generation;
  w.act("set center_shift 1");
  REQUIRE(w.settle());
  CHECK(w.model.status().generation > first + 1);
  CHECK(w.model.status().denoised == 2);
  CHECK_FALSE(w.model.stale());
  w.act("set denoise 0");
  REQUIRE(w.settle());
  CHECK(w.model.status().denoised == 0);
  CHECK_FALSE(w.model.stale());
  CHECK(w.model.status().errors.empty());
}

TEST_CASE("A scan that waits to be reconstructed after a smoothed volume has nothing to smooth") {
  Windowless w;
  const auto file = w.folder / "ball.mha";
  save_volume(noisy_ball(0.2f), file);
  w.act("open " + file.string());
  w.act("set denoise 1");
  REQUIRE(w.settle());
  REQUIRE(w.model.status().denoised == 1);
  w.act("set follow off");
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  CHECK(w.model.status().errors.empty());
  w.act("set denoise 1");
  REQUIRE(w.settle());
  CHECK(w.model.status().errors.empty());
  w.act("reconstruct");
  REQUIRE(w.settle());
  CHECK(w.model.status().denoised == 1);
}
