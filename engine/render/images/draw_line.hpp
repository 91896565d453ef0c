// Lines in pictures.
#pragma once

#include <backlit/render/image.hpp>

namespace backlit {

/// A line of `thickness` pixels with soft edges.
void draw_line(Image&, double x0, double y0, double x1, double y1, Rgb color, double thickness);

}  // namespace backlit
