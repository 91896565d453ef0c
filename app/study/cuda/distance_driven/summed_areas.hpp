// Footprints from summed areas (Liu, Fu, De Man and Yu 2017): positions at which their edges are looked up in a table,
// and the sum between the edges. A table entry is the sum below and left of two edges.
//
// Hardware rounds interpolation weights to 256ths, and rounds the product of two weights again. Edges are therefore
// looked up at multiples of a 256th, and the found sum is scaled to the true distance of the edges. Otherwise rounded
// weights would change the sum of a footprint, the more the larger the sums are. The rounding of the product remains:
// up to a 512th of an entry at each corner. So tables hold only the deviation of entries from the mean of their column
// (all entries along at one edge across). The columns' means are summed separately, in one direction, and looked up in
// software.
#pragma once

#include <cmath>

#include <backlit/core/hd.hpp>
#include "geometry/view_map.hpp"
#include "projectors/distance_driven/distance_driven.hpp"
#include "study/cuda/distance_driven/two_floats.hpp"

#if defined(__CUDA_ARCH__)
#define BACKLIT_UNROLL _Pragma("unroll")
#else
#define BACKLIT_UNROLL
#endif

namespace backlit {

constexpr float lookup_steps = 256;
constexpr float least_rounded = 0.0625f;  ///< footprints of a few 256ths are better not rounded

/// Inexact in a few last bits on devices; not for b beyond 2^126.
BACKLIT_HD inline float quick_quotient(float a, float b) {
#ifdef __CUDA_ARCH__
  float over;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(over) : "f"(b));
  return a * over;
#else
  return a / b;
#endif
}

BACKLIT_HD inline float within(float x, float most) { return fminf(fmaxf(x, 0.0f), most); }

/// Position at which an edge is looked up.
BACKLIT_HD inline float at_step(float x, bool rounds) {
  constexpr float coarse = 3 << 14;  // beside it, the last bit of a float is a 256th (|x| up to 2^14)
  return rounds ? (x + coarse) - coarse : x;
}

/// The mean of a position within a table if it were spread evenly over +-`blur` (much less than the table).
BACKLIT_HD inline float mean_within(float place, float blur, float most) {
  if (!(blur > 0)) return within(place, most);
  const float below = within(blur - place, 2 * blur), above = within(place + blur - most, 2 * blur);
  return within(place + quick_quotient(below * below - above * above, 4 * blur), most);
}

/// An edge along: its true position, and the position at which it is looked up, both within the table.
struct AreaEdge {
  float at, looked_up;
};

/// Edges along at distance `step`, in a table that ends at `most`.
struct AreaEdges {
  float start, step, most;
  bool rounds;
  float blur = 0, blur_per_edge = 0, sharp = 3e38f;  ///< closer to the middle than `sharp`, edges are not blurred

  BACKLIT_HD AreaEdge edge(int k) const {
    const auto n = static_cast<float>(k);
    const float place = fmaf(n, step, start);
    float at = within(place, most);
    if (fabsf(place - 0.5f * most) > sharp) at = mean_within(place, fabsf(fmaf(n, blur_per_edge, blur)), most);
    return {at, at_step(at, rounds)};
  }
  /// Spreads edges 0 to `last` evenly to both sides, by first + k per_edge.
  BACKLIT_HD void blur_by(float first, float per_edge, int last) {
    blur = first;
    blur_per_edge = per_edge;
    sharp = 0.5f * most - fmaxf(fabsf(first), fabsf(fmaf(static_cast<float>(last), per_edge, first)));
  }
};

/// The sum between two edges along is `over` times the table's difference plus `level` times their distance.
struct AreaScale {
  float over, level;

  BACKLIT_HD float between(const AreaEdge& from, const AreaEdge& to, float found, bool rounds) const {
    const float distance = to.at - from.at, looked_up = to.looked_up - from.looked_up;
    const float stretch = quick_quotient(distance, looked_up);  // computed in any case: branches cost more
    return fmaf(over * (rounds ? (looked_up == 0 ? 0.0f : stretch) : 1.0f), found, level * distance);
  }
};

/// Sum of the columns' means from one edge across to another, for one entry along. Lookup::level(i, image) sums the
/// means of columns left of edge i, less mean() each. Its type is Lookup::Sum: float, or TwoFloats if sums are kept so.
template <class Lookup>
BACKLIT_HD inline float level_between(const Lookup& lookup, float low, float high, int image) {
  const auto deviation = static_cast<float>(lookup.level(high, image) - lookup.level(low, image));
  return deviation + lookup.mean() * (high - low);
}

/// Linear interpolation at x between two adjacent entries of a line of a table.
template <class Sum>
BACKLIT_HD inline Sum between(Sum low, Sum high, float x) {
  return low + x * (high - low);
}

/// Two edges across, and the sums between them. Lookup::at(i, k, image), of type Sum, reads a table of entries less
/// their column's mean. Lookup::rounds: hardware interpolates.
template <class Lookup>
struct AreaStrip {
  const Lookup& lookup;
  float low, high;
  int image;

  BACKLIT_HD bool empty() const { return !(low < high); }
  using Sum = typename Lookup::Sum;
  BACKLIT_HD Sum below(float k) const { return lookup.at(high, k, image) - lookup.at(low, k, image); }

  /// Adds the sum between edges k and k + 1 to sums[n], for k = 0, stride, 2 stride ...
  template <int K, bool shared>
  BACKLIT_HD void add(const AreaEdges& edges, int stride, const AreaScale& scale, float (&sums)[K]) const {
    AreaEdge from = edges.edge(0);
    Sum before = below(from.looked_up);
    BACKLIT_UNROLL
    for (int n = 0; n < K; ++n) {
      if (!shared && n > 0) {
        from = edges.edge(n * stride);
        before = below(from.looked_up);
      }
      const AreaEdge to = edges.edge(shared ? n + 1 : n * stride + 1);
      const Sum next = below(to.looked_up);
      sums[n] += scale.between(from, to, static_cast<float>(next - before), edges.rounds);
      from = to;
      before = next;
    }
  }
};

/// A column of cells from row `first` on; its edges move from slab to slab.
struct CellColumn {
  ColumnEdge<float> left, right;
  float base, base_per_slab, step, step_per_slab;  ///< edges of its rows

  BACKLIT_HD CellColumn(const ColumnEdge<double>& low, const ColumnEdge<double>& high, const RowEdges<double>& rows,
                        int first)
      : left{float(low.first), float(low.per_slab)},
        right{float(high.first), float(high.per_slab)},
        base(float(rows.base + first * rows.step)),
        base_per_slab(float(rows.base_per_slab + first * rows.step_per_slab)),
        step(float(rows.step)),
        step_per_slab(float(rows.step_per_slab)) {}
};

/// Adds the share of K cells of a column, `stride` apart, in slab `at` of `across` by `slices` voxels. The slab's
/// summed areas are image `slab`.
template <bool shared, class Lookup, int K>
BACKLIT_HD inline void add_cells(const Lookup& lookup, int slab, float at, float across, float slices,
                                 const CellColumn& column, int stride, float (&sums)[K]) {
  const float height = fmaf(at, column.step_per_slab, column.step), q0 = column.left.at(at), q1 = column.right.at(at),
              width = q1 - q0;
  const bool wide = Lookup::rounds && width > least_rounded;
  const float from = within(q0, across), to = within(q1, across);
  const AreaStrip<Lookup> strip{lookup, at_step(from, wide), at_step(to, wide), slab};
  if (strip.empty()) return;
  const float over = quick_quotient(1.0f, width * height);
  const AreaEdges edges{fmaf(at, column.base_per_slab, column.base), height, slices,
                        Lookup::rounds && fabsf(height) > least_rounded};
  strip.template add<K, shared>(
      edges, stride,
      {over * quick_quotient(to - from, strip.high - strip.low), over * level_between(lookup, from, to, slab)}, sums);
}

/// Statistics of the middles of the columns between two edges, weighted by their overlap.
struct ColumnMiddles {
  float mean;    ///< relative to `low`
  float spread;  ///< half-width of an even distribution with the same deviation

  BACKLIT_HD ColumnMiddles(float low, float high) {
    const float first = floorf(low), a = low - first, b = high - first, n = floorf(b), last = n + 0.5f;
    const float sum = 0.5f * n * n + (b - n) * last - 0.5f * a;
    const float squares = n * (4 * n * n - 1) * (1.0f / 12) + (b - n) * last * last - 0.25f * a;
    const float over = quick_quotient(1.0f, b - a), middle = sum * over;
    mean = middle - a;
    spread = sqrtf(fmaxf(3 * (squares * over - middle * middle), 0.0f));
  }
};

/// The line through a voxel column in a view, from a slice on: its column and depth, its row there, and its row `span`
/// slices higher.
struct SeenLine {
  float column, depth, row, last_row;
};
BACKLIT_HD inline SeenLine see_line(const ViewMap<float>& m, float x, float y, float z, float span) {
  const float a = m.a[0] * x + m.a[1] * y + m.a[2] * z + m.a[3], b = m.b[0] * x + m.b[1] * y + m.b[2] * z + m.b[3],
              w = m.w[0] * x + m.w[1] * y + m.w[2] * z + m.w[3];
  const DetectorPosition<float> at = detector_position(m, a, b, w);
  // The detector is upright: moving up changes only b.
  return {at.column, at.depth, at.row, detector_position(m, a, fmaf(m.b[2], span, b), w).row};
}

/// Position of a voxel column's slices in a view's summed areas: between two edges across, with edges along.
struct alignas(16) VoxelLine {
  float low, high;  ///< empty unless low < high
  AreaScale scale;
  AreaEdges edges;
};

/// Position of `slices` slices from first_slice on, in the view with summed areas `image`. It is the rectangle on the
/// detector between a voxel's two edges across the view, at the voxel's middle. The function seen(place across, slice,
/// span) is a SeenLine; `place` is the voxel's. Heights of row edges are means over the middles of the columns that the
/// voxel meets. Beyond the first and the last row each column ends separately, so there the mean of the part within
/// counts. `plane`: one row and one slice, a 2-D problem.
template <class Lookup, class Seen>
BACKLIT_HD inline VoxelLine voxel_line(const Lookup& lookup, int image, int columns, int rows, bool reversed,
                                       bool plane, float place, int first_slice, int slices, Seen seen) {
  const auto end = static_cast<float>(columns), span = static_cast<float>(slices);
  const float bottom = static_cast<float>(first_slice) - 0.5f;
  const SeenLine a = seen(place - 0.5f, bottom, span), b = seen(place + 0.5f, bottom, span);
  const float c0 = reversed ? end - (a.column + 0.5f) : a.column + 0.5f,
              c1 = reversed ? end - (b.column + 0.5f) : b.column + 0.5f, width = c1 - c0;
  const bool wide = Lookup::rounds && width > least_rounded;
  const float from = within(c0, end), to = within(c1, end);
  AreaEdges edges{0, 1, static_cast<float>(rows), false};
  VoxelLine line{at_step(from, wide), at_step(to, wide), {}, edges};
  if (!(line.low < line.high)) return line;
  if (!plane) {
    const ColumnMiddles middles(line.low, line.high);
    const float over_width = quick_quotient(1.0f, width);
    // The row is proportional to 1 / depth, and the depth changes evenly from a to b.
    const float met = (line.low - c0 + middles.mean) * over_width, near_a = (1 - met) * a.depth, near_b = met * b.depth;
    const float over_depth = quick_quotient(1.0f, near_a + near_b);
    edges.start = (near_a * a.row + near_b * b.row) * over_depth + 0.5f;
    edges.step = ((near_a * a.last_row + near_b * b.last_row) * over_depth + 0.5f - edges.start) * (1.0f / span);
    // Change from one column to the next.
    const float climb = (b.row - a.row) * over_width, shrink = (a.depth - b.depth) * over_depth * over_width;
    edges.blur_by(climb * middles.spread, edges.step * shrink * middles.spread, slices);
  }
  edges.rounds = Lookup::rounds && fabsf(edges.step) > least_rounded;
  const float share = quick_quotient(to - from, line.high - line.low), up = edges.step < 0 ? -1.0f : 1.0f;
  line.scale = {up * share, up * level_between(lookup, from, to, image)};
  line.edges = edges;
  return line;
}

/// Adds the contribution of a view with summed areas `image` to K slices of a voxel column, first_slice + n stride.
/// `line` covers the slices from first_slice to beyond the last.
template <bool shared, class Lookup, int K>
BACKLIT_HD inline void add_voxels(const Lookup& lookup, const VoxelLine& line, int image, int stride,
                                  float (&sums)[K]) {
  const AreaStrip<Lookup> strip{lookup, line.low, line.high, image};
  if (!strip.empty()) strip.template add<K, shared>(line.edges, stride, line.scale, sums);
}

}  // namespace backlit
