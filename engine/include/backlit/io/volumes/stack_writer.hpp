// Writes images one after another, for save_volume() and for streams of projections.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <backlit/geometry/types.hpp>
#include <backlit/io/output_file.hpp>

namespace backlit {

/// A file of images under a temporary name, which commit() puts in place; without it nothing is left. Holds no more
/// than it is given at a time.
class StackWriter {
 public:
  virtual ~StackWriter() = default;
  StackWriter(const StackWriter&) = delete;
  StackWriter& operator=(const StackWriter&) = delete;

  /// The next images, columns x rows values each, whole ones. Throws Failure when the disk does not take them.
  void write(std::span<const float> images);
  /// Puts the file in place. Throws Failure when images are missing, or with the system's reason.
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

/// Bare little-endian values after a header.
class RawWriter : public StackWriter {
 public:
  RawWriter(const std::filesystem::path&, const Size3&, std::string_view header);

 protected:
  OutputFile& file() { return file_; }

 private:
  void put(std::int64_t first, std::int64_t count, std::span<const float> images) override;
  void finish() override { file_.commit(); }

  OutputFile file_;
};

}  // namespace backlit
