#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "listmode/plan.hpp"

namespace backlit::cuda {
namespace {

constexpr int threads = 256;
constexpr int length_bits = 6;  // visits of a tile are sorted by how many slices they take

struct Tilings {
  Tiling axis[3];
};
struct Tubes {
  TubeTable tube[16];
  int count;
};

__global__ void records_kernel(LorGrid grid, const float3* points, const std::uint32_t* first,
                               const std::uint32_t* second, const float* tof_mm, const std::uint8_t* kernel,
                               std::int64_t count, LineRecord* records) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= count) return;
  const float3 p = points[first[i]], q = points[second[i]];
  const double from[3] = {p.x, p.y, p.z}, to[3] = {q.x, q.y, q.z};
  const Lor<double> l = make_lor<double>(from, to, tof_mm ? tof_mm[i] : 0, grid);
  records[i] = {
      float(l.a),     float(l.da),  float(l.b),   float(l.db),
      float(l.start), float(l.end), float(l.tof), static_cast<std::uint32_t>(l.axis) + 4u * (kernel ? kernel[i] : 0)};
}

struct Reach {
  float a, b, window;
  int taps;
};

__device__ Reach reach_of(const Lor<float>& l, const Tiling& t, const TubeTable& tube, const TofTable& tof) {
  Reach r;
  if (tube.radius > 0) {
    const float sa = l.da * t.spacing[1] / t.spacing[0], sb = l.db * t.spacing[2] / t.spacing[0];
    r.a = tube.radius / t.spacing[1] * sqrtf(1 + sa * sa);
    r.b = tube.radius / t.spacing[2] * sqrtf(1 + sb * sb);
  } else {
    r.a = r.b = float(0.9999995);
  }
  r.taps = static_cast<int>(2 * fmaxf(r.a, r.b)) + 1;
  r.window = tof.entry_per_mm > 0 ? tof.reach_mm / l.step : -1.0f;
  return r;
}

__device__ int class_of(int taps) {
  constexpr int classes[] = BACKLIT_TAP_CLASSES;
  int c = 0;
  while (c + 1 < tap_class_count && classes[c] < taps) ++c;
  return c;
}

/// f(tile number, first slice in the tile, number of slices, class) for every tile that a line crosses.
template <class F>
__device__ void each_tile(const LineRecord& r, const Tilings& tilings, const Tubes& tubes, const TofTable& tof, F&& f) {
  const int axis = r.axis_and_kernel & 3;
  const Tiling& t = tilings.axis[axis];
  Lor<float> l{axis, r.a, r.da, r.b, r.db, r.start, r.end, 0, r.tof};
  const float wa = r.da * t.spacing[1], wb = r.db * t.spacing[2];
  l.step = sqrtf(t.spacing[0] * t.spacing[0] + wa * wa + wb * wb);
  const Reach reach = reach_of(l, t, tubes.tube[r.axis_and_kernel >> 2], tof);
  const int c = class_of(reach.taps);
  const SliceRange all = slices_within(l, 0.0f, float(t.size[0] - 1), 0.0f, float(t.size[1] - 1), 0.0f,
                                       float(t.size[2] - 1), reach.a, reach.b, reach.window);
  if (all.last < all.first) return;
  for (int k = all.first / t.tile[0]; k <= all.last / t.tile[0]; ++k) {
    const int low = max(all.first, k * t.tile[0]), high = min(all.last, (k + 1) * t.tile[0] - 1);
    const float a0 = l.a + low * l.da, a1 = l.a + high * l.da, b0 = l.b + low * l.db, b1 = l.b + high * l.db;
    const int ka0 = max(0, int(ceilf(fminf(a0, a1) - reach.a))) / t.tile[1];
    const int ka1 = min(t.size[1] - 1, int(floorf(fmaxf(a0, a1) + reach.a))) / t.tile[1];
    const int kb0 = max(0, int(ceilf(fminf(b0, b1) - reach.b))) / t.tile[2];
    const int kb1 = min(t.size[2] - 1, int(floorf(fmaxf(b0, b1) + reach.b))) / t.tile[2];
    for (int kb = kb0; kb <= kb1; ++kb)
      for (int ka = ka0; ka <= ka1; ++ka) {
        const float ta = ka * t.tile[1], tb = kb * t.tile[2];
        const SliceRange in = slices_within(l, float(low), float(high), ta, ta + t.tile[1] - 1, tb, tb + t.tile[2] - 1,
                                            reach.a, reach.b, reach.window);
        if (in.last < in.first) continue;
        f(t.first + (k * t.tiles[2] + kb) * t.tiles[1] + ka, in.first - k * t.tile[0], in.last - in.first + 1, c);
      }
  }
}

__global__ void count_kernel(const LineRecord* records, std::int64_t lines, Tilings tilings, Tubes tubes, TofTable tof,
                             std::uint32_t* count) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= lines) return;
  std::uint32_t n = 0;
  each_tile(records[i], tilings, tubes, tof, [&](int, int, int, int) { ++n; });
  count[i] = n;
}

__global__ void emit_kernel(const LineRecord* records, std::int64_t lines, Tilings tilings, Tubes tubes, TofTable tof,
                            LineOrder order, int widest, const std::int64_t* first, std::uint32_t* keys,
                            std::uint32_t* values) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= lines) return;
  std::int64_t at = first[i];
  const LineRecord r = records[i];
  each_tile(r, tilings, tubes, tof, [&](int tile, int, int count, int c) {
    if (order == LineOrder::tile) c = widest;
    const std::uint32_t bin = (tile * tubes.count + (r.axis_and_kernel >> 2)) * tap_class_count + c;
    keys[at] = (bin << length_bits) + (order == LineOrder::length ? min(count, (1 << length_bits) - 1) : 0);
    values[at] = static_cast<std::uint32_t>(i);
    ++at;
  });
}

/// Tells every visit its slices, and every bin where its visits begin.
__global__ void slices_kernel(const LineRecord* records, Tilings tilings, Tubes tubes, TofTable tof,
                              const std::uint32_t* keys, const std::uint32_t* lines, std::int64_t visits,
                              std::uint16_t* slices, std::int64_t* starts) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= visits) return;
  const std::uint32_t bin = keys[i] >> length_bits;
  if (i == 0 || keys[i - 1] >> length_bits != bin) starts[bin] = i;
  const int wanted = static_cast<int>(bin / tap_class_count) / tubes.count;
  each_tile(records[lines[i]], tilings, tubes, tof, [&](int tile, int first, int count, int) {
    if (tile == wanted) slices[i] = static_cast<std::uint16_t>(first + 256 * count);
  });
}

/// The largest of equal parts of n that are `most` long at most.
int even_part(int n, int most) {
  const int parts = (n + most - 1) / most;
  return (n + parts - 1) / parts;
}

int class_taps(int taps) {
  for (const int c : tap_classes)
    if (c >= taps) return c;
  throw Failure("cuda", "a tube is too wide for its voxels");
}

struct Sum64 {
  __host__ __device__ std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
};

}  // namespace

PoolBuffer<LineRecord> make_records(Stream& stream, const LorGrid& grid, const float3* points,
                                    const std::uint32_t* first, const std::uint32_t* second, const float* tof_mm,
                                    const std::uint8_t* kernel, std::int64_t count) {
  PoolBuffer<LineRecord> records(stream, count);
  stream.launch("line records", blocks(count, threads), threads, 0, records_kernel, grid, points, first, second, tof_mm,
                kernel, count, records.data());
  return records;
}

void LinePlan::choose_tiles(const LorGrid& grid, const std::vector<TubeTable>& tubes, const LinePlanOptions& options) {
  float radius = 0;
  for (const TubeTable& t : tubes) radius = std::max(radius, t.radius);
  int first = 0;
  for (int axis = 0; axis < 3; ++axis) {
    Tiling& t = tiling_[axis];
    const int axes[3] = {axis, first_in_slice(axis), second_in_slice(axis)};
    const std::int64_t strides[3] = {1, grid.size[0], std::int64_t{grid.size[0]} * grid.size[1]};
    int taps = 2;
    for (int i = 0; i < 3; ++i) {
      t.size[i] = grid.size[axes[i]];
      t.spacing[i] = static_cast<float>(grid.spacing[axes[i]]);
      t.stride[i] = strides[axes[i]];
      const float steepest = std::sqrt(1 + std::pow(t.spacing[i] / t.spacing[0], 2.0f));
      if (i > 0) taps = std::max(taps, static_cast<int>(2.0001f * radius / t.spacing[i] * steepest) + 1);
    }
    widest_ = std::max(widest_, static_cast<int>(std::ranges::find(tap_classes, class_taps(taps)) - tap_classes));
    const int margin = std::min(class_taps(taps), most_margin_taps) - 1;
    const auto floats = [&](int main, int a, int b) { return (main * (b + margin) + margin) * (a + margin) + margin; };
    int a = 0, b = 0, slices = 0;
    // Whole slices where a few of them fit, otherwise parts that come near to cubes.
    for (int parts = 1; parts == 1 || slices < std::min(t.size[0], std::max(a, b) / 2); ++parts) {
      const int side = (std::max(t.size[1], t.size[2]) + parts - 1) / parts;
      a = even_part(t.size[1], side);
      b = even_part(t.size[2], side);
      slices = (options.shared_floats - margin * (a + margin + 1)) / ((a + margin) * (b + margin));
      if (parts == 1 && slices >= std::min(t.size[0], 6)) break;
      if (side == 1) break;
    }
    if (slices < 1) throw Failure("cuda", "a tube is too wide for the device's shared memory", "use a narrower tube");
    t.tile[0] = even_part(t.size[0], std::min(slices, 255));
    t.tile[1] = a;
    t.tile[2] = b;
    for (int i = 0; i < 3; ++i) t.tiles[i] = (t.size[i] + t.tile[i] - 1) / t.tile[i];
    t.first = first;
    first += t.tiles[0] * t.tiles[1] * t.tiles[2];
    shared_floats_ = std::max(shared_floats_, floats(t.tile[0], a, b));
  }
}

void LinePlan::make_items(Stream& stream, const std::vector<std::int64_t>& bins, int kernels,
                          const LinePlanOptions& options) {
  int device = 0, processors = 0;
  BACKLIT_CUDA(cudaGetDevice(&device));
  BACKLIT_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  const auto cost = [](int taps) { return 3.0 * taps + double(taps) * taps; };
  double total = 0;
  for (std::size_t b = 0; b < bins.size(); ++b) total += double(bins[b]) * cost(tap_classes[b % tap_class_count]);
  const double share = total / double(processors * options.blocks_per_sm * options.items_per_slot);
  std::vector<WorkItem> items;
  std::int64_t at = 0;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    if (bins[b] == 0) continue;
    const int c = static_cast<int>(b % tap_class_count), rest = static_cast<int>(b / tap_class_count);
    const int tile = rest / kernels;
    const int axis = tile >= tiling_[2].first ? 2 : tile >= tiling_[1].first ? 1 : 0;
    const double all = double(bins[b]) * cost(tap_classes[c]);
    const auto parts = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(all / std::max(share, 2000 * cost(tap_classes[c])) + 0.999));
    for (std::int64_t p = 0; p < parts; ++p)
      items.push_back({tile - tiling_[axis].first, axis, rest % kernels, tap_classes[c], at + bins[b] * p / parts,
                       at + bins[b] * (p + 1) / parts});
    at += bins[b];
  }
  std::stable_sort(items.begin(), items.end(), [&](const WorkItem& x, const WorkItem& y) {
    return double(x.end - x.begin) * cost(x.taps) > double(y.end - y.begin) * cost(y.taps);
  });
  items_ = PoolBuffer<WorkItem>(stream, static_cast<std::int64_t>(items.size()));
  BACKLIT_CUDA(
      cudaMemcpyAsync(items_.data(), items.data(), items.size() * sizeof(WorkItem), cudaMemcpyHostToDevice, stream));
  stream.wait();
}

LinePlan::LinePlan(Stream& stream, const LorGrid& grid, PoolBuffer<LineRecord> records,
                   const std::vector<TubeTable>& tubes, const TofTable& tof, const LinePlanOptions& options)
    : records_(std::move(records)) {
  choose_tiles(grid, tubes, options);
  Tilings tilings;
  std::copy(tiling_, tiling_ + 3, tilings.axis);
  Tubes table{};
  table.count = static_cast<int>(tubes.size());
  std::copy(tubes.begin(), tubes.end(), table.tube);
  const std::int64_t n = lines();
  if (n == 0) return;
  PoolBuffer<std::uint32_t> count(stream, n + 1);
  PoolBuffer<std::int64_t> first(stream, n + 1);
  BACKLIT_CUDA(cudaMemsetAsync(count.data() + n, 0, sizeof(std::uint32_t), stream));
  stream.launch("count visits", blocks(n, threads), threads, 0, count_kernel, records_.data(), n, tilings, table, tof,
                count.data());
  std::size_t bytes = 0;
  cub::DeviceScan::ExclusiveScan(nullptr, bytes, count.data(), first.data(), Sum64{}, std::int64_t{0}, n + 1, stream);
  PoolBuffer<std::byte> scratch(stream, static_cast<std::int64_t>(bytes));
  stream.timed("add visits up", [&] {
    BACKLIT_CUDA(cub::DeviceScan::ExclusiveScan(scratch.data(), bytes, count.data(), first.data(), Sum64{},
                                                std::int64_t{0}, n + 1, stream));
  });
  BACKLIT_CUDA(cudaMemcpyAsync(&visits_, first.data() + n, sizeof(visits_), cudaMemcpyDeviceToHost, stream));
  stream.wait();
  if (visits_ == 0) return;
  const Tiling& last = tiling_[2];
  const std::int64_t tiles = last.first + std::int64_t{last.tiles[0]} * last.tiles[1] * last.tiles[2];
  const std::int64_t bin_count = tiles * table.count * tap_class_count;
  int bits = length_bits;
  while ((std::int64_t{1} << (bits - length_bits)) < bin_count) ++bits;
  if (bits > 32) throw Failure("cuda", "too many tiles and kernels for one list of lines", "use fewer kernels");
  PoolBuffer<std::int64_t> starts(stream, bin_count);
  PoolBuffer<std::uint32_t> keys(stream, visits_), sorted(stream, visits_), values(stream, visits_);
  visit_lines_ = PoolBuffer<std::uint32_t>(stream, visits_);
  visit_slices_ = PoolBuffer<std::uint16_t>(stream, visits_);
  BACKLIT_CUDA(cudaMemsetAsync(starts.data(), 0xff, starts.bytes(), stream));
  stream.launch("list visits", blocks(n, threads), threads, 0, emit_kernel, records_.data(), n, tilings, table, tof,
                options.order, widest_, first.data(), keys.data(), values.data());
  bytes = 0;
  cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys.data(), sorted.data(), values.data(), visit_lines_.data(),
                                  visits_, 0, bits, stream);
  if (static_cast<std::int64_t>(bytes) > scratch.count())
    scratch = PoolBuffer<std::byte>(stream, static_cast<std::int64_t>(bytes));
  stream.timed("sort visits", [&] {
    BACKLIT_CUDA(cub::DeviceRadixSort::SortPairs(scratch.data(), bytes, keys.data(), sorted.data(), values.data(),
                                                 visit_lines_.data(), visits_, 0, bits, stream));
  });
  stream.launch("visited slices", blocks(visits_, threads), threads, 0, slices_kernel, records_.data(), tilings, table,
                tof, sorted.data(), visit_lines_.data(), visits_, visit_slices_.data(), starts.data());
  std::vector<std::int64_t> host(static_cast<std::size_t>(bin_count));
  BACKLIT_CUDA(cudaMemcpyAsync(host.data(), starts.data(), starts.bytes(), cudaMemcpyDeviceToHost, stream));
  stream.wait();
  std::int64_t next = visits_;  // from where visits begin to how many there are
  for (auto bin = host.rbegin(); bin != host.rend(); ++bin) {
    const std::int64_t begin = *bin < 0 ? next : *bin;
    *bin = next - begin;
    next = begin;
  }
  make_items(stream, host, table.count, options);
}

}  // namespace backlit::cuda
