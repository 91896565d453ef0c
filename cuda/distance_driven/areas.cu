#include "distance_driven/areas.hpp"

namespace backlit::cuda {
namespace {

/// Hardware weighs neighbours in 256ths. Edges are put where it can tell them apart, and a width is then that of what
/// is looked up: rounded weights would change what a footprint holds, the more the larger the sums are. Footprints of a
/// few 256ths are better left where they are.
constexpr float steps = 256, least_width = 0.0625f;

struct InHardware {
  static constexpr bool rounds = true;
  Areas areas;
  __device__ float at(float i, float k, int image) const {
    return tex2DLayered<float>(areas.texture, i + 0.5f, k + 0.5f, image);
  }
};

struct InSoftware {
  static constexpr bool rounds = false;
  Areas areas;
  __device__ float at(float i, float k, int image) const {
    const int i0 = min(static_cast<int>(i), areas.across), k0 = min(static_cast<int>(k), max(areas.along - 1, 0));
    const float* low =
        areas.values + (static_cast<std::int64_t>(image) * (areas.along + 1) + k0) * (areas.across + 2) + i0;
    const float* high = low + areas.across + 2;
    const float x = i - static_cast<float>(i0), y = k - static_cast<float>(k0);
    const float below = low[0] + x * (low[1] - low[0]), above = high[0] + x * (high[1] - high[0]);
    return below + y * (above - below);
  }
};

__device__ inline float clamp(float x, float most) { return fminf(fmaxf(x, 0.0f), most); }

/// Where an edge is looked up.
__device__ inline float rounded(float x, bool rounds) { return rounds ? rintf(x * steps) * (1 / steps) : x; }

/// The mean of the middles of the columns between two edges, each as often as it lies there; from `low`.
__device__ inline float mean_middle(float low, float high) {
  const float first = floorf(low), a = low - first, b = high - first, n = floorf(b);
  return (0.5f * n * n + (b - n) * (n + 0.5f) - 0.5f * a) / (b - a) - a;
}

/// An edge along: where it is, and where it is looked up, both within the table.
struct Edge {
  float at, looked_up;
  __device__ Edge(float place, float most, bool rounds)
      : at(clamp(place, most)), looked_up(clamp(rounded(place, rounds), most)) {}
  /// What the way from another edge is over what it is in the table.
  __device__ float stretch(const Edge& from) const {
    return looked_up == from.looked_up ? 0.0f : __fdividef(at - from.at, looked_up - from.looked_up);
  }
};

/// A footprint's two edges across, and its sums between edge `k` along and 0.
template <class Lookup>
struct Strip {
  const Lookup& lookup;
  float low, high;
  int image;

  __device__ float below(float k) const {
    return lookup.at(high, k, image) - lookup.at(low, k, image) + lookup.areas.mean * (high - low) * k;
  }
};

template <class Lookup, int K>
__global__ void __launch_bounds__(128) project(DistanceDrivenPlan plan, const SeenView* views, int axis, Lookup lookup,
                                               float* projections, bool accumulate) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int first_row = (blockIdx.z * blockDim.y + threadIdx.y) * K;
  if (c >= plan.columns || first_row >= plan.rows) return;
  const SeenView view = views[blockIdx.y];
  const ColumnEdge<double>* edges = plan.edges + static_cast<std::int64_t>(view.view) * (plan.columns + 1) + c;
  const ColumnEdge<float> left{float(edges[0].first), float(edges[0].per_slab)},
      right{float(edges[1].first), float(edges[1].per_slab)};
  const RowEdges<double>& column = plan.cells[static_cast<std::int64_t>(view.view) * plan.columns + c];
  // Of the first of the thread's rows.
  const float base = float(column.base + first_row * column.step), step = float(column.step),
              base_per_slab = float(column.base_per_slab + first_row * column.step_per_slab),
              step_per_slab = float(column.step_per_slab);
  const float across = plan.across(axis), nz = plan.size[2];
  float sums[K] = {};
  for (int slab = 0; slab < plan.slabs(axis); ++slab) {
    const float s = slab, height = fmaf(s, step_per_slab, step), q0 = left.at(s), q1 = right.at(s), width = q1 - q0;
    const bool wide = Lookup::rounds && width > least_width, high = Lookup::rounds && fabsf(height) > least_width;
    const Strip<Lookup> strip{lookup, clamp(rounded(q0, wide), across), clamp(rounded(q1, wide), across), slab};
    if (strip.low >= strip.high) continue;
    const float over = (clamp(q1, across) - clamp(q0, across)) / (width * (strip.high - strip.low) * height);
    const float z = fmaf(s, base_per_slab, base);
    Edge edge(z, nz, high);
    float before = strip.below(edge.looked_up);
#pragma unroll
    for (int r = 0; r < K; ++r) {
      const Edge end(fmaf(static_cast<float>(r + 1), height, z), nz, high);
      const float next = strip.below(end.looked_up);
      sums[r] = fmaf(high ? over * end.stretch(edge) : over, next - before, sums[r]);
      edge = end;
      before = next;
    }
  }
  float* image = projections + view.pixels + (view.reversed ? plan.columns - 1 - c : c);
#pragma unroll
  for (int r = 0; r < K; ++r) {
    const int row = first_row + r;
    if (row >= plan.rows) break;
    float& value = image[static_cast<std::int64_t>(row) * plan.columns];
    value = (accumulate ? value : 0.0f) + sums[r] * static_cast<float>(column.length(row));
  }
}

template <class Lookup, int K>
__global__ void __launch_bounds__(256) backproject(DistanceDrivenPlan plan, const SeenView* views, int count, int axis,
                                                   Lookup lookup, float* volume, bool accumulate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, slab = blockIdx.y * blockDim.y + threadIdx.y;
  const int first_slice = blockIdx.z * K;
  if (i >= plan.across(axis) || slab >= plan.slabs(axis)) return;
  const bool plane = plan.rows == 1 && plan.size[2] == 1;  // 2-D: the row is the slice
  const float columns = plan.columns, rows = plan.rows;
  float sums[K] = {};
  for (int v = 0; v < count; ++v) {
    const ViewMap<float>& map = plan.maps[views[v].view];
    const auto seen = [&](float across, float k) {
      DetectorPosition<float> at;
      project_voxel(map, axis == 0 ? static_cast<float>(slab) : across, axis == 0 ? across : static_cast<float>(slab),
                    k, at);
      return at;
    };
    const float place = i, low = first_slice - 0.5f, a = seen(place - 0.5f, low).column + 0.5f,
                b = seen(place + 0.5f, low).column + 0.5f;
    const float c0 = views[v].reversed ? columns - a : a, c1 = views[v].reversed ? columns - b : b, width = c1 - c0;
    const bool wide = Lookup::rounds && width > least_width;
    const Strip<Lookup> strip{lookup, clamp(rounded(c0, wide), columns), clamp(rounded(c1, wide), columns), v};
    if (!(strip.low < strip.high)) continue;
    // Rows' edges lie as high as in the middles of the columns that the voxel meets.
    const float middle = strip.low - c0 + mean_middle(strip.low, strip.high), met = place - 0.5f + middle / width;
    const float start = plane ? 0.0f : seen(met, low).row + 0.5f;
    const float step = plane ? 1.0f : (seen(met, low + K).row + 0.5f - start) / K;
    const bool high = Lookup::rounds && fabsf(step) > least_width;
    const float share = (clamp(c1, columns) - clamp(c0, columns)) / (strip.high - strip.low);
    const float over = step < 0 ? -share : share;
    Edge edge(start, rows, high);
    float before = strip.below(edge.looked_up);
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const Edge end(fmaf(static_cast<float>(k + 1), step, start), rows, high);
      const float next = strip.below(end.looked_up);
      sums[k] = fmaf(high ? over * end.stretch(edge) : over, next - before, sums[k]);
      edge = end;
      before = next;
    }
  }
  const std::int64_t nx = plan.size[0], ny = plan.size[1];
  float* voxel = volume + (axis == 0 ? i * nx + slab : slab * nx + i);
#pragma unroll
  for (int k = 0; k < K; ++k) {
    if (first_slice + k >= plan.size[2]) break;
    float& value = voxel[(first_slice + k) * nx * ny];
    value = (accumulate ? value : 0.0f) + sums[k];
  }
}

/// Calls run with a lookup and a number of neighbours.
template <class Run>
void choose(const Areas& areas, Share share, Run run) {
  constexpr int lines = 16;
  if (areas.texture) {
    share == Share::none ? run.template operator()<1>(InHardware{areas})
                         : run.template operator()<lines>(InHardware{areas});
  } else {
    share == Share::none ? run.template operator()<1>(InSoftware{areas})
                         : run.template operator()<lines>(InSoftware{areas});
  }
}

}  // namespace

void project_areas(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count, int axis,
                   const Areas& areas, Share share, float* projections, bool accumulate) {
  choose(areas, share, [&]<int K, class Lookup>(Lookup lookup) {
    const dim3 block(32, 4), grid(blocks(plan.columns, 32), static_cast<unsigned>(count), blocks(plan.rows, 4 * K));
    stream.launch("project areas", grid, block, 0, project<Lookup, K>, plan, views, axis, lookup, projections,
                  accumulate);
  });
}

void backproject_areas(Stream& stream, const DistanceDrivenPlan& plan, const SeenView* views, int count, int axis,
                       const Areas& areas, Share share, float* volume, bool accumulate) {
  choose(areas, share, [&]<int K, class Lookup>(Lookup lookup) {
    const dim3 block(32, 8), grid(blocks(plan.across(axis), 32), blocks(plan.slabs(axis), 8), blocks(plan.size[2], K));
    stream.launch("backproject areas", grid, block, 0, backproject<Lookup, K>, plan, views, count, axis, lookup, volume,
                  accumulate);
  });
}

}  // namespace backlit::cuda
