// Penalties of volumes in slabs. They work on a few slices at a time, with one more slice on each side.
#include <algorithm>
#include <functional>
#include <vector>

#include <backlit/data/host_array.hpp>
#include "large/large_backend.hpp"

namespace backlit {
namespace {

/// Number of slices to work on at a time. With both neighbours they fit a texture, and `arrays` arrays of them take at
/// most a sixteenth of `memory`.
std::int64_t slices_at_a_time(const Capabilities& can, const ArrayShape& slab, std::int64_t arrays,
                              std::int64_t memory) {
  std::int64_t most = slab.n2;
  if (memory > 0) most = std::min(most, memory / (16 * arrays * slab.n0 * slab.n1 * std::int64_t{sizeof(float)}) - 2);
  if (can.most_slices > 2) most = std::min(most, can.most_slices - 2);
  return std::max<std::int64_t>(most, 1);
}

/// An array that an operation on neighbours reads, writes or both.
struct Operand {
  const DeviceArray* array;
  bool read = true;
  DeviceArray* written = nullptr;  ///< the same array; null when it is only read
};

/// The operands' slices on the device, in the operands' order.
using Windows = std::vector<ArrayPtr>;

/// Calls work(windows) for a few slices at a time and keeps the results of the inner slices. All calls read the values
/// from before the first call.
void in_windows(LargeBackend& whole, Backend& device, std::int64_t memory, const std::vector<Operand>& operands,
                const std::function<void(const Windows&)>& work) {
  std::vector<HostArray<float>> before(operands.size()), after(operands.size());
  for (std::size_t n = 0; n < operands.size(); ++n) {
    const std::int64_t values = operands[n].array->count();
    if (operands[n].read) whole.download(*operands[n].array, (before[n] = HostArray<float>(values)).span());
    if (operands[n].written) after[n] = HostArray<float>(values);
  }
  const ArrayShape all = operands.front().array->shape();
  const std::int64_t slice = all.n0 * all.n1;
  Windows windows(operands.size());
  std::vector<float> values;
  for (const ArrayPart& slab : parts_of(*operands.front().array)) {
    const std::int64_t most = slices_at_a_time(device.capabilities(), slab.shape, std::ssize(operands), memory),
                       end = slab.first + slab.count();
    for (std::int64_t first = slab.first; first < end; first += most) {
      const std::int64_t count = std::min(most, end - first), begin = std::max<std::int64_t>(first - 1, 0),
                         slices = std::min(first + count + 1, all.n2) - begin;
      const ArrayShape shape{all.n0, all.n1, slices};
      if (!windows.front() || windows.front()->shape() != shape)
        for (ArrayPtr& window : windows) {
          window.reset();  // frees memory before new memory is allocated
          window = device.make_array(shape);
        }
      const auto at = static_cast<std::size_t>(begin * slice), size = static_cast<std::size_t>(slices * slice);
      for (std::size_t n = 0; n < operands.size(); ++n)
        if (operands[n].read) device.upload(before[n].span().subspan(at, size), *windows[n]);
      work(windows);
      values.resize(size);
      for (std::size_t n = 0; n < operands.size(); ++n) {
        if (!operands[n].written) continue;
        device.download(*windows[n], values);
        std::copy_n(values.begin() + (first - begin) * slice, count * slice, after[n].data() + first * slice);
      }
    }
  }
  for (std::size_t n = 0; n < operands.size(); ++n)
    if (operands[n].written) whole.upload(after[n].span(), *operands[n].written);
}

bool in_parts(const DeviceArray& array) { return dynamic_cast<const LargeArray*>(&array) != nullptr; }

}  // namespace

void LargeBackend::stiffness(const NeighbourPenalty& penalty, const DeviceArray& x, const DeviceArray& d,
                             DeviceArray& y) {
  NeighbourOperations& neighbours = *device_->neighbours();
  if (!in_parts(y)) return neighbours.stiffness(penalty, x, d, y);
  std::vector<Operand> operands{{&y, false, &y}, {&x}};
  if (&d != &x) operands.push_back({&d});
  in_windows(*this, *device_, memory_, operands,
             [&](const Windows& w) { neighbours.stiffness(penalty, *w[1], *w.back(), *w[0]); });
}

void LargeBackend::ascend(const Differences& differences, const DeviceArray& x, float step, float radius,
                          const Field& z) {
  NeighbourOperations& neighbours = *device_->neighbours();
  if (!in_parts(*z[0])) return neighbours.ascend(differences, x, step, radius, z);
  in_windows(*this, *device_, memory_, {{z[0], true, z[0]}, {z[1], true, z[1]}, {z[2], true, z[2]}, {&x}},
             [&](const Windows& w) {
               neighbours.ascend(differences, *w[3], step, radius, {w[0].get(), w[1].get(), w[2].get()});
             });
}

void LargeBackend::descend(const Differences& differences, const Field& z, const Descent& step) {
  NeighbourOperations& neighbours = *device_->neighbours();
  if (!in_parts(step.to)) return neighbours.descend(differences, z, step);
  std::vector<Operand> operands{{&step.to, false, &step.to}, {&step.from}, {z[0]}, {z[1]}, {z[2]}};
  if (step.weights)
    operands.insert(operands.end(), {{step.weights}, {step.gradient}, {step.before, true, step.before}});
  in_windows(*this, *device_, memory_, operands, [&](const Windows& w) {
    Descent part{*w[1], *w[0], step.low, step.high};
    if (step.weights) {
      part.weights = w[5].get();
      part.gradient = w[6].get();
      part.before = w[7].get();
    }
    neighbours.descend(differences, {w[2].get(), w[3].get(), w[4].get()}, part);
  });
}

}  // namespace backlit
