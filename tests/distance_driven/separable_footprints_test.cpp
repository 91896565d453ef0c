// How near distance-driven projection comes to what a cell sees of voxels, beside separable footprints, which are
// written down in tests/support for that alone.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>
#include <map>
#include <random>

#include <backlit/core/parallel.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include "projectors/shared/make_ray_frame.hpp"
#include "projectors/siddon/box_lengths.hpp"
#include "study/bench/cases.hpp"
#include "support/projectors/one_view_back.hpp"
#include "support/projectors/recut.hpp"
#include "support/projectors/separable_footprints.hpp"

using namespace backlit;

namespace {

using Cells = std::vector<double>;

Cells by_model(Model model, const Volume& volume, const Scan& view) {
  const auto cpu = make_backend("cpu");
  const auto p = test::apply_ct(*cpu, volume.grid, view, {.model = model}, true, volume.values.span());
  return {p.begin(), p.end()};
}

/// Points of a cell, from its middle: a Fibonacci lattice, `before` being the number before `count` in that series, so
/// that along either side no two lie at one place.
std::vector<std::pair<double, double>> points_of_cell(int count, int before) {
  std::vector<std::pair<double, double>> points;
  for (int i = 0; i < count; ++i)
    points.emplace_back((i + 0.5) / count - 0.5, (i * before % count + 0.5) / count - 0.5);
  return points;
}

/// What cells see of the voxels of a box, all but exactly: the mean of so many rays, each through all that it meets.
Cells mean_of_rays(const Volume& volume, const VoxelBox& box, const Scan& view, int count, int before) {
  const Detector& d = view.detector;
  const auto points = points_of_cell(count, before);
  const auto frame = make_ray_frame(d, view.views[0], volume.grid);
  Cells cells(static_cast<std::size_t>(d.pixels()), 0.0);
  parallel_for(d.pixels(), [&](std::int64_t cell) {
    const auto row = static_cast<double>(cell / d.columns), column = static_cast<double>(cell % d.columns);
    double sum = 0;
    for (const auto& [right, up] : points)
      sum += sum_boxes(slice_steps(make_ray(frame, column + right, row + up), box), volume.values.data());
    cells[static_cast<std::size_t>(cell)] = sum / count;
  });
  return cells;
}

VoxelBox whole(const Size3& n) { return {{0, 0, 0}, {n[0], n[1], n[2]}, {n[0], n[1], n[2]}}; }

const std::vector<std::pair<const char*, Cells (*)(const Volume&, const Scan&)>>& models() {
  static const std::vector<std::pair<const char*, Cells (*)(const Volume&, const Scan&)>> all{
      {"distance-driven", [](const Volume& v, const Scan& s) { return by_model(Model::distance_driven, v, s); }},
      {"SF-TR",
       [](const Volume& v, const Scan& s) {
         return test::separable_footprints(v, s.detector, s.views[0], test::Axial::rectangle);
       }},
      {"SF-TT",
       [](const Volume& v, const Scan& s) {
         return test::separable_footprints(v, s.detector, s.views[0], test::Axial::trapezoid);
       }},
      {"Joseph", [](const Volume& v, const Scan& s) { return by_model(Model::joseph, v, s); }},
      {"Siddon", [](const Volume& v, const Scan& s) { return by_model(Model::siddon, v, s); }}};
  return all;
}

/// Of several projections together.
class Difference {
 public:
  void add(const Cells& a, const Cells& b) {
    double off = 0, largest = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      off = std::max(off, std::abs(a[i] - b[i]));
      largest = std::max(largest, std::abs(b[i]));
      square_ += (a[i] - b[i]) * (a[i] - b[i]);
      norm_ += b[i] * b[i];
    }
    worst_ = std::max(worst_, off / largest);
  }
  double relative() const { return std::sqrt(square_ / norm_); }
  double worst() const { return worst_; }

 private:
  double square_ = 0, norm_ = 0, worst_ = 0;
};

struct Case {
  std::string name;
  VolumeGrid grid;
  std::vector<Scan> views;
};

/// A fourth of a case's resolution, and seven of its views, 360 / 7 degrees apart.
Case reduced(const std::string& name) {
  const BenchCase whole = bench_case(name);
  const Size3& n = whole.grid.size;
  Case c{name, test::with_voxels(whole.grid, {n[0] / 4, n[1] / 4, n[2] / 4}), {}};
  const Detector& d = whole.scan.detector;
  for (std::int64_t i = 0; i < 7; ++i) {
    const View& view = whole.scan.views[static_cast<std::size_t>(i * whole.scan.view_count() / 7)];
    c.views.push_back(test::with_cells({d, {view}}, d.columns / 4, d.rows / 4));
  }
  return c;
}

/// A voxel of the grid's inner three fifths across and three quarters along.
Size3 voxel_at_random(const VolumeGrid& grid, std::mt19937& engine) {
  const auto inside = [&](std::int64_t n, double share) {
    const double u = std::uniform_real_distribution<double>(0.5 - share / 2, 0.5 + share / 2)(engine);
    return static_cast<std::int64_t>(u * static_cast<double>(n));
  };
  return {inside(grid.size[0], 0.6), inside(grid.size[1], 0.6), inside(grid.size[2], 0.75)};
}

/// What of it lies between the grid's first and last slice: rays see nothing else.
Phantom within_slices(Phantom phantom, const VolumeGrid& grid) {
  for (Body& body : phantom.bodies) {
    body.clips.push_back({grid.lower(), {0, 0, -1}});
    body.clips.push_back({grid.upper(), {0, 0, 1}});
  }
  return phantom;
}

void tell(const Case& c, const char* what, const char* model, const Difference& d) {
  std::printf("%-8s %-28s %-16s rel. L2 %.3g, max/max %.3g\n", c.name.c_str(), what, model, d.relative(), d.worst());
  std::fflush(stdout);
}

/// Thirty-five voxels, each by itself.
void compare_voxels(const Case& c) {
  std::mt19937 engine(11);
  std::map<std::string, Difference> found;
  for (const Scan& view : c.views)
    for (int i = 0; i < 5; ++i) {
      const Size3 at = voxel_at_random(c.grid, engine);
      Volume one(c.grid);
      one.values[(at[2] * c.grid.size[1] + at[1]) * c.grid.size[0] + at[0]] = 1;
      const Size3 &n = c.grid.size, next{at[0] + 1, at[1] + 1, at[2] + 1};
      const VoxelBox voxel{{at[0], at[1], at[2]}, {next[0], next[1], next[2]}, {n[0], n[1], n[2]}};
      const Cells exact = mean_of_rays(one, voxel, view, 4181, 2584);
      found["1597 rays a cell"].add(mean_of_rays(one, voxel, view, 1597, 987), exact);
      for (const auto& [name, project] : models()) found[name].add(project(one, view), exact);
    }
  for (const auto& [name, difference] : found) tell(c, "single voxels", name.c_str(), difference);
}

void compare_phantom(const Case& c, const char* name) {
  const Phantom phantom = within_slices(load_phantom(name), c.grid);
  const Volume volume = voxelize(phantom, c.grid, 4);
  std::map<std::string, Difference> from_voxels, from_phantom;
  for (const Scan& view : c.views) {
    const Cells exact = mean_of_rays(volume, whole(c.grid.size), view, 610, 377);
    from_voxels["233 rays a cell"].add(mean_of_rays(volume, whole(c.grid.size), view, 233, 144), exact);
    std::vector<float> analytic(exact.size());
    project_phantom(phantom, view, 0, 1, 8, analytic);
    const Cells truth(analytic.begin(), analytic.end());
    from_phantom["the voxels, exactly"].add(exact, truth);
    for (const auto& [model, project] : models()) {
      const Cells p = project(volume, view);
      from_voxels[model].add(p, exact);
      from_phantom[model].add(p, truth);
    }
  }
  for (const auto& [model, difference] : from_voxels)
    tell(c, (std::string(name) + ", voxels").c_str(), model.c_str(), difference);
  for (const auto& [model, difference] : from_phantom)
    tell(c, (std::string(name) + ", itself").c_str(), model.c_str(), difference);
}

Volume noise(const VolumeGrid& grid) {
  Volume volume(grid);
  std::mt19937 engine(7);
  for (float& v : volume.values) v = std::uniform_real_distribution<float>(0, 1)(engine);
  return volume;
}

}  // namespace

TEST_CASE("Separable footprints are exact for parallel beams across the axis") {
  const Volume volume = noise({{9, 7, 5}, Vec3(1.1, 0.8, 1.3), Vec3(0.4, -0.3, 0.2)});
  const Detector d{25, 13, 0.71, 0.9};
  for (const double angle : {0.0, 17.0, 45.0, 60.0, 90.0, 179.5}) {
    INFO(angle << " degrees");
    const Scan view{d, parallel_views(d, {angle})};
    const Cells exact = mean_of_rays(volume, whole(volume.grid.size), view, 2584, 1597);
    for (const auto axial : {test::Axial::rectangle, test::Axial::trapezoid}) {
      Difference difference;
      difference.add(test::separable_footprints(volume, d, view.views[0], axial), exact);
      CHECK(difference.worst() < 1e-3);
    }
  }
}

TEST_CASE("Separable footprints are near what cells see of voxels in a cone") {
  const Volume volume = noise({{9, 7, 5}, Vec3(1.1, 0.8, 1.3), Vec3(0.4, -0.3, 0.2)});
  for (const auto shape : {Detector::Shape::flat, Detector::Shape::curved}) {
    const Detector d{31, 17, 1.3, 1.7, shape};
    for (const View& v : circular_views(d, {10, 45, 80, 200, 290}, 200, 300)) {
      const Scan view{d, {v}};
      Difference footprints;
      const Cells exact = mean_of_rays(volume, whole(volume.grid.size), view, 987, 610);
      footprints.add(test::separable_footprints(volume, d, v, test::Axial::rectangle), exact);
      CHECK(footprints.relative() < 2e-3);
      CHECK(footprints.worst() < 1e-2);
    }
  }
}

TEST_CASE("Study of footprints beside what cells see", "[.study]") {
  for (const char* name : {"ct750", "cone512"}) {
    const Case c = reduced(name);
    compare_voxels(c);
    for (const char* phantom : {"forbild-head", "shepp-logan-3d"}) compare_phantom(c, phantom);
    CHECK(c.views.size() == 7);
  }
}
