#include "io/volumes/stacks/raw_stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/data/host_memory.hpp>
#include <backlit/data/reads_rows.hpp>

namespace backlit {
namespace {

class RawStack final : public StackReader, public ReadsRows {
 public:
  RawStack(std::unique_ptr<ByteSource> source, RawLayout layout, std::string where)
      : source_(std::move(source)), layout_(std::move(layout)), where_(std::move(where)), rows_{0, layout_.info.rows} {}

  const StackInfo& info() const override { return layout_.info; }

  void look_at_rows(const IndexRange& rows) override {
    rows_ = layout_.reversed[1] ? IndexRange{0, info().rows} : rows;
  }

  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    check_read(info(), first, count, out.size(), where_);
    const auto pixels = static_cast<std::size_t>(info().pixels());
    for (std::int64_t i = 0; i < count; ++i) {
      const auto image = out.subspan(static_cast<std::size_t>(i) * pixels, pixels);
      read_image(layout_.reversed[2] ? info().images - 1 - first - i : first + i, image);
      if (layout_.reversed[0] || layout_.reversed[1]) turn_round(image);
    }
  }

  bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) override {
    const SampleFormat& s = layout_.samples;
    if (s.slope != 1 || s.intercept != 0) return false;
    const bool as_they_are = s.type == SampleType::u16 && !s.big_endian && layout_.reversed == std::array<bool, 3>{};
    if (!as_they_are) return StackReader::read_counts(first, count, out);
    check_read(info(), first, count, out.size(), where_);
    const auto pixels = static_cast<std::size_t>(info().pixels());
    for (std::int64_t i = 0; i < count; ++i) {
      const auto image = out.subspan(static_cast<std::size_t>(i) * pixels, pixels);
      source_->read(place_of(first + i), std::as_writable_bytes(looked_at(image)));
    }
    return true;
  }

  HostArray<float> read_all(const Watch& watch) override {
    const bool as_it_is = layout_.samples.is_native_float() && layout_.gap == 0 && layout_.offset % 4 == 0 &&
                          layout_.reversed == std::array<bool, 3>{};
    const std::int64_t bytes = 4 * info().pixels() * info().images;
    if (as_it_is && bytes > memory_left())
      if (auto memory = source_->map())
        return {reinterpret_cast<float*>(static_cast<std::byte*>(memory.get()) + layout_.offset),
                info().pixels() * info().images, memory};
    return StackReader::read_all(watch);
  }

 private:
  void read_image(std::int64_t index, std::span<float> image) {
    const std::int64_t at = place_of(index);
    const std::span<float> out = looked_at(image);
    if (layout_.samples.is_native_float()) return source_->read(at, std::as_writable_bytes(out));
    stored_.resize(out.size() * static_cast<std::size_t>(sample_bytes(layout_.samples.type)));
    source_->read(at, stored_);
    convert_samples(stored_, layout_.samples, out);
  }

  /// Of the first row that is looked at, in the file.
  std::int64_t place_of(std::int64_t index) const {
    const std::int64_t bytes = sample_bytes(layout_.samples.type);
    return layout_.offset + index * (info().pixels() * bytes + layout_.gap) + rows_.first * info().columns * bytes;
  }
  template <class T>
  std::span<T> looked_at(std::span<T> image) const {
    return image.subspan(static_cast<std::size_t>(rows_.first * info().columns),
                         static_cast<std::size_t>(rows_.count * info().columns));
  }

  void turn_round(std::span<float> image) const {
    const std::int64_t columns = info().columns, rows = info().rows;
    if (layout_.reversed[0])
      for (std::int64_t r = 0; r < rows; ++r)
        std::reverse(image.begin() + r * columns, image.begin() + (r + 1) * columns);
    if (layout_.reversed[1])
      for (std::int64_t r = 0; r < rows / 2; ++r)
        std::swap_ranges(image.begin() + r * columns, image.begin() + (r + 1) * columns,
                         image.begin() + (rows - 1 - r) * columns);
  }

  std::unique_ptr<ByteSource> source_;
  RawLayout layout_;
  std::string where_;
  IndexRange rows_;  ///< that are looked at
  std::vector<std::byte> stored_;
};

}  // namespace

HostArray<float> StackReader::read_all(const Watch& watch) {
  HostArray<float> all(info().pixels() * info().images);
  in_batches(watch, "read", info().images, info().pixels(), "images", [&](std::int64_t first, std::int64_t count) {
    read(first, count, all.span().subspan(static_cast<std::size_t>(first * info().pixels())));
  });
  return all;
}

bool StackReader::read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) {
  if (info().type != "u8" && info().type != "u16") return false;
  check_read(info(), first, count, out.size(), info().format);
  std::vector<float> image(count > 0 ? static_cast<std::size_t>(info().pixels()) : 0);
  for (std::int64_t i = 0; i < count; ++i) {
    read(first + i, 1, image);
    std::transform(image.begin(), image.end(), out.begin() + i * info().pixels(),
                   [](float value) { return static_cast<std::uint16_t>(value); });
  }
  return true;
}

std::int64_t packed_bytes(const StackInfo& info, SampleType type, const std::string& where) {
  constexpr std::int64_t longest = std::int64_t{1} << 31;
  std::int64_t bytes = sample_bytes(type);
  for (const std::int64_t n : {info.columns, info.rows, info.images})
    if (n < 1 || n > longest || __builtin_mul_overflow(bytes, n, &bytes))
      throw InputError(where, fmt::format("its size is {} x {} x {}", info.columns, info.rows, info.images),
                       "the header is damaged: sizes are 1 or more");
  return bytes;
}

void require_bytes(const ByteSource& source, const RawLayout& layout, const std::string& where) {
  const StackInfo& info = layout.info;
  std::int64_t needed = packed_bytes(info, layout.samples.type, where), gaps = 0;
  const bool too_large = __builtin_mul_overflow(layout.gap, info.images - 1, &gaps) ||
                         __builtin_add_overflow(needed, gaps, &needed) ||
                         __builtin_add_overflow(needed, layout.offset, &needed);
  if (too_large || layout.offset < 0 || needed > source.size())
    throw InputError(
        where,
        fmt::format("holds {} bytes where its header asks for {} x {} x {} of {} from byte {}", source.size(),
                    info.columns, info.rows, info.images, sample_name(layout.samples.type), layout.offset),
        "the file is cut off or its header is damaged");
}

std::unique_ptr<StackReader> make_raw_stack(std::unique_ptr<ByteSource> source, RawLayout layout,
                                            const std::string& where) {
  require_bytes(*source, layout, where);
  layout.info.type = sample_name(layout.samples.type);
  return std::make_unique<RawStack>(std::move(source), std::move(layout), where);
}

void check_read(const StackInfo& info, std::int64_t first, std::int64_t count, std::size_t room,
                const std::string& where) {
  if (first < 0 || count < 0 || first > info.images || count > info.images - first)
    throw InputError(where, fmt::format("images {} to {} were asked for of {}", first, first + count - 1, info.images));
  if (static_cast<std::int64_t>(room) < count * info.pixels())
    throw InputError(where, fmt::format("no room for {} images of {} x {}", count, info.columns, info.rows));
}

}  // namespace backlit
