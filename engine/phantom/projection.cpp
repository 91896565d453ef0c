// Views of a phantom: exact line integrals. The detector is divided into tiles, so that most bodies are skipped for
// most tiles.
#include <algorithm>
#include <cmath>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/phantom/phantom.hpp>
#include "phantom/body.hpp"

namespace backlit {
namespace {

constexpr std::int64_t tile_edge = 16;  // pixels

struct Tile {
  std::int64_t column, row, columns, rows;
};

struct Ray {
  Vec3 origin, direction;
  Interval range;
};

Ray ray_to(const Detector& detector, const View& view, double column, double row) {
  if (view.beam == Beam::parallel) return {detector_point(detector, view, column, row), view.direction, {}};
  return {view.source, ray_direction(detector, view, column, row), {0, Interval{}.end}};
}

/// A bundle that contains all rays that end in the tile, found from the rays through its corners.
Bundle bundle_of(const Detector& detector, const View& view, const Tile& tile) {
  const double c0 = static_cast<double>(tile.column) - 0.5, c1 = c0 + static_cast<double>(tile.columns);
  const double r0 = static_cast<double>(tile.row) - 0.5, r1 = r0 + static_cast<double>(tile.rows);
  const Ray middle = ray_to(detector, view, 0.5 * (c0 + c1), 0.5 * (r0 + r1));
  Bundle bundle{middle.origin, middle.direction, 0, 0, 1};
  for (const auto& [column, row] : {std::pair{c0, r0}, {c1, r0}, {c0, r1}, {c1, r1}}) {
    const Ray corner = ray_to(detector, view, column, row);
    const Vec3 shift = corner.origin - middle.origin;
    bundle.radius = std::max(bundle.radius, glm::length(shift - glm::dot(shift, middle.direction) * middle.direction));
    bundle.sine = std::max(bundle.sine, glm::length(glm::cross(corner.direction, middle.direction)));
  }
  // A curved tile bulges a little between its corners. Wide cones are not bounded.
  bundle.radius *= 1.02;
  bundle.sine *= 1.02;
  bundle.cosine = bundle.sine < 1 ? std::sqrt(1 - bundle.sine * bundle.sine) : 0;
  return bundle;
}

double pixel_mean(const Detector& detector, const View& view, std::int64_t column, std::int64_t row, int supersampling,
                  const std::vector<const Body*>& bodies) {
  double sum = 0;
  for (int j = 0; j < supersampling; ++j)
    for (int i = 0; i < supersampling; ++i) {
      const Ray ray = ray_to(detector, view, static_cast<double>(column) + (i + 0.5) / supersampling - 0.5,
                             static_cast<double>(row) + (j + 0.5) / supersampling - 0.5);
      for (const Body* body : bodies) sum += integrate(*body, ray.origin, ray.direction, ray.range);
    }
  return sum / (static_cast<double>(supersampling) * supersampling);
}

}  // namespace

void project_phantom(const Phantom& phantom, const Scan& scan, std::int64_t first, std::int64_t count,
                     int supersampling, std::span<float> out) {
  const Detector& detector = scan.detector;
  scan.check("project_phantom");
  if (supersampling < 1) throw InputError("project_phantom", "supersampling below 1", "give 1 or more");
  if (first < 0 || count < 0 || first + count > scan.view_count() ||
      static_cast<std::int64_t>(out.size()) != count * detector.pixels())
    throw Error("project_phantom", "the range of views does not fit the scan or the output");

  std::vector<Capsule> bounds;
  for (const Body& body : phantom.bodies) bounds.push_back(bounding_capsule(body));

  const std::int64_t across = (detector.columns + tile_edge - 1) / tile_edge;
  const std::int64_t tiles = across * ((detector.rows + tile_edge - 1) / tile_edge);
  parallel_for(count * tiles, [&](std::int64_t work) {
    const View& view = scan.views[static_cast<std::size_t>(first + work / tiles)];
    const std::int64_t column = work % tiles % across * tile_edge, row = work % tiles / across * tile_edge;
    const Tile tile{column, row, std::min(tile_edge, detector.columns - column),
                    std::min(tile_edge, detector.rows - row)};
    const Bundle bundle = bundle_of(detector, view, tile);
    std::vector<const Body*> bodies;
    for (std::size_t b = 0; b < bounds.size(); ++b)
      if (bundle.cosine < 0.7 || bounds[b].may_touch(bundle)) bodies.push_back(&phantom.bodies[b]);

    float* pixels = out.data() + work / tiles * detector.pixels();
    for (std::int64_t r = row; r < row + tile.rows; ++r)
      for (std::int64_t c = column; c < column + tile.columns; ++c)
        pixels[r * detector.columns + c] = static_cast<float>(pixel_mean(detector, view, c, r, supersampling, bodies));
  });
}

}  // namespace backlit
