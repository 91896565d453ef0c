// Projections: all in memory, or read view by view from a source.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <backlit/core/progress.hpp>
#include <backlit/data/count_scale.hpp>
#include <backlit/data/host_array.hpp>
#include <backlit/geometry/view.hpp>

namespace backlit {

/// Values [view][row][column], column fastest; dimensionless line integrals.
struct Projections {
  Scan scan;
  HostArray<float> values;

  Projections() = default;
  /// All zero.
  explicit Projections(Scan s) : scan(std::move(s)), values(scan.view_count() * scan.detector.pixels()) {}
  Projections(Scan s, HostArray<float> v) : scan(std::move(s)), values(std::move(v)) {}

  float& at(std::int64_t view, std::int64_t row, std::int64_t column) {
    return values[(view * scan.detector.rows + row) * scan.detector.columns + column];
  }
  float at(std::int64_t view, std::int64_t row, std::int64_t column) const {
    return values[(view * scan.detector.rows + row) * scan.detector.columns + column];
  }
  std::span<float> view(std::int64_t index) {
    return values.span().subspan(static_cast<std::size_t>(index * scan.detector.pixels()),
                                 static_cast<std::size_t>(scan.detector.pixels()));
  }
  std::span<const float> view(std::int64_t index) const {
    return values.span().subspan(static_cast<std::size_t>(index * scan.detector.pixels()),
                                 static_cast<std::size_t>(scan.detector.pixels()));
  }
};

/// A source of views. Reconstruction reads views in batches, so a stack may be larger than memory. Corrections wrap a
/// source and are sources themselves (see preprocess/).
class ProjectionSource {
 public:
  virtual ~ProjectionSource() = default;

  virtual const Scan& scan() const = 0;
  /// Reads views [first, first + count) into `out` (count x rows x columns values, overwritten). Calls may be in any
  /// order, from one thread at a time. Throws InputError naming file and view when the data cannot be read.
  virtual void read(std::int64_t first, std::int64_t count, std::span<float> out) = 0;

  // Sources of raw counts and sources that correct counts can pass the counts on, so that a device corrects them.

  /// Reads the same views as 16-bit counts, as measured. Returns false and reads nothing where the source has no such
  /// counts. A call with `count` 0 reads nothing and only reports whether counts exist.
  virtual bool read_counts(std::int64_t /*first*/, std::int64_t /*count*/, std::span<std::uint16_t>) { return false; }
  /// Converts read_counts()'s counts to read()'s line integrals; null where read() does more than that.
  virtual const CountScale* count_scale() const { return nullptr; }
  /// Reports how many live readings of a view the device had to replace. Throws InputError where read() would throw for
  /// such a view.
  virtual void note_replaced(std::int64_t /*view*/, std::int64_t /*readings*/) {}

  /// The source of the same views, in the same order, under another geometry; null where there is none.
  virtual ProjectionSource* placed() { return nullptr; }
};

/// Serves projections that are already in memory.
class MemorySource final : public ProjectionSource {
 public:
  explicit MemorySource(Projections projections) : projections_(std::move(projections)) {}
  const Scan& scan() const override { return projections_.scan; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override;

 private:
  Projections projections_;
};

/// Reads all views of a source into memory; stage "read". Throws Cancelled between two batches.
Projections read_all(ProjectionSource& source, const Watch& = {});

}  // namespace backlit
