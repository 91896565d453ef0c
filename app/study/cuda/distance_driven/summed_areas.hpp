// Footprints from summed areas (Liu, Fu, De Man and Yu 2017): where their edges are looked up in a table of what lies
// below and left of two edges, and what lies between them.
//
// Hardware weighs a table's neighbours in 256ths, the product of two weights once more. Edges are looked up where it
// can tell them apart, and what is found is stretched to what lies between the true ones: rounded weights would change
// what a footprint holds, the more the larger the sums are. The product's rounding stays: up to a 512th of an entry at
// each corner. So tables hold only what entries have beyond the mean of their column (all that one edge across has
// along); columns' means are summed apart, in one direction, and looked up in software.
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
constexpr float least_rounded = 0.0625f;  ///< footprints of a few 256ths are better left where they are

/// Off by a few last bits on devices; not for b beyond 2^126.
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

/// Where an edge is looked up.
BACKLIT_HD inline float at_step(float x, bool rounds) {
  constexpr float coarse = 3 << 14;  // beside it, the last bit of single precision is a 256th (|x| up to 2^14)
  return rounds ? (x + coarse) - coarse : x;
}

/// The mean of a place within a table, were it spread evenly over `blur` to both sides (much less than the table).
BACKLIT_HD inline float mean_within(float place, float blur, float most) {
  if (!(blur > 0)) return within(place, most);
  const float below = within(blur - place, 2 * blur), above = within(place + blur - most, 2 * blur);
  return within(place + quick_quotient(below * below - above * above, 4 * blur), most);
}

/// An edge along: where it is, and where it is looked up, both within the table.
struct AreaEdge {
  float at, looked_up;
};

/// Edges along, `step` from each to the next, in a table that ends at `most`.
struct AreaEdges {
  float start, step, most;
  bool rounds;
  float blur = 0, blur_per_edge = 0, sharp = 3e38f;  ///< nearer to the middle than `sharp`, no edge is blurred

  BACKLIT_HD AreaEdge edge(int k) const {
    const auto n = static_cast<float>(k);
    const float place = fmaf(n, step, start);
    float at = within(place, most);
    if (fabsf(place - 0.5f * most) > sharp) at = mean_within(place, fabsf(fmaf(n, blur_per_edge, blur)), most);
    return {at, at_step(at, rounds)};
  }
  /// Edges 0 to `last` are spread evenly over so much to both sides.
  BACKLIT_HD void blur_by(float first, float per_edge, int last) {
    blur = first;
    blur_per_edge = per_edge;
    sharp = 0.5f * most - fmaxf(fabsf(first), fabsf(fmaf(static_cast<float>(last), per_edge, first)));
  }
};

/// What lies between two edges along is worth `over` times what the table has there and `level` times their distance.
struct AreaScale {
  float over, level;

  BACKLIT_HD float between(const AreaEdge& from, const AreaEdge& to, float found, bool rounds) const {
    const float distance = to.at - from.at, looked_up = to.looked_up - from.looked_up;
    const float stretch = quick_quotient(distance, looked_up);  // worked out in any case: branches cost more
    return fmaf(over * (rounds ? (looked_up == 0 ? 0.0f : stretch) : 1.0f), found, level * distance);
  }
};

/// What a table's columns hold on average, from an edge across to another, an entry along. Lookup::level(i, image) sums
/// the means of columns left of edge i, less mean() each, as Lookup::Sum: a float, or TwoFloats where sums are kept so.
template <class Lookup>
BACKLIT_HD inline float level_between(const Lookup& lookup, float low, float high, int image) {
  const auto deviation = static_cast<float>(lookup.level(high, image) - lookup.level(low, image));
  return deviation + lookup.mean() * (high - low);
}

/// What lies in a line of a table at x, between two entries beside each other.
template <class Sum>
BACKLIT_HD inline Sum between(Sum low, Sum high, float x) {
  return low + x * (high - low);
}

/// Two edges across, and the sums between them. Lookup::at(i, k, image), a Sum, reads a table of entries less their
/// column's mean; Lookup::rounds: hardware weighs.
template <class Lookup>
struct AreaStrip {
  const Lookup& lookup;
  float low, high;
  int image;

  BACKLIT_HD bool empty() const { return !(low < high); }
  using Sum = typename Lookup::Sum;
  BACKLIT_HD Sum below(float k) const { return lookup.at(high, k, image) - lookup.at(low, k, image); }

  /// Adds what lies between edges k and k + 1, for k = 0, stride, 2 stride ...
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

/// A column of cells from row `first` on, as it moves from slab to slab.
struct CellColumn {
  ColumnEdge<float> left, right;
  float base, base_per_slab, step, step_per_slab;  ///< of its rows' edges

  BACKLIT_HD CellColumn(const ColumnEdge<double>& low, const ColumnEdge<double>& high, const RowEdges<double>& rows,
                        int first)
      : left{float(low.first), float(low.per_slab)},
        right{float(high.first), float(high.per_slab)},
        base(float(rows.base + first * rows.step)),
        base_per_slab(float(rows.base_per_slab + first * rows.step_per_slab)),
        step(float(rows.step)),
        step_per_slab(float(rows.step_per_slab)) {}
};

/// Adds what K cells of a column, `stride` apart, see of slab `at`, `across` by `slices` voxels, whose summed areas are
/// image `slab`.
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

/// Of the middles of the columns between two edges, each as often as it lies there.
struct ColumnMiddles {
  float mean;    ///< from `low`
  float spread;  ///< half-width of an even distribution that deviates as much

  BACKLIT_HD ColumnMiddles(float low, float high) {
    const float first = floorf(low), a = low - first, b = high - first, n = floorf(b), last = n + 0.5f;
    const float sum = 0.5f * n * n + (b - n) * last - 0.5f * a;
    const float squares = n * (4 * n * n - 1) * (1.0f / 12) + (b - n) * last * last - 0.25f * a;
    const float over = quick_quotient(1.0f, b - a), middle = sum * over;
    mean = middle - a;
    spread = sqrtf(fmaxf(3 * (squares * over - middle * middle), 0.0f));
  }
};

/// What a view sees of the line through a voxel column, from a slice on: its column, its depth, its row there and
/// `span` slices higher.
struct SeenLine {
  float column, depth, row, last_row;
};
BACKLIT_HD inline SeenLine see_line(const ViewMap<float>& m, float x, float y, float z, float span) {
  const float a = m.a[0] * x + m.a[1] * y + m.a[2] * z + m.a[3], b = m.b[0] * x + m.b[1] * y + m.b[2] * z + m.b[3],
              w = m.w[0] * x + m.w[1] * y + m.w[2] * z + m.w[3];
  const DetectorPosition<float> at = detector_position(m, a, b, w);
  // The detector is upright: going up changes b alone.
  return {at.column, at.depth, at.row, detector_position(m, a, fmaf(m.b[2], span, b), w).row};
}

/// Where a voxel column's slices lie in a view's summed areas: between two edges across, with edges along.
struct alignas(16) VoxelLine {
  float low, high;  ///< none of it where low is no less than high
  AreaScale scale;
  AreaEdges edges;
};

/// Of `slices` slices from first_slice on, in the view whose summed areas are `image`: the rectangle on the detector
/// that a voxel's edges across the view span, at its middle. seen(place across, slice, span) is a SeenLine; `place` the
/// voxel's. Rows' edges lie as high as in the middles of the columns that the voxel meets, on average: beyond the first
/// and the last row each column ends by itself, so there the mean of what is within counts. `plane`: one row and one
/// slice are a 2-D problem.
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
    // Rows go with 1 / depth, and depth evenly from a to b.
    const float met = (line.low - c0 + middles.mean) * over_width, near_a = (1 - met) * a.depth, near_b = met * b.depth;
    const float over_depth = quick_quotient(1.0f, near_a + near_b);
    edges.start = (near_a * a.row + near_b * b.row) * over_depth + 0.5f;
    edges.step = ((near_a * a.last_row + near_b * b.last_row) * over_depth + 0.5f - edges.start) * (1.0f / span);
    // From a column to the next.
    const float climb = (b.row - a.row) * over_width, shrink = (a.depth - b.depth) * over_depth * over_width;
    edges.blur_by(climb * middles.spread, edges.step * shrink * middles.spread, slices);
  }
  edges.rounds = Lookup::rounds && fabsf(edges.step) > least_rounded;
  const float share = quick_quotient(to - from, line.high - line.low), up = edges.step < 0 ? -1.0f : 1.0f;
  line.scale = {up * share, up * level_between(lookup, from, to, image)};
  line.edges = edges;
  return line;
}

/// What K slices of a voxel column, first_slice + n stride, take from a view whose summed areas are `image`: `line` is
/// that of the slices from first_slice to beyond the last.
template <bool shared, class Lookup, int K>
BACKLIT_HD inline void add_voxels(const Lookup& lookup, const VoxelLine& line, int image, int stride,
                                  float (&sums)[K]) {
  const AreaStrip<Lookup> strip{lookup, line.low, line.high, image};
  if (!strip.empty()) strip.template add<K, shared>(line.edges, stride, line.scale, sums);
}

}  // namespace backlit
