// Pixels that are wrong in all views, and single readings that are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <backlit/core/hd.hpp>
#include <backlit/data/projections.hpp>

namespace backlit {

/// One mark a pixel: 1 where its mean over the views, or its change from view to view, differs from the median of its
/// neighbours by more than `times` the usual. Beside edges of the object the usual is larger. Stage "defects".
std::vector<char> find_defects(const Projections&, double times, const Watch& = {});

struct ZingerMarks {
  std::vector<std::vector<char>> marks;  ///< [view][pixel]; empty where a view has none
  std::int64_t count = 0;
};
/// Readings that are brighter than their neighbours, and than the same pixel in the views before and after, by more
/// than `times` the noise: a particle hits one pixel, or a few, in one view. Stage "zingers".
ZingerMarks find_zingers(const Projections&, double times, const Watch& = {});

// Limits, for the host and devices.

// Of |x|, x normal with standard deviation 1: the median, and what three quarters are below.
inline constexpr double normal_median = 0.67448975, normal_quartile = 1.15034938;

/// The usual difference of a pixel from its neighbours: of the image, around the pixel (`quartile`: what three quarters
/// of the neighbours' differences are below), and at least a share of the largest value.
BACKLIT_HD inline double usual_around(double usual, float quartile, double largest) {
  const double near = static_cast<double>(quartile) / normal_quartile, least = 1e-4 * largest;
  const double most = near > usual ? near : usual;
  return most > least ? most : least;
}

/// The noise of a view is measured at every pixel of a small detector, else at every second one in both directions.
BACKLIT_HD inline int noise_step(std::int64_t pixels) { return pixels < 4096 ? 1 : 2; }
/// Below this is a zinger: `usual` is the standard deviation of the view's differences from the neighbours.
BACKLIT_HD inline float zinger_limit(double times, double usual, float largest) {
  const double least = 1e-3 * static_cast<double>(largest);
  return static_cast<float>(-times * (usual > least ? usual : least));
}
/// The same times the quartile of changes around the pixel. Where the object's edges move most pixels change; around a
/// hit they do not.
BACKLIT_HD inline float local_zinger_limit(double times) { return static_cast<float>(-times / 1.9); }

/// "1 pixel", "2 pixels".
std::string count_text(std::int64_t count, const char* one);

}  // namespace backlit
