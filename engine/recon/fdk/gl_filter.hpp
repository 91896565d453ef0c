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

/// Weights and the ramp or Hilbert kernel as passes, on any detector. Two rows at a time are transformed in shared
/// memory. Rows that are too long for it are convolved directly, or if `variant` says so; they must fit a texture. Both
/// give the host filter's convolution tap by tap. It is linear, so the length of the transform does not change the
/// result. Views differ from the host's by at most 1e-5 of their norm (tests/gl/filter_test).
class GlFilter final : public ProjectionFilter {
 public:
  enum class Algorithm { fft, convolution };

  /// Not for views that are filtered already: see offers(). Throws Unsupported for rows that are too long.
  GlFilter(std::shared_ptr<Context> context, TimingTable& timings, const Scan&, const FilterOptions&);
  ~GlFilter() override { context_->make_current_or_none(); }
  static bool offers(const FilterOptions& o) { return o.filters(); }

  const Scan& scan() const override { return tables_.scan(); }
  void run(std::int64_t first, std::span<const float> views, DeviceArray& out) override;
  void run_on_device(std::int64_t first, const DeviceArray& views, DeviceArray& out) override;
  Algorithm algorithm() const { return algorithm_; }
  std::int64_t size() const { return size_; }  ///< of the transform

 private:
  void make_kernel(const std::vector<double>& taps);
  Choices choices() const;  ///< choices of the shaders in shaders/filter
  void set_weights(Program&);
  bool hilbert() const { return tables_.widening.options.hilbert(); }
  Program& program(GLenum format);
  /// Filters `count` views. `views` and `out` hold them in one texture each.
  void filter(const Texture& views, std::int64_t first_layer, std::int64_t first_view, std::int64_t count, Texture& out,
              std::int64_t first_out, GLenum format);
  void transform(std::int64_t count, Program&);
  void convolve(std::int64_t count, Program&, const Texture& out);

  std::shared_ptr<Context> context_;
  TimingTable& timings_;
  Detector measured_;
  FilterTables tables_;
  std::int64_t size_ = 0;  ///< of the transform, a power of two
  Algorithm algorithm_;
  Buffer views_, redundancy_, kernel_, twiddle_;
  Buffer taper_;                        ///< weights of continued rows
  std::int64_t extension_ = 0;          ///< columns of the continuation, beyond each end
  Program weigh_;                       ///< for convolve()
  std::map<GLenum, Program> programs_;  ///< by the texel format of the output
  std::unique_ptr<GlArray> staging_;    ///< views from the host
  std::unique_ptr<GlArray> weighed_;    ///< for convolve()
};

}  // namespace backlit::gl
