// FDK's filter on the graphics card.
#pragma once

#include <map>
#include <memory>

#include <backlit/recon/fdk/projection_filter.hpp>
#include "device/gl/gl_array.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"
#include "preprocess/filter/filter_tables.hpp"

namespace backlit::gl {

/// Weights and ramp or Hilbert kernel as passes, on any detector. Rows go through a transform in shared memory, two at
/// a time, or, where they are too long for it or `variant` says so, are summed up directly, as far as a texture is
/// long. Both are the host filter's convolution tap by tap: it is linear, so the length of the transform does not
/// matter. Views differ from the host's by 1e-5 of their norm at most (tests/gl/filter_test).
class GlFilter final : public ProjectionFilter {
 public:
  enum class Way { fft, convolution };

  /// Not for views that are filtered already: see offers(). Throws Unsupported for rows that are too long.
  GlFilter(std::shared_ptr<Context> context, TimingTable& timings, const Scan&, const FilterOptions&);
  ~GlFilter() override { context_->make_current_or_none(); }
  static bool offers(const FilterOptions& o) { return o.filters(); }

  const Scan& scan() const override { return tables_.scan(); }
  void run(std::int64_t first, std::span<const float> views, DeviceArray& out) override;
  void run_on_device(std::int64_t first, const DeviceArray& views, DeviceArray& out) override;
  Way way() const { return way_; }
  std::int64_t size() const { return size_; }  ///< of the transform

 private:
  void make_kernel(const std::vector<double>& taps);
  Choices choices() const;  ///< of files of shaders/filter
  void set_weights(Program&);
  bool hilbert() const { return tables_.widening.options.hilbert(); }
  Program& program(GLenum format);
  /// `count` views that lie in one texture each way.
  void filter(const Texture& views, std::int64_t first_layer, std::int64_t first_view, std::int64_t count, Texture& out,
              std::int64_t first_out, GLenum format);
  void transform(std::int64_t count, Program&);
  void convolve(std::int64_t count, Program&, const Texture& out);

  std::shared_ptr<Context> context_;
  TimingTable& timings_;
  Detector measured_;
  FilterTables tables_;
  std::int64_t size_ = 0;  ///< of the transform, a power of two
  Way way_;
  Buffer views_, redundancy_, kernel_, twiddle_;
  Buffer taper_;                        ///< of rows that are continued
  std::int64_t extension_ = 0;          ///< columns that they are continued by, beyond either end
  Program weigh_;                       ///< for convolve()
  std::map<GLenum, Program> programs_;  ///< by the texels of what is written
  std::unique_ptr<GlArray> staging_;    ///< views from the host
  std::unique_ptr<GlArray> weighed_;    ///< for convolve()
};

}  // namespace backlit::gl
