// How chunks of Zarr arrays are packed.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace backlit::zarr {

enum class Codec { none, zlib, blosc, zstd };

/// The codec of numcodecs' and Zarr's names: "zlib", "gzip", "blosc", "zstd". Throws InputError(where) for others, and
/// for those that this build lacks.
Codec codec_named(const std::string& name, const std::string& where);

/// Whether codec_named() takes "blosc".
bool has_blosc();

/// Fills `out`. Throws InputError(where) when the bytes do not unpack to exactly that many.
void unpack(Codec, std::span<const std::byte> packed, std::span<std::byte> out, const std::string& where);

/// Floats packed by Blosc: LZ4 behind a shuffle of bytes. Needs has_blosc().
std::vector<std::byte> pack_by_blosc(std::span<const float> values);

}  // namespace backlit::zarr
