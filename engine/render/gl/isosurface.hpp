// Marching cubes on the device.
#pragma once

#include <backlit/core/progress.hpp>
#include <backlit/data/mesh.hpp>
#include <backlit/data/volume.hpp>
#include "device/gl/gl_backend_class.hpp"

namespace backlit::gl {

/// Bytes of each of the three large buffers: a slab of slices, vertices and triangles. A buffer is larger where three
/// slices are, or where the triangles of one row of cells are.
inline constexpr std::int64_t isosurface_buffer_bytes = std::int64_t{1} << 26;

/// See backlit/render/isosurface.hpp. Two passes a slab: rows of cells are counted, the host sums the counts, and all
/// rows are written where they belong, as in flying edges (Schroeder, Maynard, Geveci, LDAV 2015).
Mesh isosurface(GlBackend&, const Volume&, double value, const Watch&,
                std::int64_t buffer_bytes = isosurface_buffer_bytes);

}  // namespace backlit::gl
