// A tile of the image in a block's shared memory.
#pragma once

#include "listmode/plan.hpp"

namespace backlit::cuda {

/// A tile with margins of taps - 1 voxels before and behind in each direction of a slice: the margin behind a row is
/// that before the next. Wide tubes have none: their loops end at the tile.
struct Tile {
  int main0, a0, b0;  // its first voxel in the image
  int main, a, b;     // its voxels
  int margin, row, slice;
};

__device__ inline Tile tile_of(const Tiling& t, const WorkItem& item) {
  Tile tile;
  const int ka = item.tile % t.tiles[1], kb = item.tile / t.tiles[1] % t.tiles[2];
  const int km = item.tile / t.tiles[1] / t.tiles[2];
  tile.main0 = km * t.tile[0];
  tile.a0 = ka * t.tile[1];
  tile.b0 = kb * t.tile[2];
  tile.main = min(t.tile[0], t.size[0] - tile.main0);
  tile.a = min(t.tile[1], t.size[1] - tile.a0);
  tile.b = min(t.tile[2], t.size[2] - tile.b0);
  tile.margin = margin_of(item.taps);
  tile.row = tile.a + tile.margin;
  tile.slice = tile.row * (tile.b + tile.margin);
  return tile;
}

__device__ inline int first_voxel(const Tile& t) { return t.margin * t.row + t.margin; }
__device__ inline int floats_of(const Tile& t) { return t.main * t.slice + first_voxel(t); }

/// f(place in the tile, place in the image) for the tile's voxels, neighbours in the image by neighbouring threads.
template <class F>
__device__ void each_voxel(const Tile& t, const Tiling& g, int axis, F&& f) {
  const int n = t.main * t.a * t.b;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int s, a, b;
    if (axis == 0) {
      s = i % t.main;
      a = i / t.main % t.a;
      b = i / t.main / t.a;
    } else {
      a = i % t.a;
      s = axis == 1 ? i / t.a % t.main : i / t.a / t.b;
      b = axis == 1 ? i / t.a / t.main : i / t.a % t.b;
    }
    f(first_voxel(t) + s * t.slice + b * t.row + a,
      (t.main0 + s) * g.stride[0] + (t.a0 + a) * g.stride[1] + (t.b0 + b) * g.stride[2]);
  }
}

}  // namespace backlit::cuda
