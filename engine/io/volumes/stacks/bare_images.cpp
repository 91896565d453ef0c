#include "io/volumes/stacks/bare_images.hpp"

#include <fmt/format.h>

#include <cstring>

#include <backlit/core/error.hpp>
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit {
namespace {

class BareImages final : public StackReader {
 public:
  BareImages(std::vector<std::filesystem::path> files, std::int64_t columns, std::int64_t rows,
             const BareImageFormat& format)
      : files_(std::move(files)), format_(format) {
    info_.columns = columns;
    info_.rows = rows;
    info_.images = static_cast<std::int64_t>(files_.size());
    const SampleType type = format.samples.type;
    info_.type = sample_name(type);
    info_.format = "raw";
    const auto bytes =
        static_cast<std::uintmax_t>(format.header_bytes + packed_bytes({columns, rows, 1}, type, files_[0].string()));
    std::error_code error;
    for (const auto& file : files_)
      if (const auto size = std::filesystem::file_size(file, error); error || size != bytes)
        throw InputError(file.string(),
                         fmt::format("is not {} bytes long, as {} x {} pixels of {} bits are", bytes, columns, rows,
                                     8 * sample_bytes(type)),
                         "is it an image of this scan, and complete?");
  }
  const StackInfo& info() const override { return info_; }

  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    check_read(info_, first, count, out.size(), files_[0].string());
    const auto pixels = static_cast<std::size_t>(info_.pixels());
    for (std::int64_t i = 0; i < count; ++i)
      convert_samples(bytes_of(first + i), format_.samples, out.subspan(static_cast<std::size_t>(i) * pixels, pixels));
  }
  bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) override {
    if (format_.samples.type != SampleType::u16 || format_.samples.big_endian) return false;
    if (count > 0) check_read(info_, first, count, out.size(), files_[0].string());
    const auto pixels = static_cast<std::size_t>(info_.pixels());
    for (std::int64_t i = 0; i < count; ++i)
      std::memcpy(out.data() + static_cast<std::size_t>(i) * pixels, bytes_of(first + i).data(), 2 * pixels);
    return true;
  }

 private:
  std::span<const std::byte> bytes_of(std::int64_t image) {
    buffer_.resize(static_cast<std::size_t>(sample_bytes(format_.samples.type) * info_.pixels()));
    open_bytes(files_[static_cast<std::size_t>(image)])->read(format_.header_bytes, buffer_);
    return buffer_;
  }

  std::vector<std::filesystem::path> files_;
  BareImageFormat format_;
  StackInfo info_;
  std::vector<std::byte> buffer_;
};

}  // namespace

std::unique_ptr<StackReader> open_bare_images(std::vector<std::filesystem::path> files, std::int64_t columns,
                                              std::int64_t rows, const BareImageFormat& format) {
  if (files.empty()) throw InputError("images", "there is none");
  return std::make_unique<BareImages>(std::move(files), columns, rows, format);
}

}  // namespace backlit
