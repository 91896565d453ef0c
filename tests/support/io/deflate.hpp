// Deflated bytes, for tests of files that hold them.
#pragma once

#include <zlib.h>

#include <string>

namespace backlit::test {

/// `window_bits`: -15 without a header, 15 as zlib, 31 as gzip.
inline std::string deflated(const std::string& bytes, int window_bits = -15) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(bytes.size() + 1024, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace backlit::test
