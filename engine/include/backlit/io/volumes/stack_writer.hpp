// Writes images one after another, for save_volume() and for streams of projections.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <backlit/geometry/types.hpp>
#include <backlit/io/output_file.hpp>

namespace backlit {

/// A file of images under a temporary name. commit() gives it its final name; without commit() no file remains. The
/// writer keeps no images in memory.
class StackWriter {
 public:
  virtual ~StackWriter() = default;
  StackWriter(const StackWriter&) = delete;
  StackWriter& operator=(const StackWriter&) = delete;

  /// Appends one or more whole images of columns x rows values. Throws Failure when the file cannot be written.
  void write(std::span<const float> images);

  /// Images as f32, little-endian, one after another: where the first begins.
  struct Place {
    std::filesystem::path file;  ///< under its temporary name
    std::int64_t offset;         ///< bytes
  };
  /// Where other processes may write images themselves, which then exists; null where the format packs them.
  virtual std::optional<Place> place() { return std::nullopt; }
  /// Other processes have written the next `count` images into place().
  void leave_out(std::int64_t count);

  /// Gives the file its final name. Throws Failure when images are missing, or with the system's reason.
  void commit();

 protected:
  /// `size`: columns, rows, images.
  StackWriter(std::string where, const Size3& size) : where_(std::move(where)), size_(size) {}
  const std::string& where() const { return where_; }
  const Size3& size() const { return size_; }

 private:
  virtual void put(std::int64_t first, std::int64_t count, std::span<const float> images) = 0;
  virtual void finish() = 0;

  std::string where_;
  Size3 size_;
  std::int64_t written_ = 0;
};

/// Writes f32 values, little-endian, after a header.
class RawWriter : public StackWriter {
 public:
  RawWriter(const std::filesystem::path&, const Size3&, std::string_view header);
  std::optional<Place> place() override;

 protected:
  OutputFile& file() { return file_; }

 private:
  void put(std::int64_t first, std::int64_t count, std::span<const float> images) override;
  void finish() override { file_.commit(); }

  OutputFile file_;
  std::int64_t header_bytes_;
};

}  // namespace backlit
