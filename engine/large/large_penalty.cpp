// Penalties of volumes in slabs: a few slices at a time are worked on, with one more on each side.
#include <functional>
#include <vector>

#include <backlit/data/host_array.hpp>
#include "large/large_backend.hpp"
#include "large/slice_windows.hpp"

namespace backlit {
namespace {

/// An array that an operation on neighbours reads, writes or both.
struct Operand {
  const DeviceArray* array;
  bool read = true;
  DeviceArray* written = nullptr;  ///< the same array; null where it is read alone
};

/// Calls work(windows) for every few slices, and keeps what it wrote to those inside. What it reads is from before.
void in_windows(LargeBackend& whole, Backend& device, std::int64_t memory, const std::vector<Operand>& operands,
                const std::function<void(const SliceWindows&)>& work) {
  std::vector<HostArray<float>> before(operands.size()), after(operands.size());
  std::vector<HostOperand> hosts;
  for (std::size_t n = 0; n < operands.size(); ++n) {
    const std::int64_t values = operands[n].array->count();
    if (operands[n].read) whole.download(*operands[n].array, (before[n] = HostArray<float>(values)).span());
    if (operands[n].written) after[n] = HostArray<float>(values);
    hosts.push_back({before[n].span(), after[n].span()});
  }
  for (const ArrayPart& slab : parts_of(*operands.front().array))
    work_in_windows(device, memory, operands.front().array->shape(), {slab.first, slab.count()}, hosts, work);
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
             [&](const SliceWindows& w) { neighbours.stiffness(penalty, *w[1], *w.back(), *w[0]); });
}

void LargeBackend::ascend(const Differences& differences, const DeviceArray& x, float step, float radius,
                          const Field& z) {
  NeighbourOperations& neighbours = *device_->neighbours();
  if (!in_parts(*z[0])) return neighbours.ascend(differences, x, step, radius, z);
  in_windows(*this, *device_, memory_, {{z[0], true, z[0]}, {z[1], true, z[1]}, {z[2], true, z[2]}, {&x}},
             [&](const SliceWindows& w) {
               neighbours.ascend(differences, *w[3], step, radius, {w[0].get(), w[1].get(), w[2].get()});
             });
}

void LargeBackend::descend(const Differences& differences, const Field& z, const Descent& step) {
  NeighbourOperations& neighbours = *device_->neighbours();
  if (!in_parts(step.to)) return neighbours.descend(differences, z, step);
  std::vector<Operand> operands{{&step.to, false, &step.to}, {&step.from}, {z[0]}, {z[1]}, {z[2]}};
  if (step.weights)
    operands.insert(operands.end(), {{step.weights}, {step.gradient}, {step.before, true, step.before}});
  in_windows(*this, *device_, memory_, operands, [&](const SliceWindows& w) {
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
