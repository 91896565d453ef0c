#include "projectors/lines_of_response/gl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/projectors/lines_of_response/lor.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/draw_state.hpp"
#include "device/gl/gl_backend_class.hpp"
#include "projectors/list.hpp"

namespace backlit::gl {
namespace {

constexpr int tof_entries = 512;
constexpr std::int64_t least_width = 256;
constexpr std::int64_t lines_at_once = 1 << 16;  // their sums share the 31 bits of an integer

/// Struct Line of shaders/lines_of_response/line.glsl.
struct LineRecord {
  float a, da, b, db, start, end, tof, code;
};

template <class T>
Buffer buffer_of(const char* label, const std::vector<T>& values) {
  static constexpr T nothing{};  // buffers cannot be empty
  const bool empty = values.empty();
  return {label, static_cast<std::int64_t>(sizeof(T) * std::max<std::size_t>(1, values.size())),
          empty ? &nothing : values.data()};
}

}  // namespace

GlLines::GlLines(std::shared_ptr<Context> context, TimingTable& timings, VectorOps& ops, const VolumeGrid& grid,
                 const LineList& lines, const LineOptions& options)
    : context_(std::move(context)),
      timings_(timings),
      ops_(ops),
      grid_(grid),
      options_(options),
      thin_(options.line == LineOptions::Line::joseph),
      drawn_(options.pipeline == Pipeline::fragment),
      floating_(drawn_ || options.sums == LineOptions::Sums::floating),
      with_tof_(!lines.tof_mm.empty()),
      lines_(lines.count()) {
  const Limits& limits = context_->limits();
  const std::int64_t layers = std::min(limits.array_layers, limits.framebuffer_layers);
  if (*std::ranges::max_element(grid_.size) > std::min(layers, limits.texture_size))
    throw Unsupported("list mode", fmt::format("more than {} slices along an axis", layers), "use cpu or cuda");
  width_ = std::max(least_width, (lines_ + layers - 1) / layers);
  if (width_ > limits.texture_size)
    throw Unsupported("list mode", fmt::format("{} lines at once", lines_), "use more subsets, or cpu or cuda");
  rows_ = std::max<std::int64_t>(1, (lines_ + width_ - 1) / width_);
  context_->make_current();
  upload_lines(lines);
  upload_tables(with_tof_);
  const auto [nx, ny, nz] = grid_.size;
  if (drawn_) {
    turned_ = {Texture("slices along x", GL_TEXTURE_2D_ARRAY, GL_R32F, ny, nz, nx),
               Texture("slices along y", GL_TEXTURE_2D_ARRAY, GL_R32F, nx, nz, ny)};
    framebuffer_ = Framebuffer("slices");
    nothing_ = VertexArray("no vertices");
  } else if (!floating_) {
    sums_ = Texture("integer sums", GL_TEXTURE_2D_ARRAY, GL_R32I, nx, ny, nz);
    const GLint zero = 0;
    glClearTexImage(sums_.id(), 0, GL_RED_INTEGER, GL_INT, &zero);
  }
}

ArrayPtr GlLines::make_domain() { return std::make_unique<GlArray>(context_, "image", domain()); }
ArrayPtr GlLines::make_range(std::int64_t rows) {
  return std::make_unique<GlArray>(context_, "lines", ArrayShape{width_, 1, rows});
}

void GlLines::upload_lines(const LineList& lines) {
  const LorGrid grid = lor_grid(grid_);
  std::vector<LineRecord> records(static_cast<std::size_t>(lines_));
  parallel_chunks(lines_, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const glm::vec3 from = lines.points[lines.first[i]], to = lines.points[lines.second[i]];
      const double p[3] = {from.x, from.y, from.z}, q[3] = {to.x, to.y, to.z};
      const auto l = make_lor<double>(p, q, with_tof_ ? lines.tof_mm[i] : 0, grid);
      const int kernel = thin_ || lines.kernel.empty() ? 0 : lines.kernel[i];
      records[i] = {float(l.a),     float(l.da),  float(l.b),   float(l.db),
                    float(l.start), float(l.end), float(l.tof), static_cast<float>(l.axis + 4 * kernel)};
    }
  });
  records_ = buffer_of("lines", records);
  if (!drawn_) return;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<std::int32_t> order;
    for (std::size_t i = 0; i < records.size(); ++i)
      if ((static_cast<int>(records[i].code) & 3) == axis) order.push_back(static_cast<std::int32_t>(i));
    of_axis_[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(order.size());
    order_[static_cast<std::size_t>(axis)] = buffer_of("order", order);
  }
}

void GlLines::upload_tables(bool with_tof) {
  std::vector<float> weights, tubes, shares;
  double most = thin_ ? glm::length(grid_.spacing) : 0;
  if (!thin_)
    for (const TubeKernel& k : options_.kernels) {
      weights.insert(weights.end(), k.table.begin(), k.table.end());
      tubes.push_back(static_cast<float>(k.radius_mm));
      tubes.push_back(static_cast<float>(k.entry_per_mm2()));
      most = std::max(most, lor_grid(grid_).voxel_mm3() * static_cast<double>(*std::ranges::max_element(k.table)));
    }
  if (with_tof) {
    const double reach = options_.tof.reach() * (1 - 1e-9);  // so that the cut lies within the last entry
    for (int i = 0; i <= tof_entries; ++i)
      shares.push_back(static_cast<float>(tof_weight(options_.tof, i * reach / tof_entries)));
    most *= *std::ranges::max_element(shares);
  }
  most_weight_ = static_cast<float>(most);
  weights_ = buffer_of("tube weights", weights);
  tubes_ = buffer_of("tubes", tubes);
  tof_ = buffer_of("time of flight", shares);
}

Program& GlLines::program(const char* name, std::initializer_list<std::string> paths) {
  auto found = programs_.find(name);
  if (found == programs_.end()) {
    Defines defines{{"TUBE_ENTRIES", std::to_string(tube_entries)}, {"TOF_ENTRIES", std::to_string(tof_entries)}};
    if (thin_) defines.emplace_back("THIN", "");
    const Choices choices{floating_ ? "lines_of_response/sums/floats.glsl" : "lines_of_response/sums/integers.glsl"};
    found = programs_.emplace(name, Program(name, paths, defines, choices)).first;
  }
  return found->second;
}

void GlLines::prepare(Program& p, const Subset& subset, bool compact) {
  records_.bind_storage(0);
  weights_.bind_storage(1);
  tubes_.bind_storage(2);
  tof_.bind_storage(3);
  const Vec3& s = grid_.spacing;
  p.set("spacing", float(s.x), float(s.y), float(s.z));
  p.set("grid_size", float(grid_.size[0]), float(grid_.size[1]), float(grid_.size[2]));
  const double reach = with_tof_ ? options_.tof.reach() : 0;
  p.set("tof", with_tof_ ? static_cast<float>(tof_entries / reach) : 0.0f, static_cast<float>(reach));
  p.set("width", static_cast<int>(width_));
  p.set("line_count", static_cast<int>(lines_));
  p.set("first_row", static_cast<int>(subset.first));
  p.set("stride", static_cast<int>(subset.stride));
  p.set("row_count", static_cast<int>(subset.count));
  p.set("compact", compact ? 1 : 0);
  p.use();
}

void GlLines::forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) {
  const SubsetRows rows(range(), subset, y.shape());
  const bool compact = y.shape().n2 != rows_;
  context_->make_current();
  const Pass pass(timings_, "lines forward");
  as_gl(x).textures().front().bind(0);
  const Texture& values = as_gl(y).textures().front();
  if (!drawn_) {
    Program& p = program("lines forward", {"lines_of_response/forward.comp"});
    prepare(p, subset, compact);
    p.set("accumulate", write == Write::accumulate ? 1 : 0);
    values.bind_image(0, GL_READ_WRITE);
    glDispatchCompute(groups(width_, 64), static_cast<GLuint>(rows.count()), 1);
  } else {
    Program& p = program("lines forward drawn", {"shared/screen.vert", "lines_of_response/forward.frag"});
    prepare(p, subset, compact);
    const DrawState state(write == Write::accumulate ? DrawState::Mode::add : DrawState::Mode::replace);
    glBindVertexArray(nothing_.id());
    for (std::int64_t i = 0; i < rows.count(); ++i) {
      p.set("first_row", static_cast<int>(rows.row(i)));
      framebuffer_.attach(values, rows.slot(i));
      framebuffer_.use();
      glDrawArrays(GL_TRIANGLES, 0, 3);
    }
  }
  glMemoryBarrier(everything_that_reads);
}

void GlLines::back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) {
  const SubsetRows rows(range(), subset, y.shape());
  const bool compact = y.shape().n2 != rows_;
  context_->make_current();
  const Pass pass(timings_, "lines back");
  GlArray& image = as_gl(x);
  if (write == Write::overwrite)
    for (Texture& t : image.textures()) t.clear(0);
  if (lines_ == 0 || rows.count() == 0) return;
  if (drawn_) return draw_back(as_gl(y), image, subset, compact);
  floating_ ? float_back(as_gl(y), image, subset, compact) : compute_back(as_gl(y), image, subset, compact);
}

void GlLines::draw_back(const GlArray& y, GlArray& x, const Subset& subset, bool compact) {
  Texture& image = x.textures().front();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (of_axis_[axis] == 0) continue;
    Texture& target = axis == 2 ? image : turned_[axis];
    if (axis < 2) target.clear(0);
    Program& p = program("lines back", {"lines_of_response/back.vert", "lines_of_response/back.frag"});
    prepare(p, subset, compact);
    order_[axis].bind_storage(4);
    y.textures().front().bind(0);
    {
      const DrawState state(DrawState::Mode::add);
      glBindVertexArray(nothing_.id());
      for (std::int64_t s = 0; s < grid_.size[axis]; ++s) {
        p.set("slice", static_cast<int>(s));
        framebuffer_.attach(target, s);
        framebuffer_.use();
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(of_axis_[axis]));
      }
    }
    glMemoryBarrier(everything_that_reads);
    if (axis == 2) continue;
    Program& turn = program("turn slices", {"lines_of_response/turn.comp"});
    turn.set("axis", static_cast<int>(axis));
    turn.use();
    target.bind(0);
    image.bind_image(1, GL_READ_WRITE);
    glDispatchCompute(groups(grid_.size[0], 16), groups(grid_.size[1], 16), static_cast<GLuint>(grid_.size[2]));
    glMemoryBarrier(everything_that_reads);
  }
}

void GlLines::compute_back(const GlArray& y, GlArray& x, const Subset& subset, bool compact) {
  const double largest = ops_.largest_magnitude(y) * most_weight_;
  if (!(largest > 0)) return;
  const std::int64_t at_once = std::max<std::int64_t>(1, lines_at_once / width_);
  const double scale = 0x1p30 / (largest * static_cast<double>(at_once * width_));
  for (std::int64_t done = 0; done < subset.count; done += at_once) {
    const std::int64_t count = std::min(at_once, subset.count - done);
    Program& p = program("lines back", {"lines_of_response/back.comp"});
    // The rows of a compact array are counted from its beginning: they are bound as a texture of their own.
    prepare(p, {subset.first + done * subset.stride, count, subset.stride}, compact);
    p.set("scale", static_cast<float>(scale));
    const Texture part = compact ? Texture("rows", y.textures().front(), done, count) : Texture();
    (compact ? part : y.textures().front()).bind(0);
    sums_.bind_image(0, GL_READ_WRITE);
    glDispatchCompute(groups(width_, 64), static_cast<GLuint>(count), 1);
    glMemoryBarrier(everything_that_reads);
    Program& collect = program("collect", {"lines_of_response/collect.comp"});
    collect.set("unit", static_cast<float>(1 / scale));
    collect.use();
    sums_.bind_image(0, GL_READ_WRITE);
    x.textures().front().bind_image(1, GL_READ_WRITE);
    glDispatchCompute(groups(grid_.size[0], 16), groups(grid_.size[1], 16), static_cast<GLuint>(grid_.size[2]));
    glMemoryBarrier(everything_that_reads);
  }
}

void GlLines::float_back(const GlArray& y, GlArray& x, const Subset& subset, bool compact) {
  Program& p = program("lines back", {"lines_of_response/back.comp"});
  prepare(p, subset, compact);
  p.set("scale", 1.0f);
  y.textures().front().bind(0);
  glBindImageTexture(0, x.textures().front().id(), 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32I);  // the bits of floats
  glDispatchCompute(groups(width_, 64), static_cast<GLuint>(subset.count), 1);
  glMemoryBarrier(everything_that_reads);
}

void GlLines::sensitivity(DeviceArray& x, const Subset& subset) {
  const ArrayPtr ones = make_range(subset.count);
  ops_.apply("1.0", as_gl(*ones));
  back(*ones, x, subset, Write::overwrite);
}

std::string GlLines::variant() const {
  return fmt::format("{}, {}, {} sums", describe(options_, with_tof_), drawn_ ? "draw=fragment" : "draw=compute",
                     floating_ ? "floating" : "fixed");
}

}  // namespace backlit::gl

namespace backlit {

ProjectorInfo lines_of_response_gl() {
  ProjectorInfo info;
  info.model = Model::lines_of_response;
  info.device = "gl";
  info.options = {"pipeline"};
  info.errors = {3e-4};  // sums in integers
  info.make_lines = [](Backend& backend, const VolumeGrid& grid, const LineList& lines, const LineOptions& options) {
    gl::GlBackend& device = gl::current_gl(backend);
    return std::make_unique<gl::GlLines>(device.shared_context(), device.timings(), device.ops(), grid, lines, options);
  };
  return info;
}

}  // namespace backlit
