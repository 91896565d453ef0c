#include "projectors/stacked_images.hpp"

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit {

StackedImages::StackedImages(Backend& backend, std::vector<std::unique_ptr<LinearOperator>> parts)
    : backend_(backend), parts_(std::move(parts)) {
  for (const auto& part : parts_)
    if (part->domain() != parts_.front()->domain() || part->range() != parts_.front()->range())
      throw Failure("stacked images", "the parts differ in shape");
}

ArrayShape StackedImages::domain() const {
  ArrayShape shape = parts_.front()->domain();
  shape.n2 *= static_cast<std::int64_t>(parts_.size());
  return shape;
}

template <class F>
void StackedImages::each_part(const DeviceArray& x, F&& f) {
  const std::int64_t slices = parts_.front()->domain().n2;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const ArrayPtr part = backend_.rows(const_cast<DeviceArray&>(x), static_cast<std::int64_t>(i) * slices, slices);
    if (!part) throw Unsupported(backend_.name(), "cannot share arrays among several grids", "use cpu or cuda");
    f(*parts_[i], *part, i);
  }
}

void StackedImages::forward(const DeviceArray& x, DeviceArray& y, const Subset& s, Write write) {
  each_part(x, [&](LinearOperator& a, DeviceArray& image, std::size_t i) {
    a.forward(image, y, s, i == 0 ? write : Write::accumulate);
  });
}

void StackedImages::back(const DeviceArray& y, DeviceArray& x, const Subset& s, Write write) {
  each_part(x, [&](LinearOperator& a, DeviceArray& image, std::size_t) { a.back(y, image, s, write); });
}

void StackedImages::sensitivity(DeviceArray& x, const Subset& s) {
  each_part(x, [&](LinearOperator& a, DeviceArray& image, std::size_t) { a.sensitivity(image, s); });
}

std::string StackedImages::variant() const {
  return fmt::format("{}, {} grids", parts_.front()->variant(), parts_.size());
}

}  // namespace backlit
