// An operator whose views move computes what a new operator of these views does, bit for bit.
#include <catch2/catch.hpp>
#include <random>
#include <utility>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/moves_views.hpp>
#include "support/cuda.hpp"

using namespace backlit;

namespace moved_views_cuda_test {
namespace {

constexpr std::int64_t views = 12;
const Detector flat{41, 33, 2.1, 1.9};
const VolumeGrid grid{{29, 23, 17}, {1.0, 1.3, 0.9}, {4, -3, 5}};

/// Seen by columns, by pixels and by the table of rays; stacks along one, two and three axes.
std::vector<std::pair<const char*, Scan>> scans() {
  Detector curved = flat;
  curved.shape = Detector::Shape::curved;
  const auto angles = equal_angles(views, 10);
  DetectorPlacement tilt;
  tilt.tilt_u = 3;
  tilt.tilt_v = -4;
  tilt.tilt_n = 5;
  return {{"few angles", {flat, circular_views(flat, equal_angles(views, -3, 6), 200, 310)}},
          {"circular", {flat, circular_views(flat, angles, 200, 310)}},
          {"tilted", {flat, circular_views(flat, angles, 200, 310, tilt)}},
          {"laminographic", {flat, laminographic_views(flat, angles, 200, 310, 50)}},
          {"parallel", {flat, parallel_views(flat, angles)}},
          {"curved", {curved, circular_views(curved, angles, 200, 310)}},
          {"source inside the grid", {flat, circular_views(flat, angles, 9, 310)}},
          {"circular again", {flat, circular_views(flat, angles, 200, 310)}}};
}

std::vector<float> random_values(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& v : values) v = uniform(random);
  return values;
}

/// A x of a random x, then A' y of a random y.
std::vector<float> both_ways(Backend& backend, LinearOperator& op) {
  const ArrayPtr x = op.make_domain(), y = op.make_range(views);
  backend.upload(random_values(x->count(), 1), *x);
  op.forward(*x, *y, op.all(), Write::overwrite);
  std::vector<float> all(static_cast<std::size_t>(y->count())), back(static_cast<std::size_t>(x->count()));
  backend.download(*y, all);
  backend.upload(random_values(y->count(), 2), *y);
  op.back(*y, *x, op.all(), Write::overwrite);
  backend.download(*x, back);
  all.insert(all.end(), back.begin(), back.end());
  return all;
}

}  // namespace

TEST_CASE("an operator whose views moved equals one that is made for them") {
  BACKLIT_REQUIRE_CUDA(device);
  Backend& backend = device->innermost();
  for (const Precision precision : {Precision::exact, Precision::fast}) {
    const CtOptions options{.model = Model::joseph, .precision = precision, .packing = Packing::none};
    const auto moving = backend.make_ct(grid, scans().front().second, options);
    auto* const moves = dynamic_cast<MovesViews*>(moving.get());
    REQUIRE(moves);
    for (const auto& [name, scan] : scans()) {
      INFO(name);
      REQUIRE(moves->place(scan));
      const auto made = backend.make_ct(grid, scan, options);
      CHECK(moving->variant() == made->variant());
      CHECK(both_ways(backend, *moving) == both_ways(backend, *made));
    }
  }
}

TEST_CASE("views of another number or size, and packed ones, do not take the place of others") {
  BACKLIT_REQUIRE_CUDA(device);
  Backend& backend = device->innermost();
  CtOptions options{.model = Model::joseph, .precision = Precision::exact, .packing = Packing::none};
  const auto op = backend.make_ct(grid, scans().front().second, options);
  auto* const moves = dynamic_cast<MovesViews*>(op.get());
  REQUIRE(moves);
  const Detector wider{42, 33, 2.1, 1.9};
  CHECK_FALSE(moves->place({flat, circular_views(flat, equal_angles(views + 1), 200, 310)}));
  CHECK_FALSE(moves->place({wider, circular_views(wider, equal_angles(views), 200, 310)}));
  options.precision = Precision::half;
  options.packing = Packing::orbit;
  const Detector narrow{25, 21, 1.3, 1.3};
  const Scan turns{narrow, circular_views(narrow, equal_angles(8, 20), 500, 600)};
  const auto packed = backend.make_ct({{24, 24, 17}, {1.1, 1.1, 1.2}, {0, 0, 1}}, turns, options);
  CHECK_FALSE(dynamic_cast<MovesViews&>(*packed).place(turns));
}

}  // namespace moved_views_cuda_test
