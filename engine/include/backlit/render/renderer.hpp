// A volume as a camera sees it, or a scan without a volume: values along rays, before they become colours.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <backlit/data/projections.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include <backlit/render/camera.hpp>
#include <backlit/render/cut_plane.hpp>
#include <backlit/render/volume_rendering.hpp>

namespace backlit {

/// Belongs to the thread of its backend.
class Renderer {
 public:
  virtual ~Renderer() = default;
  /// The device, for reports.
  virtual std::string device() const = 0;
  /// The box that rays are followed through.
  virtual const VolumeGrid& grid() const = 0;
  /// Values in the box, all or evenly spaced ones, for windows in percentiles.
  virtual std::span<const float> values() const = 0;
  /// Four numbers a pixel, rows from the top: see PictureKind and finish_picture().
  virtual std::vector<double> render(const CameraRays&, const VolumeRenderOptions&, const Classifier&) = 0;
};

/// Renders a volume: on gl, or in software in double precision where `backend` is null or cpu. Throws Unsupported for
/// other backends.
std::unique_ptr<Renderer> make_renderer(std::shared_ptr<const Volume>, std::unique_ptr<Backend> backend);

/// Renders a scan without a volume: each sample of a ray is reconstructed by filtered backprojection (D2VR: Rautek,
/// Csebfalvi, Grimm, Bruckner, Groeller, EuroVis 2006). Reads and filters all views: stage "filter". Throws Unsupported
/// for backends other than gl and for scans that FDK cannot filter.
std::unique_ptr<Renderer> make_renderer(ProjectionSource&, const VolumeGrid& region, const FilterOptions&,
                                        std::unique_ptr<Backend> backend, const Watch& = {});

/// The slice of a volume on a plane, computed by FDK from the projections without the volume. `values`: width x height
/// numbers, row by row from the top, overwritten. Stage "filter". Throws Unsupported for backends other than gl and
/// cpu.
void cut_projections(Backend&, ProjectionSource&, const FilterOptions&, const CutPlane&, std::span<float> values,
                     const Watch& = {});

}  // namespace backlit
