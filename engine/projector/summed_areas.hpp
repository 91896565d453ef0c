// Footprints from summed areas (Liu, Fu, De Man and Yu 2017): where their edges are looked up in a table of what lies
// below and left of two edges, and what lies between them.
//
// Hardware weighs a table's neighbours in 256ths. Edges are looked up where it can tell them apart, and what is found
// is stretched to what lies between the true ones: rounded weights would change what a footprint holds, the more the
// larger the sums are.
#pragma once

#include <cmath>

#include "core/hd.hpp"
#include "projector/view_map.hpp"

#if defined(__CUDA_ARCH__)
#define BACKLIT_UNROLL _Pragma("unroll")
#else
#define BACKLIT_UNROLL
#endif

namespace backlit {

constexpr float lookup_steps = 256;
constexpr float least_rounded = 0.0625f;  ///< footprints of a few 256ths are better left where they are

BACKLIT_HD inline float quick_quotient(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fdividef(a, b);
#else
  return a / b;
#endif
}

BACKLIT_HD inline float within(float x, float most) { return fminf(fmaxf(x, 0.0f), most); }

/// Where an edge is looked up.
BACKLIT_HD inline float at_step(float x, bool rounds) { return rounds ? rintf(x * lookup_steps) / lookup_steps : x; }

/// The mean of a place within a table, were it spread evenly over `blur` to both sides (much less than the table).
BACKLIT_HD inline float mean_within(float place, float blur, float most) {
  if (!(blur > 0)) return within(place, most);
  const float below = within(blur - place, 2 * blur), above = within(place + blur - most, 2 * blur);
  return within(place + quick_quotient(below * below - above * above, 4 * blur), most);
}

/// An edge along: where it is, and where it is looked up, both within the table.
struct AreaEdge {
  float at, looked_up;

  /// What the way from another edge is over what it is in the table.
  BACKLIT_HD float stretch(const AreaEdge& from) const {
    return looked_up == from.looked_up ? 0.0f : quick_quotient(at - from.at, looked_up - from.looked_up);
  }
};

/// Edges along, `step` from each to the next, in a table that ends at `most`.
struct AreaEdges {
  float start, step, most;
  bool rounds;
  float blur = 0, blur_per_edge = 0;

  BACKLIT_HD AreaEdge edge(int k) const {
    const auto n = static_cast<float>(k);
    const float at = mean_within(fmaf(n, step, start), fabsf(fmaf(n, blur_per_edge, blur)), most);
    return {at, within(at_step(at, rounds), most)};
  }
};

/// Two edges across, and the sums between them. Lookup::at(i, k, image) reads a table, from whose entries mean() was
/// taken away before they were summed; Lookup::rounds: hardware weighs.
template <class Lookup>
struct AreaStrip {
  const Lookup& lookup;
  float low, high;
  int image;

  BACKLIT_HD bool empty() const { return !(low < high); }
  BACKLIT_HD float below(float k) const {
    return lookup.at(high, k, image) - lookup.at(low, k, image) + lookup.mean() * (high - low) * k;
  }
  /// Adds `over` times what lies between neighbouring edges.
  template <int K>
  BACKLIT_HD void add(const AreaEdges& edges, float over, float (&sums)[K]) const {
    AreaEdge from = edges.edge(0);
    float before = below(from.looked_up);
    BACKLIT_UNROLL
    for (int k = 0; k < K; ++k) {
      const AreaEdge to = edges.edge(k + 1);
      const float next = below(to.looked_up);
      sums[k] = fmaf(edges.rounds ? over * to.stretch(from) : over, next - before, sums[k]);
      from = to;
      before = next;
    }
  }
};

/// Of the middles of the columns between two edges, each as often as it lies there.
struct ColumnMiddles {
  float mean;    ///< from `low`
  float spread;  ///< half-width of an even distribution that deviates as much

  BACKLIT_HD ColumnMiddles(float low, float high) {
    const float first = floorf(low), a = low - first, b = high - first, n = floorf(b), last = n + 0.5f;
    const float sum = 0.5f * n * n + (b - n) * last - 0.5f * a;
    const float squares = n * (4 * n * n - 1) / 12 + (b - n) * last * last - 0.25f * a;
    const float middle = sum / (b - a);
    mean = middle - a;
    spread = sqrtf(fmaxf(3 * (squares / (b - a) - middle * middle), 0.0f));
  }
};

/// What K slices of a voxel column, from `first_slice` on, take from a view whose summed areas are `image`: the
/// rectangle on the detector that a voxel's edges across the view span, at its middle. seen(place across, slice) is a
/// DetectorPosition; `place` the voxel's. Rows' edges lie as high as in the middles of the columns that the voxel
/// meets, on average: beyond the first and the last row each column ends by itself, so there the mean of what is
/// within counts. `plane`: one row and one slice are a 2-D problem.
template <class Lookup, int K, class Seen>
BACKLIT_HD inline void add_voxels(const Lookup& lookup, int image, int columns, int rows, bool reversed, bool plane,
                                  float place, int first_slice, Seen seen, float (&sums)[K]) {
  const auto end = static_cast<float>(columns);
  const float low = static_cast<float>(first_slice) - 0.5f;
  const DetectorPosition<float> a = seen(place - 0.5f, low), b = seen(place + 0.5f, low);
  const float c0 = reversed ? end - (a.column + 0.5f) : a.column + 0.5f,
              c1 = reversed ? end - (b.column + 0.5f) : b.column + 0.5f, width = c1 - c0;
  const bool wide = Lookup::rounds && width > least_rounded;
  const AreaStrip<Lookup> strip{lookup, within(at_step(c0, wide), end), within(at_step(c1, wide), end), image};
  if (strip.empty()) return;
  const ColumnMiddles middles(strip.low, strip.high);
  const float met = place - 0.5f + (strip.low - c0 + middles.mean) / width;
  AreaEdges edges{0, 1, static_cast<float>(rows), false};
  if (!plane) {
    const DetectorPosition<float> start = seen(met, low);
    edges.start = start.row + 0.5f;
    edges.step = (seen(met, low + K).row + 0.5f - edges.start) / K;
    // From a column to the next; rows' distances go with 1 / depth.
    const float climb = (b.row - a.row) / width, shrink = (a.depth - b.depth) / (start.depth * width);
    edges.blur = climb * middles.spread;
    edges.blur_per_edge = edges.step * shrink * middles.spread;
  }
  edges.rounds = Lookup::rounds && fabsf(edges.step) > least_rounded;
  const float share = (within(c1, end) - within(c0, end)) / (strip.high - strip.low);
  strip.add(edges, edges.step < 0 ? -share : share, sums);
}

}  // namespace backlit
