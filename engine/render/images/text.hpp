// Small labels in pictures, without a font library.
#pragma once

#include <cstdint>
#include <string_view>

#include <backlit/render/image.hpp>

namespace backlit {

enum class Align { left, center, right };

/// Height in pixels of a capital letter is about 7/10 of `size`; lines stand 1.3 `size` apart.
struct TextStyle {
  double size = 14;  ///< px
  Rgb color{235, 235, 235};
  Align align = Align::left;
};

/// Width in pixels of one line.
double text_width(std::string_view text, const TextStyle&);

/// Draws one line of ASCII text (others appear as a box); (x, y) is the left end, middle or right end of its top.
void draw_text(Image&, double x, double y, std::string_view text, const TextStyle& = {});

}  // namespace backlit
