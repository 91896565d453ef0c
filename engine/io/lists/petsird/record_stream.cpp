#include "io/lists/petsird/record_stream.hpp"

#include <algorithm>

namespace backlit::formats {

const std::byte* RecordStream::next() {
  constexpr std::int64_t buffer_bytes = 4 << 20;
  if (next_ == count_) return nullptr;
  if (next_ == first_ + held_) {
    first_ = next_;
    held_ = std::min(count_ - first_, std::max<std::int64_t>(1, buffer_bytes / bytes_));
    buffer_.resize(static_cast<std::size_t>(held_ * bytes_));
    source_->read(offset_ + first_ * bytes_, buffer_);
  }
  return buffer_.data() + (next_++ - first_) * bytes_;
}

}  // namespace backlit::formats
