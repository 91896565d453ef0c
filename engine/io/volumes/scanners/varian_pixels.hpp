// Varian's compression of pixels in .xim and .hnd. After the first row, a pixel is predicted from three neighbours. The
// file holds the difference in 1, 2 or 4 bytes; a table with two bits a pixel gives the length.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace backlit {

inline constexpr std::size_t most_varian_bytes = std::size_t{1} << 28;  ///< of one file

/// Fills `out` (rows x columns). `lengths`: the table; `pixels`: the first row and one more pixel as 4 bytes each, then
/// the differences. Throws InputError(where) when one of them ends too early.
void unpack_varian(std::string_view lengths, std::string_view pixels, std::int64_t columns, std::span<float> out,
                   const std::string& where);

}  // namespace backlit
