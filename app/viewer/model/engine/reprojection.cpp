#include "model/engine/reprojection.hpp"

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "model/display/any_display.hpp"

namespace backlit::viewer {

ViewComparison compare_view(Backend& backend, Reconstruction& reconstruction, const Scan& scan, std::int64_t view,
                            std::vector<float> measured) {
  const Detector& d = scan.detector;
  ViewComparison c;
  c.view = view;
  c.measured = {d.columns, d.rows, d.pixel_u, d.pixel_v, std::move(measured)};
  c.reprojected = c.difference = c.measured;
  const Scan one{d, {scan.views[static_cast<std::size_t>(view)]}};
  bool made = false;
  with_volume(reconstruction, [&](const DeviceArray& volume, const VolumeGrid& grid) {
    CtOptions options;
    options.model = Model::joseph;
    const auto projector = backend.make_ct(grid, one, options);
    const ArrayPtr line_integrals = projector->make_range(1);
    projector->forward(volume, *line_integrals, projector->all(), Write::overwrite);
    backend.download(*line_integrals, c.reprojected.values);
    made = true;
  });
  if (!made) throw InputError("projection", "the volume is not ready", "wait until it has been computed");
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < c.difference.values.size(); ++i) {
    const float m = c.measured.values[i], e = c.reprojected.values[i] - m;
    c.difference.values[i] = e;
    difference += double{e} * e;
    norm += double{m} * m;
  }
  c.relative = norm > 0 ? std::sqrt(difference / norm) : 0;
  return c;
}

}  // namespace backlit::viewer
