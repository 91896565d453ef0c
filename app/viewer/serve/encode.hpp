// Encodes parts of a frame as image files for browsers.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "serve/area.hpp"

namespace backlit::viewer::serve {

using Bytes = std::vector<unsigned char>;

/// JPEG, 4:2:0, fast encoding. Use it on one thread.
class JpegEncoder {
 public:
  JpegEncoder();
  /// `area` must not be empty. Throws Failure.
  void encode(const Picture&, const Area&, int quality, Bytes& out);

 private:
  struct Free {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, Free> handle_;
};

/// PNG, fast rather than small. `area` must not be empty. Throws Failure.
void encode_lossless(const Picture&, const Area&, Bytes& out);

}  // namespace backlit::viewer::serve
