// Fills marked pixels from their neighbours, as the host's fill_missing().
#pragma once

#include "cuda/corrections/images.hpp"
#include "cuda/device/launch.hpp"

namespace backlit::cuda {

/// A bit for each pixel of an image; the next image begins with a new word.
inline std::int64_t mark_words(std::int64_t pixels) { return (pixels + 31) / 32; }

/// `stride`: words from one image's marks to the next; 0: all images have the same.
struct Marks {
  const unsigned* bits;
  std::int64_t stride;

  BACKLIT_HD bool at(std::int64_t image, std::int64_t pixel) const {
    return bits[image * stride + pixel / 32] >> pixel % 32 & 1;
  }
};

/// In place. Marked pixels get the mean of their neighbours that are not marked; those without such neighbours are
/// interpolated from coarser pixels. Waits for the device.
void fill_missing(Stream&, const Images&, const Marks&);

}  // namespace backlit::cuda
