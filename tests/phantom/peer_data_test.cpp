// The FORBILD head against that of another toolkit (LEAP): its voxels and its line integrals, see the data's README.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <backlit/phantom/phantom.hpp>
#include "support/io/real_data.hpp"
#include "support/skip.hpp"

using namespace backlit;
using test::Fit;
using test::fit;

namespace {

const std::filesystem::path folder = test::data_dir() / "forbild";

/// The floats at the end of an NPY file.
std::vector<float> npy_floats(const std::filesystem::path& path, std::size_t count) {
  const std::string bytes = test::file_bytes(path);
  std::vector<float> values(count);
  REQUIRE(bytes.size() > count * sizeof(float));
  std::memcpy(values.data(), bytes.data() + bytes.size() - count * sizeof(float), count * sizeof(float));
  return values;
}

/// That toolkit enlarges the head to fill its field of view; the factor is fitted (the mass of its sinogram).
Phantom enlarged_head() { return scaled(load_phantom("forbild-head"), 1.654); }

}  // namespace

TEST_CASE("the FORBILD head's middle slice is that of another toolkit") {
  if (!std::filesystem::exists(folder)) BACKLIT_SKIP("no " + folder.string());
  std::vector<float> theirs = npy_floats(folder / "FORBILD_head_512.npy", 512 * 512);
  for (std::ptrdiff_t row = 0; row < 256; ++row)  // their rows run downwards
    std::swap_ranges(theirs.begin() + row * 512, theirs.begin() + (row + 1) * 512, theirs.begin() + (511 - row) * 512);
  const Volume ours = voxelize(enlarged_head(), {{512, 512, 1}, {0.8, 0.8, 1e-3}, {0, 0, 0}}, 3);
  const Fit same = fit(ours.values.span(), theirs);
  UNSCOPED_INFO("correlation " << same.correlation << ", slope " << same.slope);
  CHECK(same.correlation > 0.998);  // the rest is at edges, and a septum of another size
  CHECK(same.slope == Approx(1).epsilon(0.002));
}

TEST_CASE("the FORBILD head's parallel projections are those of another toolkit") {
  if (!std::filesystem::exists(folder)) BACKLIT_SKIP("no " + folder.string());
  const std::vector<float> theirs = npy_floats(folder / "FORBILD_head_512_sino.npy", 720 * 512);
  // In their frame y runs downwards: their view at angle a is ours at 90 degrees - a, backwards along the row.
  Scan scan;
  scan.detector = {512, 1, 0.8, 0.8};
  for (int i = 0; i < 720; ++i) {
    const double phi = (90 - i * 0.25) * radians_per_degree, c = std::cos(phi), s = std::sin(phi);
    View view;
    view.beam = Beam::parallel;
    view.direction = {-c, -s, 0};
    view.u = -0.8 * Vec3(-s, c, 0);
    view.v = {0, 0, 0.8};
    scan.views.push_back(view);
  }
  std::vector<float> ours(720 * 512);
  project_phantom(enlarged_head(), scan, 0, 720, 2, ours);
  const Fit same = fit(ours, theirs);
  UNSCOPED_INFO("correlation " << same.correlation << ", slope " << same.slope);
  CHECK(same.correlation > 0.9999);
  CHECK(same.slope == Approx(1).epsilon(0.0005));
}
