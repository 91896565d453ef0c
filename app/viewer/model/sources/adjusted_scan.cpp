#include "model/sources/adjusted_scan.hpp"

#include <backlit/core/error.hpp>
#include "model/actions/geometry_edit.hpp"

namespace backlit::viewer {

const Scan& AdjustedScan::of(const std::shared_ptr<const SourceInfo>& source, const GeometryState& geometry) {
  if (source == source_ && geometry == geometry_) return scan_;
  source_ = source;
  geometry_ = geometry;
  try {
    scan_ = source->scan.views.empty() ? source->scan : adjusted(source->scan, geometry);
  } catch (const Error&) {
    scan_ = source->scan;
  }
  return scan_;
}

}  // namespace backlit::viewer
