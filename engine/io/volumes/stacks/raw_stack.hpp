// Images stored as plain samples. The readers of NPY, MHA, NRRD, NIfTI and RabbitCT make them from their headers.
#pragma once

#include <array>
#include <memory>

#include <backlit/io/volumes/stack_reader.hpp>
#include "io/byte_source.hpp"
#include "io/sample_type.hpp"

namespace backlit {

struct RawLayout {
  StackInfo info{};  ///< `type` is set from `samples`
  SampleFormat samples{};
  std::int64_t offset = 0;         ///< bytes in front of the first image
  std::int64_t gap = 0;            ///< bytes between images
  std::array<bool, 3> reversed{};  ///< the file runs against +x, +y, +z: reversed while reading
};

/// Bytes of all samples (gaps not counted). Throws InputError(where) when sizes are not positive or too large.
std::int64_t packed_bytes(const StackInfo&, SampleType, const std::string& where);

/// Throws InputError(where) when the source has fewer bytes than the layout needs.
void require_bytes(const ByteSource&, const RawLayout&, const std::string& where);

/// Throws as require_bytes() does.
std::unique_ptr<StackReader> make_raw_stack(std::unique_ptr<ByteSource>, RawLayout, const std::string& where);

/// Throws InputError unless [first, first + count) are images of the stack and fit into `room` values.
void check_read(const StackInfo&, std::int64_t first, std::int64_t count, std::size_t room, const std::string& where);

}  // namespace backlit
