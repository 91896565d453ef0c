// Direct volume rendering from projections (D2VR): the pictures of volume rendering, but every sample of every ray is
// reconstructed by filtered backprojection where the ray needs it. There is no volume, so no voxels appear at any
// magnification (Rautek, Csebfalvi, Grimm, Bruckner, Groeller, EuroVis 2006; on graphics hardware Xu and Mueller,
// Volume Graphics 2006).
#pragma once

#include <array>
#include <optional>
#include <string>

#include <backlit/render/volume_rendering.hpp>
#include "render/gl/camera_block.hpp"
#include "render/gl/coarse_volume.hpp"
#include "render/gl/resident_views.hpp"
#include "render/gl/transfer_texture.hpp"

namespace backlit::gl {

/// "draw=compute,table=storage,samples=8,cells=96"; keys left out keep their defaults.
struct D2vrVariant {
  enum class Draw { compute, fragment };
  Draw draw = Draw::compute;
  ViewTableIn table = ViewTableIn::automatic;
  std::int64_t samples = 8;  ///< samples of a ray reconstructed together, 2 to 8
  std::int64_t cells = 0;  ///< along the coarse volume's longest side, up to 512; 0: one per three voxels of the region
  std::int64_t reach = 1;  ///< cells up to this distance widen a cell's range by their errors, 0 or 1

  std::string name() const;
  static D2vrVariant parse(const std::string& text);  ///< throws InputError naming the keys and values allowed
};

/// A frame allocates nothing. Programs are compiled when a mode is first used. The coarse volume and its visible cells
/// are made again, on the device, when views, transfer function or iso value have changed.
///
///   D2vr d2vr(backend, views, default_grid(scan));
///   d2vr.render(camera, options, classifier, found);             // one picture, or while the camera moves
///   d2vr.begin(camera, options, classifier);
///   while (d2vr.step(found)) show(found);                        // ever finer
class D2vr {
 public:
  /// The box of `region` is shown; `step` and the strength of shading are in units of its spacing. The views must
  /// outlive this; with slopes, value and gradient take one fetch a view. Throws
  /// Unsupported for what the variant cannot do.
  D2vr(GlBackend&, const ResidentViews&, const VolumeGrid& region, const D2vrVariant& = {});

  /// Makes a picture from every `stride`-th view in the order of their angles. Writes it to `found` (make_found(), of
  /// the camera's size; see PictureKind). Only mode dvr reads `classifier`.
  void render(const CameraRays&, const VolumeRenderOptions&, const Classifier&, const Texture& found,
              std::int64_t stride = 1);

  /// Starts a picture that step() refines: from about 32 views at first, then from twice as many each time, up to all
  /// (the prefixes of the views in bit-reversed order). Each sample is classified from its whole sum.
  void begin(const CameraRays&, const VolumeRenderOptions&, const Classifier&);
  /// Renders the next `rows` rows (0: all) of the present refinement over the earlier picture. Returns false when the
  /// picture in `found` is final and nothing was left to do.
  bool step(const Texture& found, std::int64_t rows = 0);
  /// Share of the views that the last step() used.
  double refinement() const;

  /// Values of the coarse volume, for windows in percentiles. Waits for the device.
  std::vector<float> overview() { return coarse_.values(); }

  const CameraBlock& camera() const { return camera_; }
  const VolumeGrid& region() const { return region_; }
  const D2vrVariant& variant() const { return variant_; }

 private:
  Program& program(VolumeMode);
  void prepare(const CameraRays&, const VolumeRenderOptions&, const Classifier&);
  void draw(const Texture& found, std::int64_t first_row, std::int64_t rows, std::int64_t stride);

  GlBackend& backend_;
  const ResidentViews& views_;
  VolumeGrid region_;
  D2vrVariant variant_;
  CoarseVolume coarse_;
  std::array<Program, 5> programs_;
  bool source_inside_ = true;
  std::int64_t generation_ = -1;  ///< generation of the views that source_inside_ describes
  CameraBlock camera_;
  TransferTexture transfer_;
  Sampler nearest_;
  std::optional<Classifier> classifier_;  ///< the one in transfer_
  Framebuffer framebuffer_;
  VertexArray no_vertices_;

  VolumeRenderOptions options_;  ///< options of the present picture
  double light_gradient_ = 1;
  std::int64_t width_ = 0, height_ = 0, stride_ = 1, row_ = 0;
  bool finished_ = true;
};

}  // namespace backlit::gl
