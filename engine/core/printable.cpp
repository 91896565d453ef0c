#include <backlit/core/printable.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace backlit {

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    const bool of_two_bytes = c == 0xc2 && next >= 0x80 && next < 0xa0;  // control characters of two bytes in UTF-8
    const bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || of_two_bytes;
    shown += control ? '?' : text[i];
    if (of_two_bytes) ++i;
  }
  return shown;
}

void write_to_standard_error(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void keep_standard_streams() noexcept {
  int file = 0;
  while (file >= 0 && file <= 2) file = ::open("/dev/null", O_RDONLY);  // opens the lowest free descriptor
  if (file > 2) ::close(file);
}

}  // namespace backlit
