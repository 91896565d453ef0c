// Soft shadows and ambient occlusion on the device: how much light reaches the cells of a coarse grid. See
// render/light_field.hpp.
#pragma once

#include <array>

#include "device/gl/gl_display_volume.hpp"
#include "gl/program.hpp"
#include "render/light_field.hpp"

namespace backlit::gl {

/// Occlusion follows the volume and what is seen of it; shadows the light, too. Each is made again only when that has
/// changed. Memory: three floats a cell.
class LightVolume {
 public:
  /// What the light depends on besides the direction it comes from.
  struct Subject {
    const void* tiles = nullptr;
    std::int64_t generation = -1;
    VolumeMode mode = VolumeMode::dvr;
    double iso = 0, gradient_opacity = 0;
    Classifier classifier;
    Vec3 crop_low{0}, crop_high{0};
    std::vector<Vec3> clips;
    Size3 cells{};
    bool operator==(const Subject&) const = default;
  };
  static Subject subject_of(const GlDisplayVolume::Front&, const VolumeRenderOptions&, const Classifier&);

  /// Takes another subject: true when its extinction is missing. Then call fill() for each tile, with the program of
  /// shaders/render/extinction.comp and its block bound.
  bool takes(const Subject&);
  void fill() const;
  /// Sends light through the grid where that is missing.
  void light(const VolumeRenderOptions&, const VolumeGrid& cells, const Vec3& to_light);
  /// Binds units 4 and 5 with a linear sampler.
  void bind() const;

 private:
  void sweep(const LightSweep&, float weight, const Texture& light);

  Subject subject_;
  bool has_ambient_ = false;
  Vec3 to_light_{0};  ///< of the shadows; 0: there are none
  Program program_;
  Sampler linear_;
  Texture extinction_, direct_, ambient_;
  std::array<Texture, 2> slices_;
};

}  // namespace backlit::gl
