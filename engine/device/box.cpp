#include <backlit/device/box.hpp>

#include <algorithm>
#include <functional>

#include <backlit/core/parallel.hpp>

namespace backlit {
namespace {

/// Calls f(offset in the whole, offset in the box, values) for each run of values that lies together in both.
template <class F>
void for_runs(const ArrayShape& whole, const Box& b, F&& f) {
  const bool full_rows = b.size[0] == whole.n0, full_layers = full_rows && b.size[1] == whole.n1;
  const std::int64_t run = full_layers ? b.shape().count() : full_rows ? b.size[0] * b.size[1] : b.size[0];
  const auto runs = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = begin * run; at < end * run; at += run) {
      const std::int64_t j = at / b.size[0] % b.size[1], k = at / (b.size[0] * b.size[1]);
      f(((b.first[2] + k) * whole.n1 + b.first[1] + j) * whole.n0 + b.first[0], at, run);
    }
  };
  constexpr std::int64_t worth_a_thread = 1 << 16;
  const std::int64_t count = b.shape().count();
  if (count == 0) return;
  if (count < 2 * worth_a_thread) return runs(0, count / run);
  if (run < count) return parallel_chunks(count / run, runs, std::max<std::int64_t>(1, worth_a_thread / run));
  const std::int64_t first = (b.first[2] * whole.n1 + b.first[1]) * whole.n0 + b.first[0];
  parallel_chunks(count, [&](std::int64_t begin, std::int64_t end) { f(first + begin, begin, end - begin); });
}

}  // namespace

std::vector<Box> boxes_of(const ArrayShape& whole, const Size3& largest) {
  std::vector<Box> boxes;
  for (std::int64_t k = 0; k < whole.n2; k += largest[2])
    for (std::int64_t j = 0; j < whole.n1; j += largest[1])
      for (std::int64_t i = 0; i < whole.n0; i += largest[0])
        boxes.push_back({{i, j, k},
                         {std::min(largest[0], whole.n0 - i), std::min(largest[1], whole.n1 - j),
                          std::min(largest[2], whole.n2 - k)}});
  return boxes;
}

void read_box(std::span<const float> whole, const ArrayShape& shape, const Box& box, std::span<float> values) {
  for_runs(shape, box, [&](std::int64_t from, std::int64_t to, std::int64_t n) {
    std::copy_n(whole.begin() + from, n, values.begin() + to);
  });
}

void write_box(std::span<float> whole, const ArrayShape& shape, const Box& box, std::span<const float> values) {
  for_runs(shape, box, [&](std::int64_t to, std::int64_t from, std::int64_t n) {
    std::copy_n(values.begin() + from, n, whole.begin() + to);
  });
}

void add_box(std::span<float> whole, const ArrayShape& shape, const Box& box, std::span<const float> values) {
  for_runs(shape, box, [&](std::int64_t to, std::int64_t from, std::int64_t n) {
    std::transform(values.begin() + from, values.begin() + from + n, whole.begin() + to, whole.begin() + to,
                   std::plus<float>());
  });
}

VolumeGrid part_of(const VolumeGrid& grid, const Box& box) {
  VolumeGrid part = grid;
  part.size = box.size;
  for (int a = 0; a < 3; ++a) {
    const auto i = static_cast<std::size_t>(a);
    if (box.size[i] == grid.size[i]) continue;  // to the bit
    const double middle = static_cast<double>(box.first[i]) + 0.5 * static_cast<double>(box.size[i] - 1);
    part.center[a] = grid.first_voxel()[a] + grid.spacing[a] * middle;
  }
  return part;
}

}  // namespace backlit
