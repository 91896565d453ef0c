#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "cuda/lines_of_response/plan.hpp"

namespace backlit::cuda {
namespace {

constexpr int threads = 256;
constexpr int length_bits = 6;  // visits of a tile are sorted by their number of slices

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

__global__ void count_kernel(const LineRecord* records, std::int64_t lines, Tilings tilings, Tubes tubes, TofTable tof,
                             std::uint32_t* count) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= lines) return;
  std::uint32_t n = 0;
  each_tile(records[i], tilings, tubes, tof, [&](int, int, int, int) { ++n; });
  count[i] = n;
}

__global__ void emit_kernel(const LineRecord* records, std::int64_t lines, Tilings tilings, Tubes tubes, TofTable tof,
                            LineOrder order, const std::int64_t* first, std::uint32_t* keys, std::uint32_t* values) {
  const std::int64_t i = blockIdx.x * std::int64_t{threads} + threadIdx.x;
  if (i >= lines) return;
  std::int64_t at = first[i];
  const LineRecord r = records[i];
  each_tile(r, tilings, tubes, tof, [&](int tile, int, int count, int c) {
    if (order == LineOrder::tile) c = tilings.axis[r.axis_and_kernel & 3].widest;
    const std::uint32_t bin = (tile * tubes.count + (r.axis_and_kernel >> 2)) * tap_class_count + c;
    keys[at] = (bin << length_bits) + (order == LineOrder::length ? min(count, (1 << length_bits) - 1) : 0);
    values[at] = static_cast<std::uint32_t>(i);
    ++at;
  });
}

/// Writes the slices of every visit, and the first visit of every bin.
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
    const int axis = tile >= tilings_.axis[2].first ? 2 : tile >= tilings_.axis[1].first ? 1 : 0;
    const double all = double(bins[b]) * cost(tap_classes[c]);
    const auto parts = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(all / std::max(share, 2000 * cost(tap_classes[c])) + 0.999));
    for (std::int64_t p = 0; p < parts; ++p)
      items.push_back({tile - tilings_.axis[axis].first, axis, rest % kernels, tap_classes[c], at + bins[b] * p / parts,
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
  float radius = 0;
  for (const TubeTable& t : tubes) radius = std::max(radius, t.radius);
  tilings_ = choose_tiles(grid, radius, options.shared_floats);
  shared_floats_ = most_floats(tilings_);
  Tubes table{};
  table.count = static_cast<int>(tubes.size());
  std::copy(tubes.begin(), tubes.end(), table.tube);
  const std::int64_t n = lines();
  if (n == 0) return;
  PoolBuffer<std::uint32_t> count(stream, n + 1);
  PoolBuffer<std::int64_t> first(stream, n + 1);
  BACKLIT_CUDA(cudaMemsetAsync(count.data() + n, 0, sizeof(std::uint32_t), stream));
  stream.launch("count visits", blocks(n, threads), threads, 0, count_kernel, records_.data(), n, tilings_, table, tof,
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
  const Tiling& last = tilings_.axis[2];
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
  stream.launch("list visits", blocks(n, threads), threads, 0, emit_kernel, records_.data(), n, tilings_, table, tof,
                options.order, first.data(), keys.data(), values.data());
  bytes = 0;
  cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys.data(), sorted.data(), values.data(), visit_lines_.data(),
                                  visits_, 0, bits, stream);
  if (static_cast<std::int64_t>(bytes) > scratch.count())
    scratch = PoolBuffer<std::byte>(stream, static_cast<std::int64_t>(bytes));
  stream.timed("sort visits", [&] {
    BACKLIT_CUDA(cub::DeviceRadixSort::SortPairs(scratch.data(), bytes, keys.data(), sorted.data(), values.data(),
                                                 visit_lines_.data(), visits_, 0, bits, stream));
  });
  stream.launch("visited slices", blocks(visits_, threads), threads, 0, slices_kernel, records_.data(), tilings_, table,
                tof, sorted.data(), visit_lines_.data(), visits_, visit_slices_.data(), starts.data());
  std::vector<std::int64_t> host(static_cast<std::size_t>(bin_count));
  BACKLIT_CUDA(cudaMemcpyAsync(host.data(), starts.data(), starts.bytes(), cudaMemcpyDeviceToHost, stream));
  stream.wait();
  std::int64_t next = visits_;  // from the beginnings of visits to their numbers
  for (auto bin = host.rbegin(); bin != host.rend(); ++bin) {
    const std::int64_t begin = *bin < 0 ? next : *bin;
    *bin = next - begin;
    next = begin;
  }
  make_items(stream, host, table.count, options);
}

}  // namespace backlit::cuda
