#include "io/volumes/zarr/codecs.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include <backlit/core/error.hpp>

#ifdef BACKLIT_BLOSC
#include <blosc.h>
#endif
#ifdef BACKLIT_ZSTD
#include <zstd.h>
#endif

namespace backlit::zarr {
namespace {

/// zlib's and gzip's streams alike. False unless they inflate to exactly out.size() bytes.
bool inflate_all(std::span<const std::byte> packed, std::span<std::byte> out) {
  z_stream stream{};
  if (::inflateInit2(&stream, 15 + 32) != Z_OK) return false;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = ::inflate(&stream, Z_FINISH);
  const bool complete = result == Z_STREAM_END && stream.avail_out == 0;
  ::inflateEnd(&stream);
  return complete;
}

bool unpack_blosc([[maybe_unused]] std::span<const std::byte> packed, [[maybe_unused]] std::span<std::byte> out) {
#ifdef BACKLIT_BLOSC
  std::size_t bytes = 0;
  if (packed.size() < BLOSC_MIN_HEADER_LENGTH || ::blosc_cbuffer_validate(packed.data(), packed.size(), &bytes) != 0 ||
      bytes != out.size())
    return false;
  return ::blosc_decompress_ctx(packed.data(), out.data(), out.size(), 1) == static_cast<int>(out.size());
#else
  return false;
#endif
}

bool unpack_zstd([[maybe_unused]] std::span<const std::byte> packed, [[maybe_unused]] std::span<std::byte> out) {
#ifdef BACKLIT_ZSTD
  return ::ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size()) == out.size();
#else
  return false;
#endif
}

}  // namespace

bool has_blosc() {
#ifdef BACKLIT_BLOSC
  return true;
#else
  return false;
#endif
}

Codec codec_named(const std::string& name, const std::string& where) {
  if (name == "zlib" || name == "gzip") return Codec::zlib;
  [[maybe_unused]] const auto lacks = [&](const char* package) {
    throw InputError(where, fmt::format("its chunks are packed by {}, which this build does not read", name),
                     fmt::format("install {} and build again", package));
  };
#ifndef BACKLIT_BLOSC
  if (name == "blosc") lacks("libblosc-dev");
#endif
#ifndef BACKLIT_ZSTD
  if (name == "zstd") lacks("libzstd-dev");
#endif
  if (name == "blosc") return Codec::blosc;
  if (name == "zstd") return Codec::zstd;
  throw InputError(where, fmt::format("its chunks are packed by '{}'", name),
                   "zlib, gzip, blosc and zstd are read: write it again with one of them");
}

void unpack(Codec codec, std::span<const std::byte> packed, std::span<std::byte> out, const std::string& where) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  bool unpacked = packed.size() <= most && out.size() <= most;
  if (unpacked && codec == Codec::none) {
    unpacked = packed.size() == out.size();
    if (unpacked) std::ranges::copy(packed, out.begin());
  } else if (unpacked) {
    unpacked = codec == Codec::zlib    ? inflate_all(packed, out)
               : codec == Codec::blosc ? unpack_blosc(packed, out)
                                       : unpack_zstd(packed, out);
  }
  if (!unpacked)
    throw InputError(where, fmt::format("its {} bytes do not unpack to the {} of a chunk", packed.size(), out.size()),
                     "the file is damaged: copy it again");
}

std::vector<std::byte> pack_by_blosc([[maybe_unused]] std::span<const float> values) {
#ifdef BACKLIT_BLOSC
  constexpr int level = 5;
  std::vector<std::byte> packed(values.size_bytes() + BLOSC_MAX_OVERHEAD);
  const int bytes = ::blosc_compress_ctx(level, BLOSC_SHUFFLE, sizeof(float), values.size_bytes(), values.data(),
                                         packed.data(), packed.size(), BLOSC_LZ4_COMPNAME, 0, 1);
  if (bytes <= 0) throw Failure("blosc", "could not pack a chunk");
  packed.resize(static_cast<std::size_t>(bytes));
  return packed;
#else
  throw Failure("blosc", "this build lacks it");
#endif
}

}  // namespace backlit::zarr
