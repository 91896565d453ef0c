#include <backlit/render/isosurface.hpp>

#include <algorithm>
#include <limits>

#include "device/gl/gl_backend_class.hpp"
#include "render/cell_triangles.hpp"
#include "render/gl/isosurface.hpp"
#include "render/isosurface_errors.hpp"

namespace backlit {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Works through the cells between two layers of samples. Around the grid lies a border of samples that count as
/// outside.
class Marcher {
 public:
  Marcher(const Volume& volume, double value)
      : volume_(volume),
        value_(value),
        nx_(volume.grid.size[0] + 2),
        ny_(volume.grid.size[1] + 2),
        nz_(volume.grid.size[2] + 2) {
    const auto samples = static_cast<std::size_t>(nx_ * ny_);
    for (auto& layer : flat_) layer.assign(2 * samples, none);
    upright_.assign(samples, none);
  }

  Mesh run(const Watch& watch) {
    watch.begin("surface", nz_ - 1, "slices");
    for (std::int64_t k = 0; k + 1 < nz_; ++k) {
      layer(k);
      watch.advance(1);
    }
    watch.end();
    return std::move(mesh_);
  }

 private:
  /// Whether sample (i, j, k), counted from the border, is inside.
  bool is_inside(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return in_grid(i, j, k) && static_cast<double>(sample(i, j, k)) > value_;
  }
  bool in_grid(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return i > 0 && j > 0 && k > 0 && i < nx_ - 1 && j < ny_ - 1 && k < nz_ - 1;
  }
  float sample(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const auto& size = volume_.grid.size;
    return volume_.values[((k - 1) * size[1] + j - 1) * size[0] + i - 1];
  }

  void layer(std::int64_t k) {
    std::swap(flat_[0], flat_[1]);
    std::ranges::fill(flat_[1], none);
    std::ranges::fill(upright_, none);
    for (std::int64_t j = 0; j + 1 < ny_; ++j) {
      int column = left_column(0, j, k);
      for (std::int64_t i = 0; i + 1 < nx_; ++i) {
        const int right = left_column(i + 1, j, k);
        const int inside = column | right << 1;
        column = right;
        if (inside != 0 && inside != 255) cell(i, j, k, inside);
      }
    }
  }

  /// Bits of those corners 0, 2, 4, 6 of a cell that are inside.
  int left_column(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return is_inside(i, j, k) | is_inside(i, j + 1, k) << 2 | is_inside(i, j, k + 1) << 4 |
           is_inside(i, j + 1, k + 1) << 6;
  }

  void cell(std::int64_t i, std::int64_t j, std::int64_t k, int inside) {
    for (const auto& edges : cell_triangles(inside)) {
      std::array<std::uint32_t, 3> triangle;
      for (std::size_t n = 0; n < 3; ++n) triangle[n] = vertex(i, j, k, edges[n]);
      mesh_.triangles.push_back(triangle);
    }
  }

  /// The vertex on an edge of a cell, made when first asked for.
  std::uint32_t vertex(std::int64_t i, std::int64_t j, std::int64_t k, int edge) {
    const int axis = edge / 4, second = edge & 1, third = edge >> 1 & 1;
    std::int64_t at[3] = {i, j, k};
    at[(axis + 1) % 3] += second;
    at[(axis + 2) % 3] += third;
    const auto place = static_cast<std::size_t>(at[1] * nx_ + at[0]);
    std::uint32_t& index = axis == 2
                               ? upright_[place]
                               : flat_[static_cast<std::size_t>(at[2] - k)][2 * place + static_cast<std::size_t>(axis)];
    if (index == none) index = add_vertex(at, axis);
    return index;
  }

  std::uint32_t add_vertex(const std::int64_t (&at)[3], int axis) {
    std::int64_t to[3] = {at[0], at[1], at[2]};
    ++to[axis];
    double share = 0.5;  // the end of the grid: the outer face of its last voxel
    if (in_grid(at[0], at[1], at[2]) && in_grid(to[0], to[1], to[2])) {
      const double a = static_cast<double>(sample(at[0], at[1], at[2])),
                   b = static_cast<double>(sample(to[0], to[1], to[2]));
      share = (value_ - a) / (b - a);
    }
    if (mesh_.vertices.size() >= none) refuse_vertices();
    double place[3] = {static_cast<double>(at[0] - 1), static_cast<double>(at[1] - 1), static_cast<double>(at[2] - 1)};
    place[axis] += share;
    mesh_.vertices.emplace_back(volume_.grid.voxel_center(place[0], place[1], place[2]));
    return static_cast<std::uint32_t>(mesh_.vertices.size() - 1);
  }

  const Volume& volume_;
  double value_;
  std::int64_t nx_, ny_, nz_;
  std::array<std::vector<std::uint32_t>, 2> flat_;  ///< vertices on edges along x and y, of the lower and upper layer
  std::vector<std::uint32_t> upright_;              ///< on those along z between them
  Mesh mesh_;
};

}  // namespace

Mesh isosurface(const Volume& volume, double value, const Watch& watch) {
  volume.grid.check("surface");
  Mesh mesh = Marcher(volume, value).run(watch);
  if (mesh.triangles.empty()) refuse_value(value);
  return mesh;
}

Mesh isosurface(Backend& backend, const Volume& volume, double value, const Watch& watch) {
  if (backend.name() == "cpu") return isosurface(volume, value, watch);
  volume.grid.check("surface");
  if (auto* const gl = dynamic_cast<gl::GlBackend*>(&backend.innermost()))
    return gl::isosurface(*gl, volume, value, watch);
  throw Unsupported("surface", backend.name() + " makes none", "choose gl or cpu");
}

}  // namespace backlit
