// `backlit render` for volumes seen by a camera: MIP, average, DRR, surfaces, transfer functions.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <backlit/device/device_options.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include <backlit/render/picture.hpp>
#include <backlit/render/renderer.hpp>
#include <backlit/render/value_classes.hpp>
#include <backlit/render/volume_rendering.hpp>
#include "command.hpp"
#include "options/camera_option.hpp"

namespace CLI {
class App;
}

namespace backlit::cli {

/// Maps values to colour and light; shared by renderers of volumes and of projections.
struct LookOption {
  std::string transfer = "auto";  ///< a name, a file, or auto
  std::string iso;                ///< a value; empty: see fitting_iso()
  std::string background = "#000000", surface = "#e8d6b8";
  double water = 0.02;
  std::int64_t antialias = 2;

  void add_flags(CLI::App&);
  /// The window (see window_from), the value of water and the longest side, for a volume with these values.
  ValueScale scale(std::span<const float> values, const VolumeGrid&, const std::string& window) const;
  TransferFunction transfer_function(const ValueClasses&, const VolumeGrid&) const;
  double iso_value(const ValueClasses&) const;
};

struct VolumeLook {
  VolumeLook() { options.step = 0.5; }

  VolumeRenderOptions options;
  std::string crop;
  std::vector<std::string> clips;

  void add_flags(CLI::App&);
  /// Reads crop and clips into the options and checks them.
  void apply();
};

/// All options of the pictures except the subject.
struct PictureOptions {
  std::string mode, map, window;
  std::int64_t size = 0;
  LookOption look;
  VolumeLook volume;
  CameraOption camera;
  DeviceOptions backend;
};

/// Writes pictures: one file, an animated PNG, or a sequence (#### in the path stands for the number). Throws
/// InputError when a path cannot be written.
void write_frames(const std::string& output, const CameraOption&, const std::function<Image(std::int64_t)>& frame);

struct PicturesMade {
  std::int64_t width = 0, height = 0, frames = 0;
  std::string device, transfer;
  Window window;  ///< for the rays' results, or for the volume's values
  double iso = 0;
};

/// Of a volume: on gl, or in software where gl does not start or `cpu` is asked for.
std::unique_ptr<Renderer> renderer_of_volume(const std::string& file, const DeviceOptions&, const Console&);
/// Of the projections of a scan, without a volume (D2VR); on gl alone.
std::unique_ptr<Renderer> renderer_of_scan(const std::string& file, const FilterOptions&, const DeviceOptions&,
                                           const Console&);

/// Takes pictures in one of volume_mode_names(). `annotate` gets a picture of values and its window and may replace it.
PicturesMade render_pictures(Renderer&, const std::string& input, const std::string& output, PictureOptions&,
                             const Console&, const std::function<Image(const Image&, const Finish&)>& annotate);

Rgb parse_color(const std::string& text, const std::string& where);

}  // namespace backlit::cli
