// A mask of the fragments killed before the fragment shader: "early fragment kill" of Xu & Mueller 2007 (AG-GPU+).
#pragma once

#include <backlit/geometry/view.hpp>
#include "gl/handles.hpp"
#include "gl/program.hpp"
#include "projectors/voxel_driven/gl_variant.hpp"

namespace backlit::gl {

/// A stencil or depth texture with a layer for each layer of the target, marked once, tested by every pass.
class KillMask {
 public:
  KillMask(BackprojectionVariant::Kill kind, std::int64_t width, std::int64_t height, std::int64_t layers);

  const Texture& texture() const { return texture_; }
  /// Draws all layers with a program that discards the fragments to kill. `fragments`: their number without a mask.
  void mark(const Program& program, std::int64_t fragments);
  /// Share of the fragments that the last mark() left out; a query counts them.
  double share() const { return share_; }

  /// Throws Unsupported for scans without a field of view around the axis.
  static void require(const Scan&);
  /// Sets the uniforms of the program that marks: the field of view, and the part of the detector (pixels, or fractions
  /// of it) that contributes to a view. Throws what require() throws.
  static void describe(Program&, const Scan&, BackprojectionVariant::Interpolation, bool in_pixels);

  /// While it lives, fragments left out by mark() are killed.
  class Testing {
   public:
    explicit Testing(BackprojectionVariant::Kill kind);
    ~Testing();
    Testing(const Testing&) = delete;
    Testing& operator=(const Testing&) = delete;
  };

 private:
  BackprojectionVariant::Kill kind_;
  Texture texture_;
  Framebuffer framebuffer_;
  double share_ = 0;
};

}  // namespace backlit::gl
