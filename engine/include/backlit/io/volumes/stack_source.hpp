// Projections that stay on disk until they are asked for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <backlit/data/projections.hpp>
#include <backlit/data/reads_rows.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include <backlit/io/volumes/stack_reader.hpp>

namespace backlit {

/// Views of a stack of images, or the rows of one image (a sinogram, kept in memory once read).
class StackSource final : public ProjectionSource, public ReadsRows {
 public:
  /// `spec` names the stack in errors; values are multiplied by `scale`. The caller has checked that scan and stack
  /// agree in size.
  StackSource(std::unique_ptr<StackReader> reader, std::string spec, Scan scan, bool sinogram, double scale = 1)
      : reader_(std::move(reader)),
        spec_(std::move(spec)),
        scan_(std::move(scan)),
        sinogram_(sinogram),
        scale_(scale) {}

  const Scan& scan() const override { return scan_; }
  /// Throws InputError naming file, view and pixel for a value that is not finite.
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override;
  void look_at_rows(const IndexRange& rows) override;
  /// Of stacks of views as they are, not scaled.
  bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) override;

 private:
  void clear_other_rows(std::int64_t views, std::span<float> out) const;
  void require(std::int64_t first, std::int64_t count, std::size_t room) const;

  std::unique_ptr<StackReader> reader_;
  std::string spec_;
  Scan scan_;
  bool sinogram_;
  double scale_;
  std::optional<IndexRange> rows_;  ///< that are looked at; all when nothing was said
  std::vector<float> image_;        ///< the sinogram, once read
};

}  // namespace backlit
