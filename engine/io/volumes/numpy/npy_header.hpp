// The header of a NumPy array, versions 1 to 3, alone in a file or one of several.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/sample_type.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit {

inline constexpr std::size_t npy_header_bytes = 1 << 16;  ///< that hold any header

struct NpyHeader {
  SampleFormat samples;
  std::vector<std::int64_t> shape;
  std::int64_t offset = 0;  ///< of the first sample
};

/// The header at the front of an array. Throws InputError(where) for Fortran order, and for other than real numbers.
NpyHeader read_npy_header(std::string_view front, const std::string& where);

/// Images of an array of two or three dimensions. Throws InputError(where) for others.
RawLayout npy_images(const NpyHeader&, const std::string& where);

/// The samples of an array of one dimension. Throws InputError(where) for others, and when the source ends early.
std::vector<double> npy_numbers(std::unique_ptr<ByteSource>, const NpyHeader&, const std::string& where);

}  // namespace backlit
