#include "serve/encode.hpp"

#include <png.h>
#include <turbojpeg.h>

#include <backlit/core/error.hpp>

namespace backlit::viewer::serve {
namespace {

/// First pixel of the area's first row in memory, which is its lowest row.
const std::uint32_t* lowest_row(const Picture& picture, const Area& area) {
  return picture.pixels.data() + (picture.height - area.bottom) * picture.width + area.left;
}

[[noreturn]] void fail(const char* problem) {
  throw Failure("frame for the browser", problem, "free memory, or make the browser's window smaller");
}

}  // namespace

void JpegEncoder::Free::operator()(void* handle) const { tjDestroy(handle); }

JpegEncoder::JpegEncoder() : handle_(tjInitCompress()) {
  if (!handle_) fail(tjGetErrorStr2(nullptr));
}

void JpegEncoder::encode(const Picture& picture, const Area& area, int quality, Bytes& out) {
  const int width = static_cast<int>(area.width()), height = static_cast<int>(area.height());
  out.resize(tjBufSize(width, height, TJSAMP_420));
  unsigned char* to = out.data();
  unsigned long bytes = out.size();
  const auto* pixels = reinterpret_cast<const unsigned char*>(lowest_row(picture, area));
  if (tjCompress2(handle_.get(), pixels, width, static_cast<int>(4 * picture.width), height, TJPF_RGBX, &to, &bytes,
                  TJSAMP_420, quality, TJFLAG_NOREALLOC | TJFLAG_BOTTOMUP | TJFLAG_FASTDCT) != 0)
    fail(tjGetErrorStr2(handle_.get()));
  out.resize(bytes);
}

void encode_lossless(const Picture& picture, const Area& area, Bytes& out) {
  // libpng's simple interface takes RGBA. Transparent pixels would blend with the page, so make it RGB.
  std::vector<unsigned char> rgb;
  rgb.reserve(static_cast<std::size_t>(3 * area.width() * area.height()));
  for (std::int64_t row = area.height() - 1; row >= 0; --row) {
    const std::uint32_t* p = lowest_row(picture, area) + row * picture.width;
    for (std::int64_t x = 0; x < area.width(); ++x)
      for (const int shift : {0, 8, 16}) rgb.push_back(static_cast<unsigned char>(p[x] >> shift));
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(area.width());
  image.height = static_cast<png_uint_32>(area.height());
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;
  out.resize(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t bytes = out.size();
  if (!png_image_write_to_memory(&image, out.data(), &bytes, 0, rgb.data(), 0, nullptr)) fail(image.message);
  out.resize(bytes);
}

}  // namespace backlit::viewer::serve
