// The image as tiles that a block of threads holds in shared memory: their sizes, and the places of their voxels.
#pragma once

#include <algorithm>
#include <cstdint>

#include <backlit/projectors/lines_of_response/lor.hpp>

namespace backlit::cuda {

#define BACKLIT_TAP_CLASSES \
  { 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48 }
inline constexpr int tap_classes[] = BACKLIT_TAP_CLASSES;
inline constexpr int tap_class_count = sizeof(tap_classes) / sizeof(int);
/// Largest number of taps for which tiles have margins; the loops of wider tubes end at the tile.
inline constexpr int most_margin_taps = 12;
BACKLIT_HD constexpr int margin_of(int taps) { return taps <= most_margin_taps ? taps - 1 : 0; }

/// The smallest class with at least `taps` taps.
BACKLIT_HD inline int class_of(int taps) {
  constexpr int classes[] = BACKLIT_TAP_CLASSES;
  int c = 0;
  while (c + 1 < tap_class_count && classes[c] < taps) ++c;
  return c;
}

/// The image as tiles of slices perpendicular to one axis: extents along that axis, a and b.
struct Tiling {
  int size[3];             ///< voxels of the image
  int tile[3];             ///< voxels of a tile
  int tiles[3];            ///< number of tiles
  int first;               ///< number of the first tile among those of all axes
  float spacing[3];        ///< mm
  int widest;              ///< class of taps of this axis' widest lines; tiles with wider margins need not fit
  std::int64_t stride[3];  ///< in the image's memory
};

/// Indexed by the main axis of lines.
struct Tilings {
  Tiling axis[3];
};

/// Tiles for tubes of up to `radius` mm (0: thin lines). With its margins, none needs more than `shared_floats`. Throws
/// Failure where not even one slice of one voxel fits.
Tilings choose_tiles(const LorGrid&, float radius, int shared_floats);

/// Visits [begin, end) of a tile by lines of one kernel and one class of taps: the work of a block.
struct WorkItem {
  int tile, axis, kernel, taps;
  std::int64_t begin, end;
};

/// A tile with margins of taps - 1 voxels before and behind it in each direction of a slice. The margin behind a row is
/// the margin before the next one. Wide tubes have no margins: their loops end at the tile.
struct Tile {
  int main0, a0, b0;  // its first voxel in the image
  int main, a, b;     // its voxels
  int margin, row, slice;
};

BACKLIT_HD inline Tile tile_of(const Tiling& t, const WorkItem& item) {
  Tile tile;
  const int ka = item.tile % t.tiles[1], kb = item.tile / t.tiles[1] % t.tiles[2];
  const int km = item.tile / t.tiles[1] / t.tiles[2];
  tile.main0 = km * t.tile[0];
  tile.a0 = ka * t.tile[1];
  tile.b0 = kb * t.tile[2];
  const int main = t.size[0] - tile.main0, a = t.size[1] - tile.a0, b = t.size[2] - tile.b0;  // to the image's end
  tile.main = main < t.tile[0] ? main : t.tile[0];
  tile.a = a < t.tile[1] ? a : t.tile[1];
  tile.b = b < t.tile[2] ? b : t.tile[2];
  tile.margin = margin_of(item.taps);
  tile.row = tile.a + tile.margin;
  tile.slice = tile.row * (tile.b + tile.margin);
  return tile;
}

/// Index of the tile's first voxel.
BACKLIT_HD inline int first_voxel(const Tile& t) { return t.margin * t.row + t.margin; }
/// Floats in shared memory for the tile with its margins.
BACKLIT_HD inline int floats_of(const Tile& t) { return t.main * t.slice + first_voxel(t); }

/// The same for the largest tile.
int most_floats(const Tilings&);

}  // namespace backlit::cuda
