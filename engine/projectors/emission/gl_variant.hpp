// The variants of emission on the graphics pipeline.
#pragma once

#include <backlit/projectors/emission/emission_options.hpp>

namespace backlit::gl {

/// Programs choose by EmissionOptions (of()); studies also choose how planes are composited (app/study/variants).
struct EmissionVariant {
  /// front_to_back: a ray runs through all planes with its transparency so far. front_to_back_blended: planes are drawn
  /// one under the other, and the blend unit keeps emission and transparency of all rays. Both work without scatter
  /// only. back_to_front: planes follow one another over an image of all rays.
  enum class Composite { front_to_back, front_to_back_blended, back_to_front, best };
  enum class Draw { fragment, compute, best };

  Composite composite = Composite::best;
  Draw draw = Draw::best;

  const char* composite_name() const;
  static EmissionVariant of(const EmissionOptions&);
};

}  // namespace backlit::gl
