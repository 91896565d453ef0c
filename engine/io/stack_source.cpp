#include "io/stack_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace backlit {
namespace {

void check_finite(std::span<const float> values, const Detector& d, std::int64_t first_view, const std::string& spec) {
  const auto bad = std::find_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v); });
  if (bad == values.end()) return;
  const std::int64_t at = bad - values.begin();
  throw InputError(spec,
                   fmt::format("view {} holds {} at row {}, column {}", first_view + at / d.pixels(), *bad,
                               at % d.pixels() / d.columns, at % d.columns),
                   "repair the data: projections must be finite numbers");
}

}  // namespace

void StackSource::read(std::int64_t first, std::int64_t count, std::span<float> out) {
  const std::int64_t pixels = scan_.detector.pixels();
  if (first < 0 || count < 0 || first + count > scan_.view_count() ||
      static_cast<std::int64_t>(out.size()) < count * pixels)
    throw InputError(spec_, fmt::format("views {} to {} of {} were asked for, with room for {} values", first,
                                        first + count - 1, scan_.view_count(), out.size()));
  out = out.first(static_cast<std::size_t>(count * pixels));
  if (!sinogram_) {
    reader_->read(first, count, out);
  } else {
    if (image_.empty()) {
      std::vector<float> image(static_cast<std::size_t>(scan_.view_count() * pixels));
      reader_->read(0, 1, image);
      image_ = std::move(image);
    }
    std::copy_n(image_.begin() + first * pixels, count * pixels, out.begin());
  }
  check_finite(out, scan_.detector, first, spec_);
}

}  // namespace backlit
