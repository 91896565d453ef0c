// Parts of a frame as files that browsers show.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "serve/area.hpp"

namespace backlit::viewer::serve {

using Bytes = std::vector<unsigned char>;

/// JPEG, 4:2:0, as quickly as can be. Belongs to one thread.
class JpegEncoder {
 public:
  JpegEncoder();
  /// `area` is not empty. Throws Failure.
  void encode(const Picture&, const Area&, int quality, Bytes& out);

 private:
  struct Free {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, Free> handle_;
};

/// PNG, quick rather than small. `area` is not empty. Throws Failure.
void encode_lossless(const Picture&, const Area&, Bytes& out);

}  // namespace backlit::viewer::serve
