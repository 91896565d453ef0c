#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <limits>

#include <backlit/core/error.hpp>
#include <backlit/render/annotate.hpp>
#include <backlit/render/contact_sheet.hpp>
#include <backlit/render/plane.hpp>
#include <backlit/render/png.hpp>
#include "render/images/text.hpp"

using namespace backlit;
namespace fs = std::filesystem;

namespace {

/// Values that tell every voxel from every other: i + 10 j + 100 k.
Volume numbered(const Size3& size) {
  Volume v(VolumeGrid{size, {1, 2, 3}, {0, 0, 0}});
  for (std::int64_t k = 0; k < size[2]; ++k)
    for (std::int64_t j = 0; j < size[1]; ++j)
      for (std::int64_t i = 0; i < size[0]; ++i) v.at(i, j, k) = static_cast<float>(i + 10 * j + 100 * k);
  return v;
}

std::int64_t lit(const Image& image) {
  return std::count_if(image.pixels.begin(), image.pixels.end(), [](Rgb p) { return p.r > 128; });
}

}  // namespace

TEST_CASE("axial pictures show +x to the right and +y up, the others +z up") {
  const Volume v = numbered({5, 4, 3});
  const Plane axial = extract_slice(v, Axis::z, 3);  // k = 2
  CHECK(axial.width == 5);
  CHECK(axial.height == 4);
  CHECK(axial.at(0, 3) == 200);                        // bottom left: i = 0, j = 0
  CHECK(axial.at(4, 0) == 234);                        // top right: i = 4, j = 3
  const Plane coronal = extract_slice(v, Axis::y, 1);  // j = 2
  CHECK(coronal.at(0, 2) == 20);
  CHECK(coronal.at(4, 0) == 224);
  const Plane sagittal = extract_slice(v, Axis::x, -2);  // i = 0
  CHECK(sagittal.width == 4);
  CHECK(sagittal.at(3, 0) == 230);
  CHECK(sagittal.pixel_x == 2);
  CHECK(sagittal.pixel_y == 3);
}

TEST_CASE("slices interpolate between voxels and refuse positions outside") {
  const Volume v = numbered({5, 4, 3});
  CHECK(extract_slice(v, Axis::z, 1.5).at(0, 3) == Approx(150));
  CHECK(extract_slice(v, Axis::z, 4.4).at(0, 3) == 200);  // inside the last voxel
  CHECK_THROWS_WITH(extract_slice(v, Axis::z, 5), "position: 5 mm along z is outside the volume; give -4.5 to 4.5");
}

TEST_CASE("maximum projection takes the largest and leaves NaN out") {
  Volume v = numbered({5, 4, 3});
  v.at(1, 1, 2) = std::numeric_limits<float>::quiet_NaN();
  const Plane mip = maximum_projection(v, Axis::z);
  CHECK(mip.at(0, 3) == 200);
  CHECK(mip.at(1, 2) == 111);
}

TEST_CASE("pictures have square pixels and keep values where no scaling is needed") {
  const Volume v = numbered({5, 4, 3});
  const Image image = colorize(extract_slice(v, Axis::z, 0), {100, 134}, colormap("gray"));
  CHECK(image.width == 5);
  CHECK(image.height == 8);
  Volume cube(VolumeGrid{{4, 4, 1}, {1, 1, 1}, {0, 0, 0}});
  cube.at(3, 3, 0) = 1;
  const Image same = colorize(extract_slice(cube, Axis::z, 0), {0, 1}, colormap("gray"));
  CHECK(same.at(3, 0) == Rgb{255, 255, 255});
  CHECK(same.at(2, 0) == Rgb{0, 0, 0});
}

TEST_CASE("windows come from numbers or percentiles") {
  std::vector<float> values;
  for (int i = 0; i <= 1000; ++i) values.push_back(static_cast<float>(i));
  values.push_back(std::numeric_limits<float>::quiet_NaN());
  CHECK(percentile_window(values, 10, 90) == Window{100, 900});
  CHECK(window_from("10%,90%", values, "w") == Window{100, 900});
  CHECK(window_from("-1.5,2e2", values, "w") == Window{-1.5, 200});
  CHECK_THROWS_WITH(window_from("3,2", values, "--window"),
                    "--window: the window 3,2 is empty; the first number must be the smaller one");
  CHECK_THROWS_AS(window_from("3", values, "w"), InputError);
  CHECK_THROWS_AS(window_from("a,b", values, "w"), InputError);
  CHECK_THROWS_AS(window_from("0%,101%", values, "w"), InputError);
  const std::vector<float> flat(10, 2.0f);
  CHECK(percentile_window(flat, 1, 99) == Window{1.5, 2.5});
}

TEST_CASE("colour maps interpolate, and an unknown name lists them") {
  CHECK(colormap("gray").at(0.5) == Rgb{128, 128, 128});
  CHECK(colormap("gray").at(-3) == Rgb{0, 0, 0});
  CHECK(colormap("gray-inverted").at(1) == Rgb{0, 0, 0});
  CHECK(colormap("pet-hot").at(0.5) == Rgb{255, 0, 0});  // DICOM's Hot Iron: red first, then green, then blue
  CHECK(colormap("pet-hot").at(0.75) == Rgb{255, 128, 0});
  CHECK_THROWS_WITH(colormap("pink"), Catch::Contains("choose one of blue-red, difference, gray,"));
}

TEST_CASE("PNG files come back as written, broken ones name the file") {
  const fs::path file = fs::temp_directory_path() / "backlit-render-test.png";
  Image image(7, 3);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = {static_cast<std::uint8_t>(11 * i), 7, 200};
  save_png(image, file);
  const Image back = load_png(file);
  CHECK(back.width == 7);
  CHECK(back.pixels == image.pixels);
  fs::resize_file(file, fs::file_size(file) / 2);
  CHECK_THROWS_WITH(load_png(file), Catch::Contains(file.string()));
  fs::remove(file);
  CHECK_THROWS_AS(save_png(image, "/nowhere/x.png"), InputError);
  CHECK_THROWS_AS(save_png(Image(), file), InputError);
}

TEST_CASE("text covers its own place and no more") {
  Image image(200, 40);
  const TextStyle style{20, {255, 255, 255}, Align::center};
  draw_text(image, 100, 10, "Head", style);
  CHECK(lit(image) > 100);
  const double half = text_width("Head", style) / 2;
  for (std::int64_t y = 0; y < image.height; ++y)
    for (std::int64_t x = 0; x < image.width; ++x)
      if (image.at(x, y).r > 0) {
        CHECK(std::abs(static_cast<double>(x) + 0.5 - 100) < half + 2);
        CHECK(y >= 8);
        CHECK(y <= 26);
      }
  draw_text(image, 190, 30, "off the edge", {20});
}

TEST_CASE("scale bars have round lengths") {
  CHECK(round_length(99) == 50);
  CHECK(round_length(50) == 50);
  CHECK(round_length(49) == 20);
  CHECK(round_length(0.12) == Approx(0.1));
  Image image(300, 60);
  draw_scale_bar(image, 290, 50, 300, 0.5, 14);  // 150 mm wide: 50 mm = 100 px
  std::int64_t length = 0;
  for (std::int64_t x = 0; x < 300; ++x) length += image.at(x, 49).r > 128;
  CHECK(length == 100);
}

TEST_CASE("contact sheets hold a column for each thing they show") {
  Volume v = numbered({16, 20, 12});
  Volume truth(v.grid, v.values.clone());
  SheetOptions options;
  options.panel = 200;
  const Image alone = contact_sheet(v, nullptr, options);
  options.narrow = Window{100, 200};
  const Image narrow = contact_sheet(v, nullptr, options);
  const Image full = contact_sheet(v, &truth, options);
  CHECK(narrow.width > alone.width);
  CHECK(full.width - narrow.width == 2 * (narrow.width - alone.width));
  CHECK(full.height == alone.height);
  const Volume other = numbered({16, 20, 13});
  CHECK_THROWS_WITH(contact_sheet(v, &other, options),
                    "truth: 16 x 20 x 13 voxels, the volume has 16 x 20 x 12; both must have the same grid");
}

TEST_CASE("lengths without millimetres say px, in bars and on sheets") {
  const auto bar = [](const std::string& unit) {
    Image image(300, 60);
    draw_scale_bar(image, 290, 50, 300, 0.5, 14, unit);
    return image;
  };
  const Image mm = bar("mm"), px = bar("px");
  bool same_bar = true;
  std::int64_t other = 0;
  for (std::int64_t y = 0; y < 60; ++y)
    for (std::int64_t x = 0; x < 300; ++x) {
      const bool differs = mm.at(x, y).r != px.at(x, y).r;
      other += differs;
      if (y >= 45 && differs) same_bar = false;
    }
  CHECK(other > 10);  // the unit
  CHECK(same_bar);    // the bar itself is as long
  const Volume v = numbered({16, 20, 12});
  SheetOptions options;
  options.panel = 200;
  const Image in_mm = contact_sheet(v, nullptr, options);
  options.length_unit = "px";
  const Image in_px = contact_sheet(v, nullptr, options);
  CHECK(in_mm.width == in_px.width);
  CHECK(in_mm.height == in_px.height);
  CHECK_FALSE((in_mm.pixels == in_px.pixels));
}

TEST_CASE("thin sheets can be seen: planes keep a pixel, sheets leave out what is too thin") {
  Volume v = numbered({40, 30, 1});
  v.grid.spacing = Vec3(1, 1, 0.01);
  const Plane edge = extract_slice(v, Axis::y, 0.5);
  CHECK(edge.height == 1);
  CHECK(colorize(edge, {0, 1000}, colormap("gray"), 1).height == 1);
  CHECK(colorize(edge, {0, 1000}, colormap("gray"), 1).width == 40);
  SheetOptions options;
  options.panel = 200;
  const Image thin = contact_sheet(v, nullptr, options);
  Volume thick = numbered({40, 30, 30});
  CHECK(thin.height < contact_sheet(thick, nullptr, options).height - 150);  // the axial slice alone
  CHECK(thin.height > 150);
  v = numbered({40, 1, 1});  // a line: nothing but thin slices, so all are shown
  CHECK(contact_sheet(v, nullptr, options).height > 100);
}
