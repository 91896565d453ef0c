// Slices are computed directly from the projections while a parameter changes; the volume follows when the user pauses.
#include "viewer/engine_bench.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;
using namespace backlit::viewer;

namespace {

CutPlane middle(const VolumeGrid& grid) {
  CutPlane plane;
  plane.pixel = grid.spacing.x;
  plane.width = grid.size[0];
  plane.height = grid.size[1];
  return plane;
}

std::vector<float> texels(const JobPicture& picture) {
  std::vector<float> values(static_cast<std::size_t>(picture.plane.width * picture.plane.height));
  picture.ready.wait_on_device();
  glGetTextureImage(picture.texture.id(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(4 * values.size()), values.data());
  return values;
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

struct SliceBench : EngineBench {
  std::vector<float> slice(double shift) {
    order::Slices order;
    order.geometry.center_shift = shift;
    order.planes = {middle(grid())};
    order.serial = ++serial;
    engine.obey(order, never);
    for (auto e = events.rbegin(); e != events.rend(); ++e)
      if (const auto* made = std::get_if<event::SlicesMade>(&*e)) {
        REQUIRE(made->pictures->size() == 1);
        CHECK(made->pictures->front().serial == serial);
        return texels(made->pictures->front());
      }
    FAIL("no slices came");
    return {};
  }
  VolumeGrid grid() const { return {{30, 30, 30}, Vec3(6), Vec3(0)}; }
  /// The same slice of a volume that is reconstructed with `shift`.
  std::vector<float> of_volume(double shift) {
    order::Run run = wanted(shift);
    run.grid.size = {31, 31, 31};
    run.grid.voxel = 6;
    finish(run);
    const CutPlane plane = middle(grid());
    std::vector<Vec3> points;
    for (std::int64_t i = 0; i < plane.width * plane.height; ++i)
      points.push_back(plane.point(static_cast<double>(i % plane.width), static_cast<double>(i / plane.width)));
    return sampler.values(display.front(), points);
  }
  std::uint64_t serial = 0;
};

}  // namespace

TEST_CASE("Slices from projections are those of the volume with the same centre, whatever volume is shown") {
  SliceBench bench;
  bench.finish(EngineBench::wanted(0));
  const auto before = bench.slice(0), moved = bench.slice(4), back = bench.slice(0);
  CHECK(difference(before, back) < 1e-7);
  CHECK(difference(before, moved) > 5e-4);
  const auto volume_before = bench.of_volume(0), volume_moved = bench.of_volume(4);
  CHECK(difference(before, volume_before) < 0.4 * difference(before, volume_moved));
  CHECK(difference(moved, volume_moved) < 0.4 * difference(moved, volume_before));
}

TEST_CASE("While the centre is dragged slices follow at once, afterwards they are the volume's") {
  REQUIRE_VIEWER();
  Viewer viewer;
  // With 'update automatically' off no volume follows, so the slice surely comes from projections.
  viewer.succeed(
      "set font_scale 0.5\nresize 560 440\ntoggle crosshair off\nset voxel 5.4\ngrid 48\nopen demo:head\nwait "
      "done\nset follow off\nwindow "
      "0 0.04\nwait frames 3\n"
      "screenshot sharp.png \"pane Axial\"\nexpect Axial contains mm\nset center_shift 3\n"
      "wait until slices_live >= 1\nwait done\nwait frames 5\nwait done\nwait frames 5\n"
      "expect Axial contains \"from the projections\"\nexpect runs == 1\nscreenshot moved.png \"pane Axial\"\n"
      "reconstruct\nwait done\nwait frames 3\nexpect runs == 2\nscreenshot volume.png \"pane Axial\"\n"
      "expect slices_live == 0\nexpect errors == 0\n");
  const Image sharp = viewer.shot("sharp"), moved = viewer.shot("moved"), volume = viewer.shot("volume");
  const Patch all{4, 24, sharp.width - 8, sharp.height - 60};
  CHECK(mean_difference(sharp, moved, all) > 3);
  CHECK(mean_difference(moved, volume, all) < 0.5 * mean_difference(sharp, volume, all));
}
