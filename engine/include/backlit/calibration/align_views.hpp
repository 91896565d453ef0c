// Views that moved one by one: finds the shift of each from the projections.
#pragma once

#include <vector>

#include <backlit/core/parameter.hpp>
#include <backlit/data/projections.hpp>
#include <backlit/geometry/view_shifts.hpp>
#include <backlit/preprocess/volume_tools.hpp>

namespace backlit {

struct AlignOptions {
  std::int64_t rounds = 12;    ///< most rounds at each resolution
  std::int64_t columns = 128;  ///< pixels are binned until a view has at most this many columns and rows

  Parameters parameters();
};

struct Alignment {
  std::vector<ViewShift> shifts;  ///< one per view, without the part that a translation of the object causes
  std::vector<double> residual;   ///< of each round: r.m.s. of views minus reprojections, over that of the views
  std::vector<double> change;     ///< px, of each round: r.m.s. change of the shifts
  Scan scan;                      ///< shifted(source.scan(), shifts)
};

/// Finds a shift along u and v for each view. Each round reconstructs the views under their present shifts, projects
/// the volume, and registers each view with its projection (Dengler, Ultramicroscopy 30 (1989) 337; Guersoy et al.,
/// Sci. Rep. 7 (2017) 11818). It works from coarse pixels to fine ones. Anderson's mixing (J. ACM 12 (1965) 547) makes
/// slow drifts converge. Views with fewer than 8 rows are shifted along u alone. Stage "align". Throws InputError for
/// curved detectors and fewer than 8 views, Cancelled.
Alignment align_views(ProjectionSource&, const VolumeTools&, const AlignOptions&, const Watch& = {});

}  // namespace backlit
