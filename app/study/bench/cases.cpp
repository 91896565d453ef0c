#include "study/bench/cases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <functional>
#include <glm/gtc/matrix_transform.hpp>
#include <map>
#include <random>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include "large/cut.hpp"
#include "large/ranks/rank_share.hpp"

namespace backlit {
namespace {

VolumeGrid cube(std::int64_t n) {
  const double voxel = 256.0 / static_cast<double>(n);
  return {{n, n, n}, {voxel, voxel, voxel}, {0, 0, 0}};
}

Detector flat(std::int64_t columns, std::int64_t rows, double pixel) { return {columns, rows, pixel, pixel}; }

/// A full circle as of cone512, around a cube of 256 mm or a part of it. `use`: what it is for.
BenchCase cone(const std::string& name, const VolumeGrid& grid, const Detector& d, std::int64_t views,
               const std::string& use) {
  const auto [x, y, z] = grid.size;
  const std::string volume = x == z ? fmt::format("{}^3", x) : fmt::format("{} x {} x {}", x, y, z);
  return {name,
          fmt::format("{}, {} views of {} x {}{}", volume, views, d.columns, d.rows, use),
          grid,
          {d, circular_views(d, equal_angles(views), 1000, 1500)}};
}

BenchCase cone512(Detector::Shape shape) {
  const bool curved = shape == Detector::Shape::curved;
  return cone(curved ? "cone512curved" : "cone512", cube(512), {512, 512, 1.0, 1.0, shape}, 360,
              curved ? ", curved detector" : "");
}

BenchCase cone2048() { return cone("cone2048", cube(2048), flat(2048, 2048, 0.25), 2048, " (industrial CT)"); }

/// What one of 16 ranks has of a volume of 4096^3: 256 slices and the detector rows that they see.
BenchCase cone4096(const std::string& name, int rank, const std::string& which) {
  const Detector d = flat(4096, 4096, 0.125);
  const VolumeGrid grid = cube(4096);
  const Scan scan{d, circular_views(d, equal_angles(4096), 1000, 1500)};
  const RankShare share =
      share_among_ranks(grid, scan, {.weighting = Weighting::fdk}, 16)[static_cast<std::size_t>(rank)];
  return {name, fmt::format("4096 x 4096 x 256, 4096 views of 4096 x {} ({} slab of 4096^3)", share.rows.count, which),
          slab_of(grid, share.slices.first, share.slices.count), rows_of_scan(scan, share.rows)};
}

BenchCase cone64() { return cone("cone64", cube(128), flat(128, 128, 4.0), 64, " (for machines without a GPU)"); }

BenchCase course512() {
  return cone("course512", cube(512), flat(1024, 1024, 0.5), 360, " (the MIC-GPU course's streaming case)");
}

/// The MIC-GPU course's iterative cases: n^3 voxels, n x n pixels.
BenchCase course(std::int64_t n, std::int64_t views) {
  return cone(fmt::format("course{}", n), cube(n), flat(n, n, 512.0 / static_cast<double>(n)), views,
              " (the course's iterative case)");
}

BenchCase rabbit(std::int64_t n) {
  const Detector d = flat(1248, 960, 0.32);
  return {fmt::format("rabbit{}", n),
          fmt::format("{}^3, 496 views of 1248 x 960 (RabbitCT's sizes, full circle)", n),
          cube(n),
          {d, circular_views(d, equal_angles(496), 750, 1200)}};
}

/// A C-arm: a short scan in which every view has a small error (0.5 mm, 0.2 degrees), the same at every run.
BenchCase rabbit_short(std::int64_t n) {
  const Detector d = flat(1248, 960, 0.32);
  BenchCase c{fmt::format("rabbit{}s", n),
              fmt::format("{}^3, 496 views over 200 degrees, each perturbed like a C-arm's", n),
              cube(n),
              {d, circular_views(d, equal_angles(496, 0, 200), 750, 1200)}};
  std::mt19937_64 random(2013);
  // Uses the raw bits: the standard does not define the distributions, and the case must be the same on all platforms.
  const auto jitter = [&](double size) { return size * (2 * (static_cast<double>(random() >> 11) * 0x1p-53) - 1); };
  const auto shift = [&] { return Vec3(jitter(0.5), jitter(0.5), jitter(0.5)); };
  for (View& view : c.scan.views) {
    view.source += shift();
    view.center += shift();
    for (const Vec3& axis :
         {glm::normalize(view.u), glm::normalize(view.v), glm::normalize(glm::cross(view.u, view.v))}) {
      const glm::dmat3 turn(glm::rotate(glm::dmat4(1), jitter(0.2) * radians_per_degree, axis));
      view.u = turn * view.u;
      view.v = turn * view.v;
    }
  }
  return c;
}

/// Like assets/scans/ct750.scan.toml, with its shift of a quarter of a cell at the axis: opposite views interleave.
BenchCase ct750(Detector::Shape shape) {
  const Detector d{888, 64, 1.0239, 1.0963, shape};
  const DetectorPlacement quarter{-1.25, 0, 0, 0, 0};
  const bool curved = shape == Detector::Shape::curved;
  return {curved ? "ct750" : "ct750flat",
          fmt::format("512 x 512 x 64, 500 mm, 984 views of 888 x 64, {} detector", curved ? "curved" : "flat"),
          {{512, 512, 64}, {500.0 / 512, 500.0 / 512, 0.625}, {0, 0, 0}},
          {d, circular_views(d, equal_angles(984), 541, 949, quarter)}};
}

BenchCase head(std::int64_t n) {
  return cone(fmt::format("head{}", n), cube(n), flat(n, n, 512.0 / static_cast<double>(n)), 360,
              " (cone512 at other sizes)");
}

/// N of "headN", 8 to 1024; 0 for other names.
std::int64_t head_size(const std::string& name) {
  std::int64_t n = 0;
  const char *begin = name.data() + 4, *end = name.data() + name.size();
  if (!name.starts_with("head") || std::from_chars(begin, end, n).ptr != end) return 0;
  return n >= 8 && n <= 1024 ? n : 0;
}

const std::map<std::string, std::function<BenchCase()>>& cases() {
  static const std::map<std::string, std::function<BenchCase()>> all{
      {"cone512", [] { return cone512(Detector::Shape::flat); }},
      {"cone512curved", [] { return cone512(Detector::Shape::curved); }},
      {"cone64", cone64},
      {"cone2048", cone2048},
      {"cone4096slab", [] { return cone4096("cone4096slab", 8, "a middle"); }},
      {"cone4096outer", [] { return cone4096("cone4096outer", 0, "an outer"); }},
      {"course128", [] { return course(128, 80); }},
      {"course256", [] { return course(256, 160); }},
      {"course512", course512},
      {"ct750", [] { return ct750(Detector::Shape::curved); }},
      {"ct750flat", [] { return ct750(Detector::Shape::flat); }},
      {"rabbit512", [] { return rabbit(512); }},
      {"rabbit1024", [] { return rabbit(1024); }},
      {"rabbit2048", [] { return rabbit(2048); }},
      {"rabbit256s", [] { return rabbit_short(256); }},
      {"rabbit512s", [] { return rabbit_short(512); }},
      {"rabbit1024s", [] { return rabbit_short(1024); }}};
  return all;
}

}  // namespace

std::vector<std::string> bench_case_names() {
  std::vector<std::string> names;
  for (const auto& [name, make] : cases()) names.push_back(name);
  return names;
}

BenchCase study_case(std::int64_t n, std::int64_t views, double detector_mm) {
  const Detector d = flat(2 * n, 2 * n, detector_mm / static_cast<double>(2 * n));
  return {fmt::format("cube{}", n),
          fmt::format("{0}^3, {1} views of {2} x {2}", n, views, 2 * n),
          cube(n),
          {d, circular_views(d, equal_angles(views), 1000, 1500)}};
}

BenchCase bench_case(const std::string& name) {
  if (const std::int64_t n = head_size(name)) return head(n);
  const auto found = cases().find(name);
  if (found == cases().end())
    throw InputError(name, "no such benchmark case",
                     fmt::format("choose from {}, headN or, for lines of response, lm75, lm256, lmN",
                                 fmt::join(bench_case_names(), ", ")));
  return found->second();
}

}  // namespace backlit
