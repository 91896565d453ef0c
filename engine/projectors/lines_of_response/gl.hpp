// Lines of response on the graphics pipeline, after Pratx, Chinn, Olcott, Levin, IEEE Trans. Med. Imaging 28 (2009)
// 435: back, a line's footprint on each slice is a small rectangle, drawn with additive blending; forward, slices are
// sampled. Or the same by compute shaders, sums in integers or in floating point.
#pragma once

#include <array>
#include <map>
#include <memory>

#include <backlit/projectors/lines_of_response/line_options.hpp>
#include <backlit/projectors/subset_rows.hpp>
#include "device/gl/gl_array.hpp"
#include "device/gl/vector_ops.hpp"

namespace backlit::gl {

/// Range arrays are {width, 1, rows}: a row in the sense of Subset is `width` lines, the last padded with zeros.
/// Variants: "draw=fragment", "draw=compute" (the default).
class GlLines final : public LinearOperator {
 public:
  /// Throws Unsupported for other variants, grids with more slices along an axis than a texture has layers, and more
  /// lines than a texture holds.
  GlLines(std::shared_ptr<Context>, TimingTable&, VectorOps&, const VolumeGrid&, const LineList&, const LineOptions&);
  ~GlLines() override { context_->make_current_or_none(); }

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return {width_, 1, rows_}; }
  ArrayPtr make_domain() override;
  ArrayPtr make_range(std::int64_t rows) override;
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  bool matched() const override { return true; }
  std::string variant() const override;

 private:
  void upload_lines(const LineList&);
  void upload_tables(bool with_tof);
  Program& program(const char* name, std::initializer_list<std::string> paths);
  /// Binds lines and tables, sets what every shader wants.
  void prepare(Program&, const Subset&, bool compact);
  void draw_back(const GlArray& y, GlArray& x, const Subset&, bool compact);
  void compute_back(const GlArray& y, GlArray& x, const Subset&, bool compact);
  void float_back(const GlArray& y, GlArray& x, const Subset&, bool compact);

  std::shared_ptr<Context> context_;
  TimingTable& timings_;
  VectorOps& ops_;
  VolumeGrid grid_;
  LineOptions options_;
  bool thin_, drawn_, floating_, with_tof_;
  std::int64_t lines_, width_ = 0, rows_ = 0;
  float most_weight_ = 0;
  Buffer records_, weights_, tubes_, tof_;
  std::array<Buffer, 3> order_;            ///< lines of each axis
  std::array<std::int64_t, 3> of_axis_{};  ///< their number
  std::map<std::string, Program> programs_;
  std::array<Texture, 2> turned_;  ///< slices perpendicular to x and y
  Texture sums_;
  Framebuffer framebuffer_;
  VertexArray nothing_;
};

}  // namespace backlit::gl
