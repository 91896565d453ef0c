// side_by_side OUTPUT.png LOW,HIGH CROP PANEL TITLE=VOLUME...
// Draws the middle slices of the volumes beside each other with titles, all in one window. Shows the middle CROP (a
// share) of each slice, PANEL pixels wide. For pictures in docs/.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/render/plane.hpp>
#include <backlit/render/png.hpp>
#include "render/images/text.hpp"

using namespace backlit;

namespace {

Plane cropped(const Plane& p, double share) {
  const auto part = [&](std::int64_t n) {
    return std::max<std::int64_t>(1, std::llround(share * static_cast<double>(n)));
  };
  Plane c{part(p.width), part(p.height), p.pixel_x, p.pixel_y, {}};
  const std::int64_t left = (p.width - c.width) / 2, top = (p.height - c.height) / 2;
  for (std::int64_t y = 0; y < c.height; ++y)
    for (std::int64_t x = 0; x < c.width; ++x) c.values.push_back(p.at(left + x, top + y));
  return c;
}

void draw(const std::vector<std::string>& arguments) {
  if (arguments.size() < 5)
    throw InputError("side_by_side", "too few arguments", "give OUTPUT.png LOW,HIGH CROP PANEL TITLE=VOLUME...");
  const double share = std::stod(arguments[2]);
  const std::int64_t panel = std::stoll(arguments[3]), heading = 26, gap = 4;
  std::vector<Image> pictures;
  std::vector<std::string> titles;
  for (std::size_t i = 4; i < arguments.size(); ++i) {
    const std::size_t equals = arguments[i].rfind('=');
    if (equals == std::string::npos) throw InputError(arguments[i], "is not TITLE=VOLUME");
    titles.push_back(arguments[i].substr(0, equals));
    const Volume volume = load_volume(arguments[i].substr(equals + 1));
    const Plane plane = cropped(extract_slice(volume, Axis::z, volume.grid.center.z), share);
    const Window window = window_from(arguments[1], volume.values.span(), "window");
    const double scale = plane.pixel_x * static_cast<double>(plane.width) / static_cast<double>(panel);
    pictures.push_back(colorize(plane, window, colormap("gray"), scale));
  }
  const std::int64_t width = pictures.front().width, height = pictures.front().height;
  Image sheet(static_cast<std::int64_t>(pictures.size()) * (width + gap) - gap, height + heading, {24, 24, 24});
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const std::int64_t left = static_cast<std::int64_t>(i) * (width + gap);
    sheet.paste(pictures[i], left, heading);
    draw_text(sheet, static_cast<double>(left + width / 2), 7, titles[i], {13, {235, 235, 235}, Align::center});
  }
  save_png(sheet, arguments[0]);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    draw({arguments + 1, arguments + count});
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "side_by_side: {}\n", error.what());
    return 2;
  }
}
