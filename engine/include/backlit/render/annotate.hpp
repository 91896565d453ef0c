// Scale bars and colour bars.
#pragma once

#include <string>

#include <backlit/render/colormap.hpp>
#include <backlit/render/image.hpp>

namespace backlit {

/// The largest of 1, 2, 5 times a power of ten that is not above `limit`.
double round_length(double limit);

/// Draws a horizontal bar of a round length, at most a third of `panel_width` px, with the length above it. Its right
/// end is at (right, bottom). `unit` names the unit of `mm_per_pixel`.
void draw_scale_bar(Image&, std::int64_t right, std::int64_t bottom, std::int64_t panel_width, double mm_per_pixel,
                    double text_size, const std::string& unit = "mm");

/// Draws a horizontal ramp of the map. Below it are the window's two ends, and `unit` in the middle.
void draw_color_bar(Image&, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, const Window&,
                    const Colormap&, const std::string& unit, double text_size);

}  // namespace backlit
