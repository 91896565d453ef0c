#include "views/screenshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <backlit/core/error.hpp>
#include <backlit/render/png.hpp>
#include "render/gl/finisher.hpp"
#include "window/synthetic_input.hpp"

namespace backlit::viewer {
namespace {

Image picture_of(const gl::Texture& frame) {
  Image image = gl::read_shown(frame);
  for (std::int64_t y = 0; y < image.height / 2; ++y)  // OpenGL stores the lowest row first
    std::swap_ranges(image.pixels.begin() + y * image.width, image.pixels.begin() + (y + 1) * image.width,
                     image.pixels.begin() + (image.height - 1 - y) * image.width);
  return image;
}

Image part_of(const Image& image, const ItemBox& box) {
  const auto cut = [](float at, std::int64_t size) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(at)), 0, size);
  };
  const std::int64_t left = cut(box.low.x, image.width), right = cut(box.high.x, image.width),
                     top = cut(box.low.y, image.height), bottom = cut(box.high.y, image.height);
  if (left == right || top == bottom)
    throw InputError("screenshot", "the item with this label is not visible",
                     "make the window larger, or scroll to it");
  Image part;
  part.width = right - left;
  part.height = bottom - top;
  for (std::int64_t y = top; y < bottom; ++y) {
    const auto row = image.pixels.begin() + y * image.width;
    part.pixels.insert(part.pixels.end(), row + left, row + right);
  }
  return part;
}

}  // namespace

void save_screenshot(const gl::Texture& frame, const std::string& path, const std::string& label) {
  const Image image = picture_of(frame);
  save_png(label.empty() ? image : part_of(image, item_box(label, "screenshot")), path);
}

std::string free_screenshot_name() {
  for (int i = 1;; ++i)
    if (std::string name = fmt::format("backlit-{:03}.png", i); !std::filesystem::exists(name)) return name;
}

}  // namespace backlit::viewer
