// Grids, detectors and scans.
#include <backlit/core/error.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/geometry/matrix.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/geometry_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include <backlit/projectors/joseph/geometry_gradient.hpp>
#include <backlit/recon/default_method.hpp>
#include "bindings.hpp"

namespace backlit::python {
namespace {

using Placement = std::array<double, 5>;  ///< offset u, v (px), tilt u, v, n (deg)

DetectorPlacement placement_of(const Placement& p) { return {p[0], p[1], p[2], p[3], p[4]}; }

Scan checked(const Detector& detector, std::vector<View> views) {
  Scan scan{detector, std::move(views)};
  if (detector.columns < 1 || detector.rows < 1)
    throw InputError("detector", "has no pixels", "give detector=(rows, columns)");
  scan.check("geometry");
  return scan;
}

/// The twelve numbers of each view in ASTRA's order. In parallel beams the ray vector points to the source, as in
/// ASTRA.
std::vector<double> vectors_of(const Scan& scan) {
  std::vector<double> numbers;
  numbers.reserve(12 * scan.views.size());
  for (const View& v : scan.views)
    for (const Vec3& a : {v.beam == Beam::cone ? v.source : -v.direction, v.center, v.u, v.v})
      numbers.insert(numbers.end(), {a.x, a.y, a.z});
  return numbers;
}

/// Derivatives of sum(weights * projections) with respect to the numbers of vectors_of().
std::vector<double> gradient_of(const Scan& scan, const VolumeGrid& grid, const HostValues& volume,
                                const DoubleArray& weights) {
  const auto [x, y, z] = grid.size;
  if (volume.size() != static_cast<std::size_t>(x * y * z) ||
      weights.size() != static_cast<std::size_t>(scan.view_count() * scan.detector.pixels()))
    throw InputError("gradient", "volume or weights do not have the shape of the grid or the projections",
                     "give a volume of the grid's shape and weights of the projections'");
  if (volume.dtype() != nb::dtype<double>() && volume.dtype() != nb::dtype<float>())
    throw InputError("gradient", "the volume is neither float32 nor float64", "convert it to one of them");
  const nb::gil_scoped_release released;
  const auto gradients = volume.dtype() == nb::dtype<double>()
                             ? geometry_gradient(grid, scan, static_cast<const double*>(volume.data()), weights.data())
                             : geometry_gradient(grid, scan, static_cast<const float*>(volume.data()), weights.data());
  std::vector<double> numbers;
  const double sense = scan.beam() == Beam::cone ? 1 : -1;
  for (const ViewGradient& g : gradients)
    for (const Vec3& a : {sense * g.source, g.center, g.u, g.v}) numbers.insert(numbers.end(), {a.x, a.y, a.z});
  return numbers;
}

Scan from_vectors(const Detector& detector, const DoubleArray& vectors, bool parallel) {
  if (vectors.ndim() != 2 || vectors.shape(1) != 12)
    throw InputError("vectors", "are not an array of shape (views, 12)", "give source (or ray), centre, u, v a view");
  std::vector<View> views(vectors.shape(0));
  const double* n = vectors.data();
  for (View& view : views) {
    const auto next = [&n] {
      const Vec3 v(n[0], n[1], n[2]);
      n += 3;
      return v;
    };
    const Vec3 first = next();
    view.beam = parallel ? Beam::parallel : Beam::cone;
    (parallel ? view.direction : view.source) = parallel ? -glm::normalize(first) : first;
    view.center = next();
    view.u = next();
    view.v = next();
  }
  Detector with_pixels = detector;
  if (!views.empty()) {
    with_pixels.pixel_u = glm::length(views.front().u);
    with_pixels.pixel_v = glm::length(views.front().v);
  }
  return checked(with_pixels, std::move(views));
}

std::vector<double> matrices_of(const Scan& scan) {
  std::vector<double> numbers;
  numbers.reserve(12 * scan.views.size());
  for (const View& view : scan.views) {
    const ProjectionMatrix p = projection_matrix(scan.detector, view);
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 4; ++column) numbers.push_back(p[column][row]);
  }
  return numbers;
}

Scan from_matrices(const Detector& detector, const DoubleArray& matrices, double source_to_detector) {
  if (matrices.ndim() != 3 || matrices.shape(1) != 3 || matrices.shape(2) != 4)
    throw InputError("matrices", "are not an array of shape (views, 3, 4)",
                     "give (x, y, z, 1) -> (column w, row w, w)");
  std::vector<View> views;
  for (std::size_t i = 0; i < matrices.shape(0); ++i) {
    ProjectionMatrix p;
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 4; ++column) p[column][row] = matrices.data()[i * 12 + row * 4 + column];
    views.push_back(source_to_detector > 0 ? view_from_matrix_at(p, detector, source_to_detector)
                                           : view_from_matrix(p, detector, detector.pixel_u));
  }
  return checked(detector, std::move(views));
}

Scan some_views(const Scan& scan, const std::vector<std::int64_t>& which) {
  Scan some{scan.detector, {}};
  for (const std::int64_t view : which) some.views.push_back(scan.views.at(static_cast<std::size_t>(view)));
  return some;
}

Scan read_scan_geometry_file(const std::string& path, Detector detector, double source_to_detector) {
  std::vector<View> views = read_geometry(path, detector, source_to_detector);
  return checked(detector, std::move(views));
}

/// For pickling: rows, columns, pixel_u, pixel_v, curved, radius, parallel, and the numbers of vectors_of().
using ScanState = std::tuple<std::int64_t, std::int64_t, double, double, bool, double, bool, std::vector<double>>;

ScanState state_of(const Scan& scan) {
  const Detector& d = scan.detector;
  return {d.rows,
          d.columns,
          d.pixel_u,
          d.pixel_v,
          d.shape == Detector::Shape::curved,
          d.radius,
          scan.beam() == Beam::parallel,
          vectors_of(scan)};
}

Scan restored(const ScanState& state) {
  const auto& [rows, columns, pixel_u, pixel_v, curved, radius, parallel, numbers] = state;
  const Detector detector{columns, rows, pixel_u, pixel_v, curved ? Detector::Shape::curved : Detector::Shape::flat,
                          radius};
  if (numbers.empty() || numbers.size() % 12 != 0) throw InputError("geometry", "a pickled one has no whole views");
  std::vector<View> views(numbers.size() / 12);
  const double* n = numbers.data();
  for (View& view : views) {
    const Vec3 first(n[0], n[1], n[2]);
    view.beam = parallel ? Beam::parallel : Beam::cone;
    (parallel ? view.direction : view.source) = parallel ? -first : first;
    view.center = Vec3(n[3], n[4], n[5]);
    view.u = Vec3(n[6], n[7], n[8]);
    view.v = Vec3(n[9], n[10], n[11]);
    n += 12;
  }
  return checked(detector, std::move(views));
}

/// A point as a tuple of Python.
std::tuple<double, double, double> numbers(const Vec3& v) { return {v.x, v.y, v.z}; }

VolumeGrid make_grid(const std::array<std::int64_t, 3>& shape, const Point& voxel, const Point& center) {
  const VolumeGrid grid{{shape[2], shape[1], shape[0]}, {voxel[2], voxel[1], voxel[0]}, vec(center)};
  grid.check("volume");
  return grid;
}

}  // namespace

void add_geometry(nb::module_& m) {
  nb::class_<VolumeGrid>(m, "Grid")
      .def("__init__", [](VolumeGrid* self, const std::array<std::int64_t, 3>& shape, const Point& voxel,
                          const Point& center) { new (self) VolumeGrid(make_grid(shape, voxel, center)); })
      .def_prop_ro("shape",
                   [](const VolumeGrid& g) {
                     return std::tuple{g.size[2], g.size[1], g.size[0]};
                   })
      .def_prop_ro("voxel",
                   [](const VolumeGrid& g) {
                     return std::tuple{g.spacing.z, g.spacing.y, g.spacing.x};
                   })
      .def_prop_ro("center", [](const VolumeGrid& g) { return numbers(g.center); })
      .def_prop_ro("lower", [](const VolumeGrid& g) { return numbers(g.lower()); })
      .def_prop_ro("upper", [](const VolumeGrid& g) { return numbers(g.upper()); })
      .def("__eq__", [](const VolumeGrid& a, const VolumeGrid& b) { return a == b; });

  nb::class_<Detector>(m, "Detector")
      .def("__init__",
           [](Detector* self, std::int64_t rows, std::int64_t columns, double pixel_u, double pixel_v, bool curved,
              double radius) {
             new (self) Detector{
                 columns, rows, pixel_u, pixel_v, curved ? Detector::Shape::curved : Detector::Shape::flat, radius};
           })
      .def_ro("rows", &Detector::rows)
      .def_ro("columns", &Detector::columns)
      .def_ro("pixel_u", &Detector::pixel_u)
      .def_ro("pixel_v", &Detector::pixel_v)
      .def_ro("radius", &Detector::radius)
      .def_prop_ro("curved", [](const Detector& d) { return d.shape == Detector::Shape::curved; });

  nb::class_<Scan>(m, "Views")
      .def("__getstate__", &state_of)
      .def("__setstate__", [](Scan& self, const ScanState& state) { new (&self) Scan(restored(state)); })
      .def_ro("detector", &Scan::detector)
      .def("__len__", &Scan::view_count)
      .def("__eq__", [](const Scan& a, const Scan& b) { return a.detector == b.detector && a.views == b.views; })
      .def_prop_ro("parallel", [](const Scan& s) { return s.beam() == Beam::parallel; })
      .def("vectors",
           [](const Scan& s) {
             return to_numpy(vectors_of(s), {s.views.size(), 12});
           })
      .def("matrices",
           [](const Scan& s) {
             return to_numpy(matrices_of(s), {s.views.size(), 3, 4});
           })
      .def("gradient",
           [](const Scan& s, const VolumeGrid& grid, const HostValues& volume, const DoubleArray& weights) {
             return to_numpy(gradient_of(s, grid, volume, weights), {s.views.size(), 12});
           })
      .def("some", &some_views)
      .def("default_grid", &default_grid)
      .def("default_method", [](const Scan& s) { return default_method(s).name; })
      .def("center_px", &center_of)
      .def("with_center", &with_center)
      .def("toml", [](const Scan& s) { return scan_text(s, {}, "geometry"); })
      .def("save",
           [](const Scan& s, const std::string& path) {
             if (path.ends_with(".toml"))
               save_scan(s, {}, path);
             else
               write_geometry(s, path);
           })
      .def_static("circular",
                  [](const Detector& d, const std::vector<double>& angles, double to_axis, double to_detector,
                     const Placement& p) {
                    return checked(d, circular_views(d, angles, to_axis, to_detector, placement_of(p)));
                  })
      .def_static("parallel_beam",
                  [](const Detector& d, const std::vector<double>& angles, const Placement& p) {
                    return checked(d, parallel_views(d, angles, placement_of(p)));
                  })
      .def_static("helical",
                  [](const Detector& d, const std::vector<double>& angles, double to_axis, double to_detector,
                     double pitch, double start_z, const Placement& p) {
                    return checked(d, helical_views(d, angles, to_axis, to_detector, pitch, start_z, placement_of(p)));
                  })
      .def_static("laminographic",
                  [](const Detector& d, const std::vector<double>& angles, double to_axis, double to_detector,
                     double elevation, const Placement& p) {
                    return checked(d, laminographic_views(d, angles, to_axis, to_detector, elevation, placement_of(p)));
                  })
      .def_static("from_vectors", &from_vectors)
      .def_static("from_matrices", &from_matrices)
      .def_static("read", &read_scan_geometry_file)
      .def_static("read_scan", [](const std::string& path) { return load_scan_geometry(path).scan; });

  m.def("equal_angles", &equal_angles);
}

}  // namespace backlit::python
