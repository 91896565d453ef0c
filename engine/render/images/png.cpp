#include <backlit/render/png.hpp>

#include <png.h>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>

namespace backlit {
namespace {

/// An image of libpng's simplified interface; the destructor frees it.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(this); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

constexpr std::int64_t largest_side = 65536;

}  // namespace

std::string encode_png(const Image& image, const std::string& where) {
  if (image.width < 1 || image.height < 1 || image.width > largest_side || image.height > largest_side)
    throw InputError(where, "a picture must have 1 to 65536 pixels a side");
  PngImage png;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  static_assert(sizeof(Rgb) == 3);
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(png), '\0');
  png_alloc_size_t size = bytes.size();
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr))
    throw Failure(where, png.message);
  bytes.resize(size);
  return bytes;
}

void save_png(const Image& image, const std::filesystem::path& path) {
  write_text(path, encode_png(image, path.string()));
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
