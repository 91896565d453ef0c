// What volumes show: image quality of PET phantoms, surfaces.
#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/io/mesh_file.hpp>
#include <backlit/pet/image_quality.hpp>
#include <backlit/pet/rod_quality.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/render/isosurface.hpp>
#include "bindings.hpp"
#include "volume_of.hpp"

namespace backlit::python {
namespace {

nb::dict quality_of_spheres(const Volume& volume, const Phantom& phantom) {
  const ImageQuality q = [&] {
    const nb::gil_scoped_release released;
    return measure_quality(volume, quality_regions(phantom));
  }();
  nb::list spheres;
  for (const SphereQuality& s : q.spheres) {
    nb::dict d;
    d["diameter"] = s.diameter;
    d["contrast"] = s.contrast;
    d["variability"] = s.variability;
    spheres.append(d);
  }
  nb::dict all;
  all["background"] = q.background;
  all["lung_residual"] = q.lung_residual < 0 ? nb::none() : nb::cast(q.lung_residual);
  all["spheres"] = spheres;
  return all;
}

nb::dict quality_of_rods(const Volume& volume, const std::vector<RodSector>& sectors) {
  const auto measured = [&] {
    const nb::gil_scoped_release released;
    return measure_rods(volume, sectors);
  }();
  nb::list rods;
  for (const RodQuality& r : measured) {
    nb::dict d;
    d["diameter"] = r.diameter;
    d["valley_to_peak"] = r.valley_to_peak;
    d["peak"] = r.peak;
    d["spread"] = r.spread;
    d["separated"] = r.separated;
    d["profile_mm"] = r.profile_mm;
    d["profile"] = r.profile;
    rods.append(d);
  }
  nb::dict all;
  all["rods"] = rods;
  return all;
}

nb::dict quality(const VolumeGrid& grid, const FloatArray& values, const Phantom& phantom) {
  const Volume volume = volume_of(grid, values, "volume");
  const bool round =
      std::ranges::any_of(phantom.bodies, [](const Body& b) { return b.shape == Body::Shape::ellipsoid; });
  const auto sectors = round ? std::vector<RodSector>{} : rod_sectors(phantom);
  return sectors.empty() ? quality_of_spheres(volume, phantom) : quality_of_rods(volume, sectors);
}

nb::tuple surface(const VolumeGrid& grid, const FloatArray& values, double value) {
  const Volume volume = volume_of(grid, values, "volume");
  Mesh mesh;
  {
    const nb::gil_scoped_release released;
    SignalProgress progress;
    mesh = isosurface(volume, value, progress.watch());
  }
  std::vector<float> vertices;
  for (const glm::vec3& p : mesh.vertices) vertices.insert(vertices.end(), {p.x, p.y, p.z});
  std::vector<std::uint32_t> corners;
  for (const auto& t : mesh.triangles) corners.insert(corners.end(), t.begin(), t.end());
  return nb::make_tuple(to_numpy(std::move(vertices), {mesh.vertices.size(), 3}),
                        to_numpy(std::move(corners), {mesh.triangles.size(), 3}));
}

using Corners = nb::ndarray<const std::uint32_t, nb::c_contig, nb::device::cpu>;

void save_surface(const FloatArray& vertices, const Corners& triangles, const std::string& path) {
  if (vertices.ndim() != 2 || vertices.shape(1) != 3 || triangles.ndim() != 2 || triangles.shape(1) != 3)
    throw InputError("surface", "is not vertices (n, 3) and triangles (m, 3)", "give what isosurface() returns");
  Mesh mesh;
  for (std::size_t i = 0; i < vertices.size(); i += 3)
    mesh.vertices.emplace_back(vertices.data()[i], vertices.data()[i + 1], vertices.data()[i + 2]);
  for (std::size_t i = 0; i < triangles.size(); i += 3) {
    const std::array<std::uint32_t, 3> corners{triangles.data()[i], triangles.data()[i + 1], triangles.data()[i + 2]};
    if (std::ranges::any_of(corners, [&](std::uint32_t c) { return c >= mesh.vertices.size(); }))
      throw InputError("surface", "a triangle names a vertex that is not there", "count vertices from 0");
    mesh.triangles.push_back(corners);
  }
  const nb::gil_scoped_release released;
  save_mesh(mesh, path);
}

}  // namespace

void add_measures(nb::module_& m) {
  m.def("image_quality", &quality);
  m.def("isosurface", &surface);
  m.def("save_surface", &save_surface);
}

}  // namespace backlit::python
