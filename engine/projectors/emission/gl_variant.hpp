// The ways of emission on the graphics pipeline, each by name.
#pragma once

#include <string>
#include <vector>

#include <backlit/projectors/emission/emission_options.hpp>

namespace backlit::gl {

/// Written "composite=front_to_back,draw=compute"; what is left out is chosen.
struct EmissionVariant {
  /// front_to_back: a ray marches on its own with its transparency so far; front_to_back_blended: planes are drawn one
  /// under the other, and the blend unit keeps emission and transparency of all rays; both without scatter only.
  /// back_to_front: planes one after the other over an image of all rays.
  enum class Composite { front_to_back, front_to_back_blended, back_to_front, best };
  enum class Draw { fragment, compute, best };

  Composite composite = Composite::best;
  Draw draw = Draw::best;

  const char* composite_name() const;
  /// Throws InputError naming keys and values there are.
  static EmissionVariant parse(const std::string& text);
};

/// One of each kind for tables: every composite with every way to draw that it goes with, in every precision.
std::vector<EmissionOptions> emission_variants();

}  // namespace backlit::gl
