// Marching cubes within one cell: which of its edges the surface's triangles have their vertices on.
#pragma once

#include <array>
#include <vector>

namespace backlit {

/// A cell's corner c lies at (c & 1, c >> 1 & 1, c >> 2 & 1). Edge 4 a + b + 2 c runs along axis a. It begins at the
/// corner whose coordinates along the next two axes (cyclically) are b and c.
using CellTriangle = std::array<int, 3>;

/// The edges of the triangles of a cell whose inside corners are the bits of `inside`, 0 to 255.
const std::vector<CellTriangle>& cell_triangles(int inside);

}  // namespace backlit
