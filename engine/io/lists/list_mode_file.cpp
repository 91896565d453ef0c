#include <backlit/io/lists/list_mode_file.hpp>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "io/lists/list_mode_formats.hpp"

namespace backlit {

namespace fs = std::filesystem;

namespace formats {

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

}  // namespace formats

bool is_list_mode(const fs::path& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  const std::string front = read_front(path, 4096);
  return formats::is_castor(front) || formats::is_siemens(front) || formats::is_safir(front);
}

ListModeFile load_list_mode(const fs::path& path, const ListModeOptions& options) {
  const std::string front = read_front(path, 4096);
  if (formats::is_safir(front)) return formats::open_safir(path, options);
  if (formats::is_siemens(front)) return formats::open_siemens(path, options);
  if (formats::is_castor(front)) return formats::open_castor(path, options);
  throw InputError(path.string(), "is not a list of PET events",
                   "name a CASToR header (.cdh), a Siemens list's Interfile header, or a SAFIR list");
}

}  // namespace backlit
