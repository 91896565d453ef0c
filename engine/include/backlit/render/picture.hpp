// The values that rays find, before they become colours: every renderer writes one of three kinds, and one pass shows
// them all.
#pragma once

#include <span>

#include <backlit/render/camera.hpp>
#include <backlit/render/colormap.hpp>

namespace backlit {

/// Four numbers a pixel. values: (value, 1 where the ray met the volume, 0, 0); colors: (red, green, blue, opacity),
/// premultiplied, 0..1 as displayed; surface: (unit normal, t in mm along the ray), zeros where nothing was hit. On a
/// device t is measured from the reference plane of its CameraBlock, in software from the ray's origin.
enum class PictureKind { values, colors, surface };

/// How a picture is shown. Changing it needs no new rays.
struct Finish {
  Window window;               ///< values at the ends of the colour map
  std::string map = "gray";    ///< values: see colormap()
  Rgb background{0, 0, 0};     ///< where rays found nothing
  Rgb surface{232, 214, 184};  ///< colour of surfaces

  bool operator==(const Finish&) const = default;
};

/// The picture in colours, on the host, as shaders/render/finish.comp computes it. `found` holds four numbers a pixel.
Image finish_picture(std::span<const double> found, PictureKind, const CameraRays&, const Finish&);

/// The mean of every n x n pixels.
Image shrunk(const Image&, std::int64_t n);

/// A window for values that rays found: `text` is "LOW,HIGH", in values or percentiles of those that met the
/// volume. Throws InputError(where).
Window found_window(std::span<const double> found, const std::string& text, const std::string& where);

}  // namespace backlit
