#include <backlit/render/animated_png.hpp>

#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <string_view>

#include <backlit/core/error.hpp>
#include <backlit/render/png.hpp>

namespace backlit {
namespace {

constexpr std::string_view signature("\x89PNG\r\n\x1a\n", 8);

std::string big_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i));
  return text;
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t n = 0;
  for (std::size_t i = 0; i < 4; ++i) n = n << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return n;
}

/// The data of all chunks of a type, joined. libpng wrote `png`, so that its lengths can be trusted.
std::string chunks(std::string_view png, std::string_view type) {
  std::string data;
  for (std::size_t at = signature.size(); at + 12 <= png.size();) {
    const std::size_t length = number_at(png, at);
    if (png.substr(at + 4, 4) == type) data += png.substr(at + 8, length);
    at += 12 + length;
  }
  return data;
}

}  // namespace

AnimatedPng::AnimatedPng(const std::filesystem::path& path, std::int64_t frames, double frames_per_second)
    : where_(path.string()),
      file_(path),
      out_(file_.path(), std::ios::binary),
      frames_(frames),
      frames_per_second_(frames_per_second) {
  if (frames < 1 || frames > 100000) throw InputError(where_, fmt::format("{} frames", frames), "give 1 to 100000");
  if (!(frames_per_second >= 0.1 && frames_per_second <= 1000))
    throw InputError(where_, fmt::format("{} frames a second", frames_per_second), "give 0.1 to 1000");
  if (!out_) throw InputError(where_, "cannot be written there", "choose another place");
}

void AnimatedPng::write_chunk(const char* type, const std::string& data) {
  const std::string body = type + data;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  out_ << big_endian(data.size(), 4) << body << big_endian(sum, 4);
}

std::string AnimatedPng::frame_control() {
  const auto delay = static_cast<std::uint64_t>(std::llround(6000 / frames_per_second_));  // in 1/6000 s
  return big_endian(sequence_++, 4) + big_endian(static_cast<std::uint64_t>(width_), 4) +
         big_endian(static_cast<std::uint64_t>(height_), 4) + big_endian(0, 8) + big_endian(delay, 2) +
         big_endian(6000, 2) + big_endian(0, 2);
}

void AnimatedPng::add(const Image& image) {
  if (added_ > 0 && (image.width != width_ || image.height != height_))
    throw InputError(where_,
                     fmt::format("frame {} has {} x {} pixels, the first {} x {}", added_, image.width, image.height,
                                 width_, height_),
                     "all frames must have one size");
  if (added_ == frames_) throw Failure(where_, fmt::format("more than the {} frames that were promised", frames_));
  const std::string png = encode_png(image, where_);
  if (added_ == 0) {
    width_ = image.width;
    height_ = image.height;
    out_ << signature;
    write_chunk("IHDR", chunks(png, "IHDR"));
    write_chunk("acTL", big_endian(static_cast<std::uint64_t>(frames_), 4) + big_endian(0, 4));
  }
  write_chunk("fcTL", frame_control());
  const std::string data = chunks(png, "IDAT");
  if (added_ == 0)
    write_chunk("IDAT", data);
  else
    write_chunk("fdAT", big_endian(sequence_++, 4) + data);
  ++added_;
}

void AnimatedPng::commit() {
  if (added_ != frames_) throw Failure(where_, fmt::format("{} of {} frames were made", added_, frames_));
  write_chunk("IEND", "");
  out_.close();
  if (!out_) throw Failure(where_, "could not be written", "is the disk full?");
  file_.commit();
}

}  // namespace backlit
