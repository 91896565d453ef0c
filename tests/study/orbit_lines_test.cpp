// Mirror images of orbits, and backprojection by matrix products as the kernel "orbit_mma" does it, lane by lane: what
// is left for a GPU's test are the instructions themselves.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include <backlit/core/half.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "study/orbit_lines/make_orbit_lines.hpp"
#include "study/orbit_lines/matrix_fragment.hpp"
#include "study/orbit_lines/mirrored_turns.hpp"

#include "support/difference.hpp"
#include "support/projectors/ct_cases.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

enum class Weights { exact, halves, texture };  // fp32, fp16, a texture's 1.8 bits

float rounded(Weights w, float x) { return w == Weights::halves ? float_from_half(half_from_float(x)) : x; }
float share_of(Weights w, float x) { return w == Weights::texture ? std::round(256 * x) / 256 : x; }
float hat(float x) { return std::max(0.0f, 1 - std::abs(x)); }

/// What the kernel keeps in shared memory: [side][column][row] of eight lines.
class Window {
 public:
  Window(const OrbitLines& lines, const OrbitLines::Group& group, const CtCase& c, const std::vector<float>& views,
         const LineWindow& w, Weights weights)
      : rows_(w.rows + 16), columns_(w.columns), texels_(static_cast<std::size_t>(2 * columns_ * rows_ + 16) * 8) {
    const Detector& d = c.scan.detector;
    for (int side = 0; side < 2; ++side)
      for (int column = 0; column < w.columns; ++column)
        for (int row = 0; row < w.rows; ++row)
          for (int line = 0; line < 8; ++line) {
            const LinePixel at = line_pixel(lines.sources, side, line >> 2, w.column + column, w.row + row);
            if (at.column < 0 || at.column >= d.columns || at.row < 0 || at.row >= d.rows) continue;
            const auto view = std::size_t(group.views[static_cast<std::size_t>(4 * side + (line & 3))]);
            const auto pixel = (view * std::size_t(d.rows) + std::size_t(at.row)) * std::size_t(d.columns);
            texels_[std::size_t((side * columns_ + column) * rows_ + row) * 8 + std::size_t(line)] =
                rounded(weights, views[pixel + std::size_t(at.column)]);
          }
  }
  /// A of the product as ldmatrix reads it: lane l names the row `row_of(l)` of matrix l / 8.
  template <class Row>
  void load(int column, Row&& row_of, float (&a)[16][16]) const {
    for (int lane = 0; lane < 32; ++lane)
      for (int reg = 0; reg < 4; ++reg)
        for (int half = 0; half < 2; ++half) {
          const MatrixPlace from = transposed_place(lane);
          const int source = 8 * reg + from.row + half;  // the lane that names this row
          const int side = source >> 3 & 1, right = source >> 4;
          const int at = (side * columns_ + column + right) * rows_ + row_of(source);
          const MatrixPlace to = fragment_a(lane, reg, half);
          a[to.row][to.column] = texels_[std::size_t(at) * 8 + std::size_t(from.column)];
        }
  }

 private:
  int rows_, columns_;
  std::vector<float> texels_;
};

using Sums = float[32][4];  // D: lane, register

/// D += A B with B[k][n] = weight_of(k, n) times the share of the left (k < 8) or right column.
template <class Weight>
void multiply_add(const float (&a)[16][16], Weight&& weight_of, float left, float right, Weights w, Sums& d) {
  float b[16][8];
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < 2; ++reg)
      for (int half = 0; half < 2; ++half) {
        const MatrixPlace at = fragment_b(lane, reg, half);
        b[at.row][at.column] = rounded(w, weight_of(at.row & 7, at.column) * (reg ? right : left));
      }
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < 4; ++reg) {
      const MatrixPlace at = fragment_d(lane, reg);
      for (int k = 0; k < 16; ++k) d[lane][reg] += a[at.row][k] * b[k][at.column];
    }
}

/// One column of one tile in one view: eight slices a unit.
void add_column(const Window& window, const LineColumn& c, bool weighted, Weights w, float most_step,
                std::vector<Sums>& units) {
  const float weight = weighted ? c.weight : 1.0f, share = share_of(w, c.share);
  const float left = rounded(w, weight * (1 - share)), right = rounded(w, weight * share);
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    const auto row_of = [&](int slice) { return c.row + c.step * static_cast<float>(8 * int(unit) + slice); };
    const auto share_at = [&](int slice) { return share_of(w, row_of(slice) - std::floor(row_of(slice))); };
    float a[16][16];
    const float first = std::floor(row_of(0)), from = rounded(w, row_of(0) - first);
    for (int low = 0; float(low) < line_rows(most_step); low += 8) {
      window.load(
          c.column, [&](int lane) { return int(first) + low + lane % 8; }, a);
      multiply_add(
          a,
          [&](int k, int n) {
            const float slope = rounded(w, line_slope(c.step, n, k) - float(low));
            const float distance = rounded(w, from + slope);
            return w == Weights::texture ? hat(std::floor(row_of(n)) + share_at(n) - first - float(k + low))
                                         : rounded(w, hat(distance));
          },
          left, right, w, units[unit]);
    }
  }
}

/// Lane l takes lane (l + 4) mod 16's sums within its half of the warp, as after each of an orbit's points.
void turn(Sums& sums) {
  Sums from;
  std::copy(&sums[0][0], &sums[0][0] + 128, &from[0][0]);
  for (int lane = 0; lane < 32; ++lane)
    std::copy(from[(lane & 16) | ((lane + 4) & 15)], from[(lane & 16) | ((lane + 4) & 15)] + 4, sums[lane]);
}

std::vector<float> backproject_lines(const CtCase& c, const std::vector<float>& views, int side, int slices,
                                     bool weighted, Weights w) {
  const OrbitLines lines = make_orbit_lines(c.scan, c.grid);
  INFO(lines.refusal);
  REQUIRE(lines.refusal.empty());
  const auto n = int(c.grid.size[0]), nz = int(c.grid.size[2]);
  const LineRoom room = line_room(lines, side, slices, (nz + 1) / 2);
  std::vector<float> volume(std::size_t(c.grid.voxels()), -1e9f);
  std::vector<int> written(volume.size());
  for (int p = 0; p < lines.scan.side; p += side)
    for (int q = 0; q <= p; q += side)
      for (int first = 0; first < (nz + 1) / 2; first += slices) {
        const LineTile tile{p, q, first, side, slices};
        std::vector<std::vector<Sums>> columns(std::size_t(side * side));
        for (auto& column : columns) column = std::vector<Sums>(std::size_t(slices / 8));
        for (int j = 0; j < 4; ++j) {
          for (const auto& group : lines.groups) {
            const LineWindow window = line_window(lines.scan, group.cosine, group.sine, tile, j);
            if (window.columns > room.columns || window.rows > room.rows) FAIL("a window exceeds the room for it");
            const Window texels(lines, group, c, views, window, w);
            for (int at = 0; at < side * side; ++at) {
              const LineColumn column = line_column(lines.scan, group.cosine, group.sine, tile, window, at, j);
              const float last = column.row + column.step * float(slices - 1);
              if (column.step > 1.00001f * window.step) FAIL("a column has more rows a slice than its tile");
              if (column.column < 0 || column.column > window.columns - 2 || column.row < 0 ||
                  std::floor(last) > float(window.rows - 2))
                FAIL("a sample lies outside its window");
              add_column(texels, column, weighted, w, window.step, columns[std::size_t(at)]);
            }
          }
          for (auto& column : columns)
            for (Sums& unit : column) turn(unit);
        }
        for (int at = 0; at < side * side; ++at)
          for (int unit = 0; unit < slices / 8; ++unit)
            for (int lane = 0; lane < 32; ++lane)
              for (int reg = 0; reg < 4; ++reg) {
                const MatrixPlace d = fragment_d(lane, reg);
                LineVoxel to;
                if (!line_voxel(p + at % side, q + at / side, first + 8 * unit + d.column, d.row, n, nz, to)) continue;
                const auto voxel = std::size_t((to.k * n + to.j) * n + to.i);
                volume[voxel] = columns[std::size_t(at)][std::size_t(unit)][lane][reg];
                ++written[voxel];
              }
      }
  for (int count : written)
    if (count != 1) FAIL("a voxel is written " << count << " times");
  return volume;
}

std::vector<float> noise(const Scan& scan) {
  std::mt19937 engine(11);
  std::uniform_real_distribution<float> uniform(-1, 2);
  std::vector<float> values(std::size_t(scan.view_count() * scan.detector.pixels()));
  for (float& v : values) v = uniform(engine);
  return values;
}

std::vector<float> reference(const CtCase& c, const std::vector<float>& views, Weighting weighting) {
  const auto cpu = make_backend("cpu");
  const auto op = cpu->make_ct(c.grid, c.scan, {.weighting = weighting});
  const ArrayPtr y = op->make_range(c.scan.view_count()), x = op->make_domain();
  cpu->upload(views, *y);
  op->back(*y, *x, op->all(), Write::overwrite);
  std::vector<float> result(static_cast<std::size_t>(x->count()));
  cpu->download(*x, result);
  return result;
}

/// Even and odd grids and detectors; slices less than a row apart, nearly two, and more than two.
std::vector<CtCase> symmetric_cases() {
  const Detector odd{45, 37, 1.6, 1.7}, even{44, 36, 1.6, 1.7}, fine{60, 70, 1.2, 0.7};
  const auto views = [](const Detector& d, const DetectorPlacement& at = {}) {
    return Scan{d, circular_views(d, equal_angles(12), 200, 310, at)};
  };
  DetectorPlacement aside;
  aside.offset_u = 1.5;  // pixels
  return {{"even", {{22, 22, 20}, {1.1, 1.1, 0.8}, {0, 0, 0}}, views(even)},
          {"odd", {{21, 21, 19}, {1.1, 1.1, 0.8}, {0, 0, 0}}, views(odd)},
          {"aside", {{18, 18, 9}, {1.1, 1.1, 1.8}, {0, 0, 0}}, views(odd, aside)},
          {"fine", {{18, 18, 22}, {1.1, 1.1, 1.1}, {0, 0, 0}}, views(fine)}};
}

/// An angle's mirror image is found among `count` views from `start` degrees.
std::string mirror_refusal(std::int64_t count, double start) {
  const Detector d = small_detector();
  const Scan scan{d, circular_views(d, equal_angles(count, start), 200, 310)};
  return find_mirrored_turns(find_quarter_turns(scan, {{8, 8, 4}, {1, 1, 1}, {0, 0, 0}})).refusal;
}

}  // namespace

TEST_CASE("views at equal angles have mirror images where one lies on the axis or half a step beside it") {
  for (const std::int64_t count : {4, 8, 12, 20, 360, 496}) {
    CHECK(mirror_refusal(count, 0) == "");
    CHECK(mirror_refusal(count, 90) == "");
    CHECK(mirror_refusal(count, 180.0 / double(count)) == "");
  }
  CHECK_THAT(mirror_refusal(12, 5), Catch::Contains("degrees has no mirror image at"));
}

TEST_CASE("fragments hold every element of a matrix once, and ldmatrix fills A's") {
  int a[16][16] = {}, b[16][8] = {}, d[16][8] = {};
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < 4; ++reg) {
      const MatrixPlace at = fragment_d(lane, reg);
      ++d[at.row][at.column];
      for (int half = 0; half < 2; ++half) {
        const MatrixPlace in_a = fragment_a(lane, reg, half), in_b = fragment_b(lane, reg & 1, half);
        ++a[in_a.row][in_a.column];
        if (reg < 2) ++b[in_b.row][in_b.column];
        // Transposed: what lies in column `line` of row k becomes A[line][k], matrices in the order that registers
        // have.
        const MatrixPlace from = transposed_place(lane);
        CHECK(in_a.row == from.column + (reg & 1 ? 8 : 0));
        CHECK(in_a.column == from.row + half + (reg & 2 ? 8 : 0));
      }
    }
  for (const auto& row : a)
    for (int count : row) CHECK(count == 1);
  for (const auto& row : b)
    for (int count : row) CHECK(count == 1);
  for (const auto& row : d)
    for (int count : row) CHECK(count == 1);
}

TEST_CASE("products of weights with mirrored views are a backprojection") {
  for (const CtCase& c : symmetric_cases()) {
    const std::vector<float> views = noise(c.scan);
    for (const bool weighted : {true, false}) {
      const auto expected = reference(c, views, weighted ? Weighting::fdk : Weighting::none);
      for (const int slices : {8, 16}) {
        const int side = weighted == (slices == 8) ? 8 : 16;
        INFO(c.name << ", " << side << " x " << side << " x " << slices << (weighted ? ", weighted" : ""));
        CHECK(relative_l2(expected, backproject_lines(c, views, side, slices, weighted, Weights::exact)) < 2e-5);
      }
    }
  }
}

TEST_CASE("weights in half precision are finer than a texture's eight bits") {
  const CtCase c = symmetric_cases().front();
  const std::vector<float> views = noise(c.scan);
  const auto expected = reference(c, views, Weighting::fdk);
  const double halves = relative_l2(expected, backproject_lines(c, views, 8, 8, true, Weights::halves));
  const double texture = relative_l2(expected, backproject_lines(c, views, 8, 8, true, Weights::texture));
  INFO("halves " << halves << ", texture " << texture);
  CHECK(halves < 3e-4);
  CHECK(3 * halves < texture);
}

TEST_CASE("scans without mirror images are refused with the reason") {
  const auto refusal = [](double start, double offset_u, double z) {
    DetectorPlacement at;
    at.offset_u = offset_u;
    const Detector d{45, 37, 1.6, 1.7};
    const Scan scan{d, circular_views(d, equal_angles(12, start), 200, 310, at)};
    return make_orbit_lines(scan, {{26, 26, 19}, {1.1, 1.1, 0.8}, {0, 0, z}}).refusal;
  };
  CHECK(refusal(0, 0, 0) == "");
  CHECK_THAT(refusal(5, 0, 0), Catch::Contains("has no mirror image at"));
  CHECK(refusal(0, 0.4, 0) == "the central ray meets column 22.4, row 18: pixels have no mirror images");
  CHECK(refusal(0, 100, 0) == "the central ray misses the detector");
  CHECK(refusal(0, 0, 0.4) == "the slices are not symmetric about the source's plane, z = 0");
  const Detector d{45, 37, 1.6, 1.7};
  CHECK(make_orbit_lines({d, parallel_views(d, equal_angles(8))}, {{26, 26, 19}, {1, 1, 1}, {0, 0, 0}}).refusal ==
        "mirror images take cone beams whose rows run along z");
}
