// The ways to backproject on the graphics pipeline, each by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <backlit/projectors/ct_options.hpp>
#include "gl/limits.hpp"

namespace backlit::gl {

/// Written "transform=vertex,accumulate=ping_pong,views=8"; what is left out keeps its default.
struct BackprojectionVariant {
  /// slices: drawn, by what the other keys say; compute: the same arithmetic in a compute shader.
  enum class Draw { slices, compute };
  /// vertex: the rasteriser interpolates detector coordinates from the polygon's corners (Xu & Mueller's AG-GPU);
  /// fragment: the matrix is applied at every fragment (MP-GPU).
  enum class Transform { vertex, fragment };
  /// ping_pong: a pass reads what earlier ones left from one volume texture and writes another; blend: the blend unit
  /// adds to the volume; loop: one pass over all views, in the fragment shader; load: the fragment reads and writes the
  /// same texel (target image only).
  enum class Accumulate { ping_pong, blend, loop, load };
  /// Where fragments go. layered: one draw for all slices; slice: a draw a slice, as older hardware needs; image: image
  /// stores, without a colour attachment.
  enum class Target { layered, slice, image };
  /// Fragments outside the field of view (the circle that every view's columns cover), and those that no view sees, die
  /// in the stencil or depth test, before the fragment shader (AG-GPU+). Their voxels get nothing.
  enum class Kill { none, stencil, early_z };
  /// nearest: the course's box.
  enum class Interpolation { linear, nearest };

  /// A pass, where nothing else is asked for. More mean less traffic of the volume, until registers run out; packed by
  /// quarter turns, four of them are a group.
  static constexpr std::int64_t best_views = 16, best_packed_views = 32;

  Draw draw = Draw::slices;
  Transform transform = Transform::vertex;
  Accumulate accumulate = Accumulate::blend;  ///< measured faster on llvmpipe, and half the memory
  Target target = Target::layered;
  Kill kill = Kill::none;
  Interpolation interpolation = Interpolation::linear;
  std::string texel{};     ///< of what is fetched: r32f, r16f, packing orbit rgba32f, rgba16f
  std::int64_t views = 0;  ///< a pass, at most; 0 takes the best known. Not for loop; fours with packing orbit.

  /// As above, complete; the course's 8 views a pass are marked "views=8(course)".
  std::string name() const;
  /// `usual` where the text names neither `draw` nor what only drawn slices have. Throws InputError naming keys and
  /// values there are, for values that exclude each other, and for a texel that is not the precision's.
  static BackprojectionVariant parse(const std::string& text, Precision, bool orbit, Draw usual);
  /// The faster one: compute shaders on hardware (all of its processors run them, some run fragments on few of theirs),
  /// drawn slices where a CPU does either (docs/methods.md).
  static Draw usual(const Limits& limits) { return limits.software ? Draw::slices : Draw::compute; }
  /// The same packed by quarter turns, which draws a quarter of each slice: on a CPU small ones keep one thread busy.
  static Draw usual_packed(const Limits& limits, std::int64_t slice_side) {
    return limits.software && slice_side >= 192 ? Draw::slices : Draw::compute;
  }
  /// Whether `text` asks for what only unpacked views have, so that packing auto must not pack.
  static bool names_unpacked(const std::string& text);
};

/// One of each kind, for tables: every value of every key, with each packing and precision that it goes with.
std::vector<CtOptions> backprojection_variants();

}  // namespace backlit::gl
