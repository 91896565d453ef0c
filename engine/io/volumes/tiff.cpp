// TIFF, classic and BigTIFF, one image a page: 8 to 64-bit integers and floats, one channel, any compression that
// libtiff reads.
#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <optional>
#include <vector>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/data/reads_rows.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/scaled_tiff.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/header_fields.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// Keeps libtiff's messages off the terminal, and keeps the first one for our errors.
int note_error(TIFF*, void* user, const char*, const char* format, va_list arguments) {
  auto& message = *static_cast<std::string*>(user);
  if (!message.empty()) return 1;
  char text[256];
  std::vsnprintf(text, sizeof text, format, arguments);
  message = text;
  return 1;
}
int ignore_warning(TIFF*, void*, const char*, const char*, va_list) { return 1; }

using TiffHandle = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

TiffHandle open_handle(const fs::path& path, const char* mode, std::string& message, std::int64_t largest_allocation) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 &TIFFOpenOptionsFree);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), note_error, &message);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignore_warning, nullptr);
  if (largest_allocation > 0) TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), largest_allocation);
  return {TIFFOpenExt(path.c_str(), mode, options.get()), &TIFFClose};
}

struct Page {
  std::uint32_t columns = 0, rows = 0;
  SampleType type = SampleType::u8;
  bool operator==(const Page&) const = default;
};

SampleType parse_type(int bits, int format, const std::string& where) {
  const bool real = format == SAMPLEFORMAT_IEEEFP, negative = format == SAMPLEFORMAT_INT;
  if (real && bits == 16) return SampleType::f16;
  if (real && bits == 32) return SampleType::f32;
  if (real && bits == 64) return SampleType::f64;
  if (!real && format <= SAMPLEFORMAT_VOID) {
    if (bits == 8) return negative ? SampleType::i8 : SampleType::u8;
    if (bits == 16) return negative ? SampleType::i16 : SampleType::u16;
    if (bits == 32) return negative ? SampleType::i32 : SampleType::u32;
    if (bits == 64) return negative ? SampleType::i64 : SampleType::u64;
  }
  throw InputError(where, fmt::format("its pixels have {} bits of sample format {}", bits, format),
                   "8, 16, 32 or 64-bit integers and floats can be read");
}

Page read_page(TIFF* tiff, const std::string& where) {
  Page page;
  std::uint16_t bits = 1, format = SAMPLEFORMAT_UINT, channels = 1, photometric = PHOTOMETRIC_MINISBLACK;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page.columns);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page.rows);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &channels);
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  if (channels != 1 || photometric > PHOTOMETRIC_MINISBLACK)
    throw InputError(where, fmt::format("has {} channels of photometric interpretation {}", channels, photometric),
                     "grey images can be read: convert it");
  // The file does not show whether its values are inverted or only the display is.
  if (photometric == PHOTOMETRIC_MINISWHITE)
    throw InputError(where, "calls its smallest value white (photometric interpretation MINISWHITE)",
                     "convert it to MINISBLACK, so that larger values mean what they say");
  page.type = parse_type(bits, format, where);
  return page;
}

class TiffStack final : public StackReader, public ReadsRows {
 public:
  explicit TiffStack(const fs::path& path) : where_(path.string()), file_(nullptr, &TIFFClose) {
    file_bytes_ = static_cast<std::int64_t>(fs::file_size(path));
    // No table or strip of an undamaged file is larger than the largest size to which the file can inflate.
    file_ = open_handle(path, "r", message_, std::max<std::int64_t>(1 << 20, file_bytes_ * expansion));
    if (!file_) fail(where_, "cannot be opened");
    find_pages();
  }
  const StackInfo& info() const override { return info_; }
  void look_at_rows(const IndexRange& rows) override { rows_ = rows; }

  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    check_read(info_, first, count, out.size(), where_);
    const auto pixels = static_cast<std::size_t>(info_.pixels());
    for (std::int64_t i = 0; i < count; ++i)
      read_image(first + i, out.subspan(static_cast<std::size_t>(i) * pixels, pixels));
  }

 private:
  static constexpr std::int64_t expansion = 2048;  // bytes that deflate or LZW can make of one byte at most, rounded up

  [[noreturn]] void fail(const std::string& where, const char* what) const {
    throw InputError(where, message_.empty() ? std::string(what) : fmt::format("{}: {}", what, message_),
                     "the file is damaged or not a TIFF image");
  }
  std::string page_name(std::int64_t page) const { return fmt::format("{}: page {}", where_, page); }

  void find_pages() {
    Page page;
    do {
      const std::string name = page_name(static_cast<std::int64_t>(offsets_.size()));
      const Page next = read_page(file_.get(), name);
      if (!offsets_.empty() && !(next == page))
        throw InputError(name,
                         fmt::format("is {} x {} of {} where page 0 is {} x {} of {}", next.columns, next.rows,
                                     sample_name(next.type), page.columns, page.rows, sample_name(page.type)),
                         "all pages must be alike");
      page = next;
      offsets_.push_back(TIFFCurrentDirOffset(file_.get()));
    } while (TIFFReadDirectory(file_.get()));
    if (!message_.empty()) fail(page_name(static_cast<std::int64_t>(offsets_.size())), "cannot be read");
    info_ = {page.columns, page.rows, static_cast<std::int64_t>(offsets_.size()), sample_name(page.type), "tiff"};
    samples_.type = page.type;
    rows_ = {0, info_.rows};
    packed_bytes(info_, page.type, where_);
    const std::int64_t image = info_.pixels() * sample_bytes(page.type);
    if (image / expansion > file_bytes_)
      throw InputError(where_, fmt::format("{} bytes cannot hold {} x {} pixels", file_bytes_, page.columns, page.rows),
                       "the file is cut off or its header is damaged");
  }

  void read_image(std::int64_t index, std::span<float> out) {
    message_.clear();
    const std::string name = page_name(index);
    TIFF* tiff = file_.get();
    if (!TIFFSetSubDirectory(tiff, offsets_[static_cast<std::size_t>(index)])) fail(name, "cannot be found");
    if (TIFFIsTiled(tiff))
      read_tiles(out, name);
    else
      read_strips(out, name);
  }

  void read_strips(std::span<float> out, const std::string& name) {
    TIFF* tiff = file_.get();
    std::uint32_t rows_per_strip = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows_per_strip);
    const std::int64_t per_strip = std::min<std::int64_t>(rows_per_strip, info_.rows);
    if (per_strip < 1) fail(name, "has strips without rows");
    for (std::int64_t row = 0, strip = 0; row < info_.rows; row += per_strip, ++strip) {
      if (row + per_strip <= rows_.first || row >= rows_.end()) continue;
      const std::int64_t pixels = std::min(per_strip, info_.rows - row) * info_.columns;
      buffer_.resize(static_cast<std::size_t>(pixels * sample_bytes(samples_.type)));
      const auto wanted = static_cast<tmsize_t>(buffer_.size());
      if (TIFFReadEncodedStrip(tiff, static_cast<std::uint32_t>(strip), buffer_.data(), wanted) != wanted)
        fail(name, "cannot be decoded");
      convert_samples(buffer_, samples_,
                      out.subspan(static_cast<std::size_t>(row * info_.columns), static_cast<std::size_t>(pixels)));
    }
  }

  void read_tiles(std::span<float> out, const std::string& name) {
    TIFF* tiff = file_.get();
    std::uint32_t width = 0, height = 0;
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &height);
    const std::int64_t bytes = sample_bytes(samples_.type);
    const auto tile_bytes = static_cast<std::int64_t>(TIFFTileSize64(tiff));
    if (width < 1 || height < 1 || tile_bytes / bytes / width != height || tile_bytes / expansion > file_bytes_)
      fail(name, "has impossible tiles");
    buffer_.resize(static_cast<std::size_t>(tile_bytes));
    for (std::int64_t y = 0; y < info_.rows; y += height) {
      if (y + height <= rows_.first || y >= rows_.end()) continue;
      for (std::int64_t x = 0; x < info_.columns; x += width) {
        const auto tile = TIFFComputeTile(tiff, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0, 0);
        if (TIFFReadEncodedTile(tiff, tile, buffer_.data(), tile_bytes) != tile_bytes) fail(name, "cannot be decoded");
        const auto across = static_cast<std::size_t>(std::min<std::int64_t>(width, info_.columns - x));
        for (std::int64_t row = 0; row < std::min<std::int64_t>(height, info_.rows - y); ++row)
          convert_samples(std::span<const std::byte>(buffer_).subspan(static_cast<std::size_t>(row * width * bytes)),
                          samples_, out.subspan(static_cast<std::size_t>((y + row) * info_.columns + x), across));
      }
    }
  }

  std::string where_;
  std::string message_;
  std::int64_t file_bytes_ = 0;
  TiffHandle file_;
  StackInfo info_;
  SampleFormat samples_;
  IndexRange rows_;                     ///< that are looked at
  std::vector<std::uint64_t> offsets_;  ///< of the pages' directories
  std::vector<std::byte> buffer_;
};

/// Writes one page for each image.
class TiffWriter final : public StackWriter {
 public:
  TiffWriter(const fs::path& path, const VolumeGrid& grid, const std::optional<CountRange>& range = {})
      : StackWriter(path.string(), grid.size),
        range_(range),
        spacing_(grid.spacing),
        file_(path),
        tiff_(open_handle(file_.path(), mode(grid.size), message_, 0)) {
    if (!tiff_) fail();
  }

 private:
  static const char* mode(const Size3& size) {
    const std::int64_t bytes = size[2] * (size[0] * size[1] * static_cast<std::int64_t>(sizeof(float)) + 512);
    return bytes > 4'000'000'000 ? "w8" : "w";
  }

  void put(std::int64_t, std::int64_t count, std::span<const float> images) override {
    const auto pixels = static_cast<std::size_t>(size()[0] * size()[1]);
    for (std::size_t page = 0; page < static_cast<std::size_t>(count); ++page)
      put_page(images.subspan(page * pixels, pixels));
  }

  void put_page(std::span<const float> image) {
    TIFF* tiff = tiff_.get();
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(size()[0]));
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(size()[1]));
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, range_ ? 16 : 32);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, range_ ? SAMPLEFORMAT_UINT : SAMPLEFORMAT_IEEEFP);
    if (range_) state_scale();
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(size()[1]));
    const auto write = [&](auto& page) {
      const auto bytes = static_cast<tmsize_t>(page.size() * sizeof page[0]);
      if (TIFFWriteEncodedStrip(tiff, 0, page.data(), bytes) < 0 || !TIFFWriteDirectory(tiff)) fail();
    };
    if (range_) {
      counts_.resize(image.size());
      std::ranges::transform(image, counts_.begin(), [&](float v) {
        const double count = std::round((static_cast<double>(v) - range_->low) / range_->step());
        return static_cast<std::uint16_t>(std::isnan(count) ? 0 : std::clamp(count, 0.0, 65535.0));
      });
      write(counts_);
    } else {
      page_.assign(image.begin(), image.end());
      write(page_);
    }
  }

  /// Writes the scale in ImageJ's syntax: a straight line (cf = 0) is c0 + c1 counts.
  void state_scale() {
    TIFF* tiff = tiff_.get();
    TIFFSetField(tiff, TIFFTAG_XRESOLUTION, static_cast<float>(1 / spacing_.x));
    TIFFSetField(tiff, TIFFTAG_YRESOLUTION, static_cast<float>(1 / spacing_.y));
    TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE);
    const std::string text =
        fmt::format("ImageJ=1.53\nunit=mm\nspacing={:.9g}\ncf=0\nc0={:.9g}\nc1={:.9g}\nvunit=1/mm\n", spacing_.z,
                    range_->low, range_->step());
    if (!stated_) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, text.c_str());
    stated_ = true;
  }

  void finish() override {
    if (!TIFFFlush(tiff_.get())) fail();
    tiff_.reset();
    if (!message_.empty()) fail();
    file_.commit();
  }

  [[noreturn]] void fail() const {
    throw Failure(where(), fmt::format("could not be written: {}", message_.empty() ? "unknown reason" : message_),
                  "make room on the disk or choose another place");
  }

  std::optional<CountRange> range_;  ///< 16-bit counts in place of floats
  Vec3 spacing_;
  bool stated_ = false;
  AtomicFile file_;
  std::string message_;
  TiffHandle tiff_;
  std::vector<float> page_;  ///< libtiff needs memory to which it may write
  std::vector<std::uint16_t> counts_;
};

std::unique_ptr<StackReader> open_tiff(const fs::path& path) {
  if (!fs::is_regular_file(path)) throw InputError(path.string(), "is not a file", "name a file");
  return std::make_unique<TiffStack>(path);
}

constexpr KnownField tiff_fields[] = {
    {"ImageWidth", "columns", "px"}, {"ImageLength", "rows", "px"}, {"BitsPerSample", "bits a pixel"}};

/// The first page. Many programs write a resolution for printers: it is shown and not used.
void describe_tiff(const fs::path& path, FileInfo& info) {
  std::string message;
  const auto most = std::max<std::int64_t>(1 << 20, static_cast<std::int64_t>(fs::file_size(path)));
  const TiffHandle tiff = open_handle(path, "r", message, most);
  if (!tiff) return;
  const Page page = read_page(tiff.get(), path.string());
  HeaderFields fields(path.string());
  fields.add("ImageWidth", std::to_string(page.columns));
  fields.add("ImageLength", std::to_string(page.rows));
  fields.add("BitsPerSample", std::to_string(8 * sample_bytes(page.type)));
  fields.note_known(tiff_fields);
  float across = 0, down = 0;
  if (TIFFGetField(tiff.get(), TIFFTAG_XRESOLUTION, &across) && TIFFGetField(tiff.get(), TIFFTAG_YRESOLUTION, &down)) {
    std::uint16_t unit = RESUNIT_NONE;
    TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_RESOLUTIONUNIT, &unit);
    const char* length = unit == RESUNIT_CENTIMETER ? " per cm" : unit == RESUNIT_INCH ? " per inch" : ", no unit";
    fields.add("resolution",
               fmt::format("{:g} x {:g} pixels{}; the size of pixels comes from a scan file", across, down, length));
  }
  for (const auto& [tag, name] : {std::pair<std::uint32_t, const char*>{TIFFTAG_IMAGEDESCRIPTION, "ImageDescription"},
                                  {TIFFTAG_MAKE, "Make"},
                                  {TIFFTAG_MODEL, "Model"},
                                  {TIFFTAG_SOFTWARE, "Software"},
                                  {TIFFTAG_DATETIME, "DateTime"}}) {
    const char* text = nullptr;
    if (TIFFGetField(tiff.get(), tag, &text) && text && *text) fields.add(name, text);
  }
  fields.add_to(info);
}

bool is_tiff(const std::string& front) {
  using namespace std::string_view_literals;
  return std::ranges::any_of(std::array{"II*\0"sv, "II+\0"sv, "MM\0*"sv, "MM\0+"sv},
                             [&](std::string_view magic) { return front.starts_with(magic); });
}

}  // namespace

VolumeFormat tiff_format() {
  VolumeFormat f;
  f.name = "tiff";
  f.title = "TIFF";
  f.extensions = f.saved_as = {".tif", ".tiff"};
  f.recognizes = [](const FileFront& front) { return is_tiff(front.bytes); };
  f.open = [](const fs::path& path, const std::string&) { return open_tiff(path); };
  f.create = [](const fs::path& path, const VolumeGrid& grid) { return std::make_unique<TiffWriter>(path, grid); };
  f.describe = describe_tiff;
  f.holds_projections = true;
  f.notes = "one image a page, classic or BigTIFF; its resolution is not used";
  return f;
}

}  // namespace backlit::formats

namespace backlit {

std::unique_ptr<StackWriter> create_scaled_tiff(const std::filesystem::path& path, const VolumeGrid& grid,
                                                const CountRange& range) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high) || !(range.step() > 0))
    throw InputError("range", fmt::format("{} to {} holds no values", range.low, range.high),
                     "give the lower value first, both finite");
  return std::make_unique<formats::TiffWriter>(path, grid, range);
}

}  // namespace backlit
