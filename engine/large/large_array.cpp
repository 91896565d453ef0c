#include "large/large_array.hpp"

#include <algorithm>

#include <backlit/data/host_array.hpp>

namespace backlit {
namespace {

std::int64_t bytes_of(const ArrayShape& s) { return s.count() * static_cast<std::int64_t>(sizeof(float)); }

/// A device array and its share of the budget, which is taken already.
struct Resident {
  std::shared_ptr<Budget> budget;
  std::int64_t bytes = 0;
  ArrayPtr array;
  ~Resident() { budget->give_back(bytes); }
};

/// The values of rows [first, first + count).
template <class T>
std::span<T> rows_of(std::span<T> whole, const ArrayShape& shape, std::int64_t first, std::int64_t count) {
  const std::int64_t row = shape.n0 * shape.n1;
  return whole.subspan(static_cast<std::size_t>(first * row), static_cast<std::size_t>(count * row));
}

}  // namespace

DeviceArray& Staging::slot(std::size_t which, const ArrayShape& shape) {
  std::vector<ArrayPtr>& kept = slots_[which];
  const auto found = std::ranges::find_if(kept, [&](const ArrayPtr& a) { return a->shape() == shape; });
  if (found != kept.end()) {
    std::rotate(kept.begin(), found, found + 1);
  } else {
    if (kept.size() == 2) kept.pop_back();  // frees memory before new memory is allocated
    kept.insert(kept.begin(), device_.make_array(shape));
  }
  return *kept.front();
}

LargeArray::LargeArray(const ArrayShape& shape, std::int64_t rows, std::shared_ptr<Staging> staging,
                       std::shared_ptr<Budget> budget)
    : DeviceArray(shape, Layout::linear), staging_(std::move(staging)), budget_(std::move(budget)) {
  for (std::int64_t first = 0; first < shape.n2; first += rows) add_part(first, std::min(rows, shape.n2 - first));
}

LargeArray::LargeArray(const ArrayShape& shape, std::vector<ArrayPart> parts, const LargeArray& like)
    : DeviceArray(shape, Layout::linear), parts_(std::move(parts)), staging_(like.staging_), budget_(like.budget_) {}

void LargeArray::add_part(std::int64_t first, std::int64_t count) {
  ArrayPart part{.first = first, .shape = {shape().n0, shape().n1, count}, .staging = staging_};
  if (const std::int64_t bytes = bytes_of(part.shape); budget_->take(bytes)) {
    const auto resident = std::make_shared<Resident>(budget_, bytes);
    resident->array = staging_->device().make_array(part.shape);
    part.device = resident->array.get();
    part.owner = resident;
  } else {
    const auto memory = std::make_shared<HostArray<float>>(part.shape.count());
    part.host = memory->span();
    part.owner = memory;
  }
  parts_.push_back(std::move(part));
}

bool LargeArray::paged() const {
  return std::ranges::any_of(parts_, [](const ArrayPart& p) { return !p.device; });
}

ArrayPtr LargeArray::make_like() const {
  auto like = std::make_unique<LargeArray>(shape(), std::vector<ArrayPart>{}, *this);
  for (const ArrayPart& p : parts_) like->add_part(p.first, p.count());
  return like;
}

ArrayPtr LargeArray::rows(std::int64_t first, std::int64_t count) const {
  std::vector<ArrayPart> some;
  for (const ArrayPart& p : parts_) {
    const std::int64_t begin = std::max(first, p.first), n = std::min(first + count, p.first + p.count()) - begin;
    if (n <= 0) continue;
    ArrayPart part = p;
    part.first = begin - first;
    part.shape.n2 = n;
    if (p.device) {
      ArrayPtr array = staging_->device().rows(*p.device, begin - p.first, n);
      if (!array) return nullptr;
      if (n == count) return array;
      part.device = array.get();
      part.owner = std::shared_ptr<DeviceArray>(std::move(array));
    } else {
      part.host = rows_of(p.host, shape(), begin - p.first, n);
    }
    some.push_back(std::move(part));
  }
  return std::make_unique<LargeArray>(ArrayShape{shape().n0, shape().n1, count}, std::move(some), *this);
}

void LargeArray::upload(std::span<const float> host) {
  for (const ArrayPart& p : parts_) {
    const auto values = rows_of(host, shape(), p.first, p.count());
    if (p.device)
      staging_->device().upload(values, *p.device);
    else
      std::ranges::copy(values, p.host.begin());
  }
}

void LargeArray::download(std::span<float> host) const {
  for (const ArrayPart& p : parts_) {
    const auto values = rows_of(host, shape(), p.first, p.count());
    if (p.device)
      staging_->device().download(*p.device, values);
    else
      std::ranges::copy(p.host, values.begin());
  }
}

bool LargeArray::download_rows(std::int64_t first, std::span<float> host) const {
  const std::int64_t end = first + std::ssize(host) / (shape().n0 * shape().n1);
  for (const ArrayPart& p : parts_) {
    const std::int64_t begin = std::max(first, p.first), n = std::min(end, p.first + p.count()) - begin;
    if (n <= 0) continue;
    const auto values = rows_of(host, shape(), begin - first, n);
    if (!p.device)
      std::ranges::copy(rows_of(p.host, shape(), begin - p.first, n), values.begin());
    else if (!staging_->device().download_rows(*p.device, begin - p.first, values))
      return false;
  }
  return true;
}

std::vector<ArrayPart> parts_of(const DeviceArray& array) {
  if (const auto* large = dynamic_cast<const LargeArray*>(&array)) return large->parts();
  return {ArrayPart{.shape = array.shape(), .device = const_cast<DeviceArray*>(&array)}};
}

}  // namespace backlit
