// The point that the 3-D view shows at a pixel: where a ray first meets what is visible.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <backlit/render/volume_rendering.hpp>

namespace backlit::viewer {

/// Values of the volume at points in mm.
using ValuesAt = std::function<std::vector<float>(std::span<const Vec3>)>;

/// The index, between samples, of what a ray shows of evenly spaced values `apart` mm from each other: mode iso the
/// surface, dvr where half of the light that the ray loses is lost, mip the largest value. Nothing where the ray shows
/// nothing, and in modes that add up the whole ray.
std::optional<double> visible_sample(std::span<const float> values, double apart, const VolumeRenderOptions&,
                                     const Classifier&);

/// mm, of pixel (x, y). Only mode dvr reads the classifier.
std::optional<Vec3> visible_point(const CameraRays&, const VolumeRenderOptions&, const Classifier&, const VolumeGrid&,
                                  double x, double y, const ValuesAt&);

}  // namespace backlit::viewer
