#include "device/gl/vector_ops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <backlit/core/error.hpp>
#include "device/gl/dispatch.hpp"

namespace backlit::gl {
namespace {

constexpr std::int64_t block = 4096;

void check_same(const GlArray& x, const GlArray& y) {
  if (!(x.shape() == y.shape()) || x.layers_per_texture() != y.layers_per_texture())
    throw Failure("OpenGL", "vector operation on arrays of different shapes");
}

std::int64_t blocks_per_layer(const GlArray& x) { return groups(x.shape().n0 * x.shape().n1, block); }

}  // namespace

void VectorOps::apply(const char* expression, GlArray& y, const GlArray* x, float a, float b) {
  if (x) check_same(*x, y);
  const Pass pass(timings_, expression);
  const char* format = y.format() == GL_R16F ? "r16f" : "r32f";
  const std::string key = std::string(expression) + format;
  auto found = programs_.find(key);
  if (found == programs_.end()) {
    const Defines defines{{"EXPRESSION", expression}, {"FORMAT", format}};
    found = programs_.emplace(key, Program(key, {"vector/elementwise.comp"}, defines)).first;
  }
  Program& program = found->second;
  program.set("a", a);
  program.set("b", b);
  program.use();
  for (std::size_t c = 0; c < y.textures().size(); ++c) {
    const Texture& t = y.textures()[c];
    t.bind_image(0, GL_READ_WRITE);
    if (x) x->textures()[c].bind(0);
    glDispatchCompute(groups(t.width(), 32), groups(t.height(), 8), static_cast<GLuint>(t.depth()));
  }
  glMemoryBarrier(everything_that_reads);
}

std::int64_t VectorOps::reduce_on_device(const Reduction& r, const GlArray& x, const GlArray* y) {
  if (y) check_same(x, *y);
  const Pass pass(timings_, r.name);
  auto found = programs_.find(r.name);
  if (found == programs_.end()) {
    const Defines defines{{"VALUE", r.value}, {"JOIN(s,t)", r.join}, {"NOTHING", r.nothing}};
    found = programs_.emplace(r.name, Program(r.name, {"vector/reduce.comp"}, defines)).first;
  }
  Program& program = found->second;
  const std::int64_t parts = blocks_per_layer(x) * x.shape().n2;
  const std::int64_t bytes = parts * static_cast<std::int64_t>(sizeof(double));
  if (partial_.bytes() < bytes) partial_ = Buffer("reduction", bytes);
  partial_.bind_storage(0);
  program.set("block_size", static_cast<int>(block));
  program.set("blocks", static_cast<int>(blocks_per_layer(x)));
  program.use();
  std::int64_t layer = 0;
  for (std::size_t c = 0; c < x.textures().size(); ++c) {
    const Texture& t = x.textures()[c];
    program.set("first_block", static_cast<int>(layer * blocks_per_layer(x)));
    t.bind(0);
    if (y) y->textures()[c].bind(1);
    glDispatchCompute(static_cast<GLuint>(blocks_per_layer(x)), static_cast<GLuint>(t.depth()), 1);
    layer += t.depth();
  }
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
  return parts;
}

std::vector<double> VectorOps::reduce(const Reduction& r, const GlArray& x, const GlArray* y) {
  std::vector<double> parts(static_cast<std::size_t>(reduce_on_device(r, x, y)));
  partial_.read(std::as_writable_bytes(std::span(parts)));
  return parts;
}

void VectorOps::add_square(const GlArray& x, GlArray& total) {
  const std::int64_t parts = reduce_on_device({"dot", "x * y", "s + t", "0.0"}, x, &x);
  const Pass pass(timings_, "join sums");
  if (!join_) join_ = Program("join sums", {"vector/join.comp"});
  partial_.bind_storage(0);
  total.textures()[0].bind_image(0, GL_READ_WRITE);
  join_.set("parts", static_cast<int>(parts));
  join_.use();
  glDispatchCompute(1, 1, 1);
  glMemoryBarrier(everything_that_reads);
}

double VectorOps::dot(const GlArray& x, const GlArray& y) {
  double total = 0;
  for (double part : reduce({"dot", "x * y", "s + t", "0.0"}, x, &y)) total += part;
  return total;
}

double VectorOps::sum(const GlArray& x) {
  double total = 0;
  for (double part : reduce({"sum", "x", "s + t", "0.0"}, x, nullptr)) total += part;
  return total;
}

double VectorOps::maximum(const GlArray& x) {
  const auto parts =
      reduce({"maximum", "x", "(s > t || isnan(s) ? s : t)", "double(uintBitsToFloat(0xff800000u))"}, x, nullptr);
  return std::accumulate(parts.begin(), parts.end(), parts.front(),
                         [](double a, double b) { return a > b || std::isnan(a) ? a : b; });
}

double VectorOps::largest_magnitude(const GlArray& x) {
  const auto parts = reduce({"largest magnitude", "abs(x)", "max(s, t)", "0.0"}, x, nullptr);
  return *std::ranges::max_element(parts);
}

}  // namespace backlit::gl
