// Results of rays before they become colours. Every renderer writes one of three kinds, and one pass shows all three.
#pragma once

#include <span>

#include <backlit/render/camera.hpp>
#include <backlit/render/colormap.hpp>

namespace backlit {

/// Four numbers a pixel. values: (value, 1 where the ray met the volume, 0, 0); colors: (red, green, blue, opacity),
/// premultiplied, 0..1 as displayed; surface: (normal, as long as the share of light that arrives, t in mm along the
/// ray), zeros where nothing was hit.
/// Devices measure t from the reference plane of their CameraBlock, software from the ray's origin.
enum class PictureKind { values, colors, surface };

/// The colours of a picture. Changing them needs no new rays.
struct Finish {
  Window window;               ///< values at the ends of the colour map
  std::string map = "gray";    ///< values: see colormap()
  Rgb background{0, 0, 0};     ///< colour where rays found nothing
  Rgb surface{232, 214, 184};  ///< colour of surfaces
  bool clear = false;          ///< OpenGL: the picture is transparent where rays found nothing, to lie over another

  bool operator==(const Finish&) const = default;
};

/// The picture in colours, computed on the host as in shaders/render/finish.comp. `found` holds four numbers a pixel.
Image finish_picture(std::span<const double> found, PictureKind, const CameraRays&, const Finish&);

/// The picture with each block of n x n pixels replaced by its mean.
Image shrunk(const Image&, std::int64_t n);

/// A window for the values of rays: `text` is "LOW,HIGH", in values, or in percentiles over the rays that met the
/// volume. Throws InputError(where).
Window found_window(std::span<const double> found, const std::string& text, const std::string& where);

}  // namespace backlit
