// Element-wise operations and reductions as compute passes.
#pragma once

#include <map>
#include <string>

#include "device/gl/gl_array.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"

namespace backlit::gl {

/// Programs are made when an operation is first used.
class VectorOps {
 public:
  explicit VectorOps(TimingTable& timings) : timings_(timings) {}

  /// y = expression of x, y, a, b (GLSL); x may be null when the expression does not name it.
  void apply(const char* expression, GlArray& y, const GlArray* x = nullptr, float a = 0, float b = 0);
  double dot(const GlArray& x, const GlArray& y);
  /// total += x . x, all on the device.
  void add_square(const GlArray& x, GlArray& total);
  double sum(const GlArray& x);
  double maximum(const GlArray& x);
  double largest_magnitude(const GlArray& x);

 private:
  struct Reduction {
    const char *name, *value, *join, *nothing;
  };
  /// Writes one double per block to partial_; returns the number of blocks.
  std::int64_t reduce_on_device(const Reduction&, const GlArray& x, const GlArray* y);
  /// Returns the same values on the host.
  std::vector<double> reduce(const Reduction&, const GlArray& x, const GlArray* y);

  TimingTable& timings_;
  std::map<std::string, Program> programs_;
  Buffer partial_;
  Program join_;  ///< joins partial sums; made when first used
};

}  // namespace backlit::gl
