#include "render/png.hpp"

#include <png.h>

#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace backlit {
namespace {

/// libpng's simplified interface; freed whatever happens.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(this); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

constexpr std::int64_t largest_side = 65536;

}  // namespace

void save_png(const Image& image, const std::filesystem::path& path) {
  if (image.width < 1 || image.height < 1 || image.width > largest_side || image.height > largest_side)
    throw InputError(path.string(), "a picture must have 1 to 65536 pixels a side");
  AtomicFile file(path);
  PngImage png;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  static_assert(sizeof(Rgb) == 3);
  if (!png_image_write_to_file(&png, file.path().c_str(), 0, image.pixels.data(), 0, nullptr))
    throw Failure(path.string(), png.message);
  file.commit();
}

Image load_png(const std::filesystem::path& path) {
  PngImage png;
  if (!png_image_begin_read_from_file(&png, path.c_str())) throw InputError(path.string(), png.message);
  if (png.width > largest_side || png.height > largest_side)
    throw InputError(path.string(), "a picture must have 1 to 65536 pixels a side");
  png.format = PNG_FORMAT_RGB;
  Image image(png.width, png.height);
  const png_color background{0, 0, 0};
  if (!png_image_finish_read(&png, &background, image.pixels.data(), 0, nullptr))
    throw InputError(path.string(), png.message);
  return image;
}

}  // namespace backlit
