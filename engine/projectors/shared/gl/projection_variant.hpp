// The ways to project on the graphics pipeline, each by name.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <backlit/projectors/ct_options.hpp>
#include "projectors/joseph/main_axes.hpp"

namespace backlit::gl {

/// Written "draw=slices,accumulate=ping_pong"; what is left out keeps its default.
struct ProjectionVariant {
  /// rays: a fragment a ray, which sums over the slices; slices: each slice is a polygon carried to the detector and
  /// added by the blend unit (Mueller & Xu), and with splat each voxel a quad; compute: rays as invocations of a
  /// compute shader; best: rays on drivers without hardware, else compute.
  enum class Draw { rays, slices, compute, best };

  /// Of raycast: a 3-D texture, or two slices with the third interpolation in the shader; best: the texture, but where
  /// precision exact interpolates in software.
  enum class Fetch { texture3d, slices, best };

  /// Of drawn passes. blend: the blend unit adds to the views; ping_pong: a pass reads what earlier ones left of some
  /// views from one texture and writes another, which are then added to the projections.
  enum class Accumulate { blend, ping_pong };

  /// Of joseph: the stack of each ray's own main axis, or for all rays of a view the one most parallel to
  /// the detector.
  using Stack = StackChoice;

  Draw draw = Draw::best;
  Accumulate accumulate = Accumulate::blend;
  Fetch fetch = Fetch::best;
  Stack stack = Stack::ray;

  std::string name() const;  ///< of draw and, where they are not as usual, accumulate, fetch (of raycast) and stack
  /// Of options.variant. Throws InputError naming keys and values there are, and Unsupported for values that exclude
  /// each other or do not go with the model or the precision: all that can be said without a grid and a scan.
  static ProjectionVariant parse(const CtOptions&);
  /// Whether it names stack=ray, where others have that unsaid.
  static bool names_ray_stacks(const std::string& variant);
};

/// Names of variants, for tables: every text with every precision.
struct VariantGroup {
  std::vector<Precision> precisions;
  Packing packing;
  std::vector<const char*> texts;
};
std::vector<CtOptions> variants_of(Model, std::initializer_list<VariantGroup>);

}  // namespace backlit::gl
