// Amounts of memory as people write them.
#pragma once

#include <cstdint>
#include <string>

namespace backlit {

/// "256M", "2G", "1.5GiB", "65536": bytes, with K, M, G or T for powers of 1024 (B and iB may follow, case does not
/// matter). Throws InputError(where) for anything else, for nothing and for more than 63 bits hold.
std::int64_t byte_size_from(const std::string& text, const std::string& where);

/// "256 MiB", "1.5 GiB", "12 B": at most four digits.
std::string byte_size_text(std::int64_t bytes);

}  // namespace backlit
