#include <backlit/io/volumes/stack_source.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "io/check_finite.hpp"

namespace backlit {

void StackSource::require(std::int64_t first, std::int64_t count, std::size_t room) const {
  if (first < 0 || count < 0 || first + count > scan_.view_count() ||
      static_cast<std::int64_t>(room) < count * scan_.detector.pixels())
    throw InputError(spec_, fmt::format("views {} to {} of {} were asked for, with room for {} values", first,
                                        first + count - 1, scan_.view_count(), room));
}

void StackSource::look_at_rows(const IndexRange& rows) {
  if (sinogram_) return;
  rows_ = rows;
  backlit::look_at_rows(*reader_, rows);
}

void StackSource::clear_other_rows(std::int64_t views, std::span<float> out) const {
  const Detector& d = scan_.detector;
  if (!rows_ || rows_->count == d.rows) return;
  for (std::int64_t i = 0; i < views; ++i) {
    const auto view = out.begin() + i * d.pixels();
    std::fill(view, view + rows_->first * d.columns, 0.0f);
    std::fill(view + rows_->end() * d.columns, view + d.pixels(), 0.0f);
  }
}

bool StackSource::read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) {
  if (sinogram_ || scale_ != 1) return false;
  require(first, count, out.size());
  return reader_->read_counts(first, count, out);
}

void StackSource::read(std::int64_t first, std::int64_t count, std::span<float> out) {
  const std::int64_t pixels = scan_.detector.pixels();
  require(first, count, out.size());
  out = out.first(static_cast<std::size_t>(count * pixels));
  if (!sinogram_) {
    reader_->read(first, count, out);
    clear_other_rows(count, out);
  } else {
    if (image_.empty()) {
      std::vector<float> image(static_cast<std::size_t>(scan_.view_count() * pixels));
      reader_->read(0, 1, image);
      image_ = std::move(image);
    }
    std::copy_n(image_.begin() + first * pixels, count * pixels, out.begin());
  }
  if (scale_ != 1)
    for (float& value : out) value = static_cast<float>(value * scale_);
  check_finite(out, scan_.detector.columns, scan_.detector.rows, first, spec_);
}

}  // namespace backlit
