#include "render/gl/isosurface.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include <backlit/core/byte_size.hpp>
#include "device/gl/dispatch.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"
#include "render/cell_triangles.hpp"
#include "render/isosurface_errors.hpp"

namespace backlit::gl {
namespace {

constexpr std::int64_t cells_a_group = 64;         ///< the shader packs sums over a group into 8 bits
constexpr std::int64_t rows_a_dispatch = 1 << 15;  ///< work groups along x; OpenGL promises 65535
constexpr std::int64_t vertex_bytes = sizeof(glm::vec3), triangle_bytes = 3 * sizeof(std::uint32_t);

/// A row of cells: how many triangles and vertices it has; later, how many come before it.
struct RowCounts {
  std::uint32_t triangles = 0, vertices = 0;
};

/// The uniform block of shaders/isosurface/cells.glsl.
struct SlabBlock {
  std::array<double, 4> origin, spacing;
  std::array<std::int32_t, 4> grid;
  std::int32_t first_layer;
  float threshold;
  std::array<std::int32_t, 2> padding;
};

/// A sample is larger than `value` if it is larger than the nearest float from below.
float float_below(double value) {
  const auto nearest = static_cast<float>(value);
  return static_cast<double>(nearest) > value ? std::nextafter(nearest, -std::numeric_limits<float>::infinity())
                                              : nearest;
}

std::size_t most_triangles() {
  std::size_t most = 0;
  for (int inside = 0; inside < 256; ++inside) most = std::max(most, cell_triangles(inside).size());
  return most;
}

/// Entries of 1 + `most` numbers: the number of triangles, and their edges.
std::vector<std::uint32_t> table_of_edges(std::size_t most) {
  std::vector<std::uint32_t> table(256 * (1 + most));
  for (std::size_t inside = 0; inside < 256; ++inside) {
    const auto& triangles = cell_triangles(static_cast<int>(inside));
    std::uint32_t* entry = &table[inside * (1 + most)];
    *entry = static_cast<std::uint32_t>(triangles.size());
    for (const auto& [a, b, c] : triangles) *++entry = static_cast<std::uint32_t>(a | b << 4 | c << 8);
  }
  return table;
}

/// Room for `bytes`: the buffer that is there, where it has it.
void require_room(Buffer& buffer, const char* label, std::int64_t bytes) {
  if (buffer.bytes() >= bytes) return;
  buffer = {};  // before the new one is made
  buffer = Buffer(label, bytes);
}

class SurfaceInSlabs {
 public:
  SurfaceInSlabs(GlBackend& backend, const Volume& volume, double value, std::int64_t buffer_bytes)
      : backend_(backend), volume_(volume), value_(value), buffer_bytes_(buffer_bytes) {
    const auto& size = volume.grid.size;
    row_count_ = size[1] + 1;
    slice_bytes_ = size[0] * size[1] * static_cast<std::int64_t>(sizeof(float));
    const std::int64_t most = backend.context().limits().storage_block_bytes;
    if (3 * slice_bytes_ > most)
      throw Unsupported("surface",
                        fmt::format("three slices of {} exceed the {} of this device's buffers",
                                    byte_size_text(slice_bytes_), byte_size_text(most)),
                        "choose the backend cpu");
    buffer_bytes_ = std::min(buffer_bytes_, most);
    const std::size_t triangles = most_triangles();
    const Defines defines{{"GROUP", std::to_string(cells_a_group)},
                          {"ROWS", std::to_string(rows_a_dispatch)},
                          {"ENTRY", std::to_string(1 + triangles)}};
    count_ = Program("count surface", {"isosurface/count.comp"}, defines);
    write_ = Program("write surface", {"isosurface/write.comp"}, defines);
    const auto table = table_of_edges(triangles);
    table_ = Buffer("triangles of cells", static_cast<std::int64_t>(table.size() * sizeof table[0]), table.data());
    block_ = Buffer("slab", sizeof(SlabBlock));
  }

  Mesh run(const Watch& watch) {
    const std::int64_t layers = volume_.grid.size[2] + 1,
                       rows_of_layer = row_count_ * static_cast<std::int64_t>(sizeof(RowCounts)),
                       slab = std::max<std::int64_t>(1, buffer_bytes_ / std::max(slice_bytes_, rows_of_layer) - 2);
    watch.begin("surface", layers, "slices");
    for (std::int64_t first = 0; first < layers; first += slab) {
      const std::int64_t count = std::min(slab, layers - first);
      load(first, count);
      find_rows(count);
      for (std::int64_t row = 0; row < count * row_count_;) row = write_from(row, count * row_count_);
      watch.advance(count);
    }
    watch.end();
    return std::move(mesh_);
  }

 private:
  /// Uploads what layers [first, first + count) of cells and the one above them need.
  void load(std::int64_t first, std::int64_t count) {
    const auto& grid = volume_.grid;
    const auto& size = grid.size;
    const std::int64_t low = std::max<std::int64_t>(0, first - 1), high = std::min(size[2], first + count + 1);
    require_room(values_, "slab", (high - low) * slice_bytes_);
    const std::int64_t slice = size[0] * size[1];
    values_.write(std::as_bytes(volume_.values.span().subspan(static_cast<std::size_t>(low * slice),
                                                              static_cast<std::size_t>((high - low) * slice))));
    const Vec3 origin = grid.first_voxel();
    const SlabBlock block{{origin.x, origin.y, origin.z, value_},
                          {grid.spacing.x, grid.spacing.y, grid.spacing.z, 0},
                          {whole(size[0]), whole(size[1]), whole(size[2]), whole(low)},
                          whole(first),
                          float_below(value_),
                          {}};
    block_.write(std::as_bytes(std::span(&block, 1)));
    block_.bind_uniform(0);
    values_.bind_storage(0);
    table_.bind_storage(1);
  }

  /// Counts the rows of `count` layers, and of the next, whose vertices they share. Then sums the counts.
  void find_rows(std::int64_t count) {
    const std::int64_t rows = (count + 1) * row_count_, bytes = static_cast<std::int64_t>(sizeof(RowCounts));
    rows_.resize(static_cast<std::size_t>(rows + 1));
    require_room(row_buffer_, "rows", (rows + 1) * bytes);
    row_buffer_.bind_storage(2);
    count_.set("row_end", whole(rows));
    {
      const Pass pass(backend_.timings(), "count surface");
      dispatch(count_, rows);
    }
    row_buffer_.read(std::as_writable_bytes(std::span(rows_).first(static_cast<std::size_t>(rows))));
    rows_.back() = {};
    sum_up();
    row_buffer_.write(std::as_bytes(std::span(rows_)));
  }

  /// Numbers of triangles before each row of the slab, and of vertices before it in the whole mesh.
  void sum_up() {
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    std::size_t triangles = 0, vertices = mesh_.vertices.size();
    for (RowCounts& row : rows_) {
      const RowCounts here = row;
      row = {static_cast<std::uint32_t>(triangles), static_cast<std::uint32_t>(vertices)};
      triangles += here.triangles;
      vertices += here.vertices;
      if (vertices > most) refuse_vertices();
    }
  }

  /// Adds what rows from `first` on hold, as many as the buffers take. Returns the row to go on with.
  std::int64_t write_from(std::int64_t first, std::int64_t end_of_slab) {
    const RowCounts& begin = rows_[static_cast<std::size_t>(first)];
    const auto fits = [&](const RowCounts& end) {
      return (end.triangles - begin.triangles) * triangle_bytes <= buffer_bytes_ &&
             (end.vertices - begin.vertices) * vertex_bytes <= buffer_bytes_;
    };
    std::int64_t last = first + 1;
    while (last < end_of_slab && fits(rows_[static_cast<std::size_t>(last + 1)])) ++last;
    const RowCounts& end = rows_[static_cast<std::size_t>(last)];
    if (end.triangles > begin.triangles)
      write(first, last, end.triangles - begin.triangles, end.vertices - begin.vertices);
    return last;
  }

  void write(std::int64_t first, std::int64_t last, std::size_t triangles, std::size_t vertices) {
    const auto old_vertices = mesh_.vertices.size(), old_triangles = mesh_.triangles.size();
    mesh_.vertices.resize(old_vertices + vertices);
    mesh_.triangles.resize(old_triangles + triangles);
    const auto new_vertices = std::as_writable_bytes(std::span(mesh_.vertices).subspan(old_vertices)),
               new_triangles = std::as_writable_bytes(std::span(mesh_.triangles).subspan(old_triangles));
    require_room(vertices_, "vertices", std::max<std::int64_t>(vertex_bytes, std::ssize(new_vertices)));
    require_room(triangles_, "triangles", std::ssize(new_triangles));
    vertices_.bind_storage(3);
    triangles_.bind_storage(4);
    write_.set("first_row", whole(first));
    write_.set("row_end", whole(last));
    {
      const Pass pass(backend_.timings(), "write surface");
      dispatch(write_, last - first);
    }
    vertices_.read(new_vertices);
    triangles_.read(new_triangles);
  }

  void dispatch(Program& program, std::int64_t rows) {
    program.use();
    glDispatchCompute(groups(std::min(rows, rows_a_dispatch), 1), groups(rows, rows_a_dispatch), 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    backend_.context().pace(static_cast<double>(rows * (volume_.grid.size[0] + 1)));
  }

  GlBackend& backend_;
  const Volume& volume_;
  double value_;
  std::int64_t buffer_bytes_, row_count_ = 0, slice_bytes_ = 0;
  Program count_, write_;
  Buffer block_, values_, table_, row_buffer_, vertices_, triangles_;
  std::vector<RowCounts> rows_;
  Mesh mesh_;
};

}  // namespace

Mesh isosurface(GlBackend& backend, const Volume& volume, double value, const Watch& watch, std::int64_t buffer_bytes) {
  backend.context().make_current();
  Mesh mesh = SurfaceInSlabs(backend, volume, value, buffer_bytes).run(watch);
  backend.context().check("surface");
  if (mesh.triangles.empty()) refuse_value(value);
  return mesh;
}

}  // namespace backlit::gl
