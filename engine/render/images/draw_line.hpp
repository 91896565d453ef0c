// Lines and colours of drawings.
#pragma once

#include <backlit/render/image.hpp>

namespace backlit {

inline constexpr Rgb paper{255, 255, 255}, ink{40, 40, 40};

/// A line of `thickness` pixels with soft edges.
void draw_line(Image&, double x0, double y0, double x1, double y1, Rgb color, double thickness);

}  // namespace backlit
