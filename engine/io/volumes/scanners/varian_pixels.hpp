// How Varian packs the pixels of .xim and .hnd: each but the first row differs from what its three neighbours predict
// by a number of 1, 2 or 4 bytes, whose length a table of two bits a pixel tells.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace backlit {

/// Fills `out` (rows x columns). `lengths`: the table; `pixels`: the first row and one pixel more as 4 bytes each, then
/// the differences. Throws InputError(where) when either ends too early.
void unpack_varian(std::string_view lengths, std::string_view pixels, std::int64_t columns, std::span<float> out,
                   const std::string& where);

}  // namespace backlit
