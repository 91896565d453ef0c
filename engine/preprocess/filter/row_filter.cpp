#include "preprocess/filter/row_filter.hpp"

#include <backlit/core/error.hpp>
#include <backlit/geometry/types.hpp>
#include "preprocess/filter/ramp_filter.hpp"

namespace backlit {
namespace {

constexpr double widest = 0.9 * pi;  // for columns of equal angles: the ramp's taps have a pole at pi

/// Radians between columns of equal angles; 0 for columns of equal lengths.
double angular_pitch(const Scan& scan) {
  const View& view = scan.views.front();
  return scan.detector.shape == Detector::Shape::curved ? glm::length(view.u) / detector_normal(view).distance : 0;
}

}  // namespace

std::unique_ptr<RowConvolution> make_row_filter(const Scan& scan, const FilterOptions& o) {
  if (!o.filters()) return nullptr;
  const std::int64_t columns = scan.detector.columns;
  const auto extension = static_cast<std::int64_t>(o.pad * static_cast<double>(columns));
  if (o.hilbert()) return std::make_unique<HilbertFilter>(columns, o.cutoff, 1 / (2 * pi), extension);
  const double pitch = angular_pitch(scan);
  if (pitch * static_cast<double>(columns + extension) > widest)
    throw InputError("pad", "the rows of this curved detector would be continued half a turn around the source",
                     "pad less");
  return std::make_unique<RampFilter>(columns, o.window, o.cutoff, pitch, extension);
}

}  // namespace backlit
