// Amounts of memory as text.
#pragma once

#include <cstdint>
#include <string>

namespace backlit {

/// The bytes that `text` means: "256M", "2G", "1.5GiB", "65536". K, M, G and T are powers of 1024; B or iB may follow,
/// in upper or lower case. Throws InputError(where) for other text, for empty text and for numbers of more than 63
/// bits.
std::int64_t byte_size_from(const std::string& text, const std::string& where);

/// "256 MiB", "1.5 GiB", "12 B": at most four digits.
std::string byte_size_text(std::int64_t bytes);

}  // namespace backlit
