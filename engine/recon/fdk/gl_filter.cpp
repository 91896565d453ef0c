#include "recon/fdk/gl_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/types.hpp>
#include "device/gl/dispatch.hpp"
#include "device/gl/gl_backend_class.hpp"
#include "preprocess/filter/ramp_filter.hpp"
#include "projectors/shared/gl/view_run.hpp"

namespace backlit::gl {
namespace {

constexpr std::int64_t bytes_per_value = 8;  // bytes of a transform's value: two rows
constexpr std::int64_t most_weighed = 16;    // views at a time, for convolution

template <class T>
Buffer buffer_of(const std::string& label, const std::vector<T>& values) {
  return Buffer(label, static_cast<std::int64_t>(values.size() * sizeof(T)), values.data());
}

/// The length of the transform, a power of two, for periodic convolution. It is so large that no two taps share a
/// place. Half of it suffices when taps that share a place, far from the middle, differ by less than fp32's rounding.
/// This is so for rows with a few columns more than half a power of two, as displaced detectors have. `whole` forbids
/// it: for continued rows, whose ends would overlap, and for the odd Hilbert kernel, whose taps would cancel.
std::int64_t ring_size(const std::vector<double>& taps, bool whole) {
  constexpr double rounding = 0x1p-22;
  const auto columns = static_cast<std::int64_t>(taps.size());
  const auto tap = [&](std::int64_t i) { return taps[static_cast<std::size_t>(i)]; };
  const auto safe =
      std::max<std::int64_t>(2, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(2 * columns))));
  double wrong = 0;
  for (std::int64_t i = safe / 4 + 1; i < columns; ++i) wrong += std::abs(tap(i) - tap(safe / 2 - i));
  return !whole && safe > 2 && wrong < rounding * std::abs(taps[0]) ? safe / 2 : safe;
}

bool curved_weights(const Scan& scan) {
  return scan.detector.shape == Detector::Shape::curved && scan.beam() == Beam::cone;
}

}  // namespace

GlFilter::GlFilter(std::shared_ptr<Context> context, TimingTable& timings, const Scan& scan, const FilterOptions& asked)
    : context_(std::move(context)), timings_(timings), measured_(scan.detector), tables_(scan, asked) {
  context_->make_current();
  const auto filter = tables_.filter();
  const std::vector<double> taps = filter->taps();
  if (!filter->taper().empty()) taper_ = buffer_of("taper", filter->taper());
  extension_ = static_cast<std::int64_t>(filter->taper().size());
  size_ = ring_size(taps, extension_ > 0 || hilbert());
  const bool fits = size_ * bytes_per_value <= context_->limits().shared_bytes;
  if (asked.variant == FilterVariant::fft && !fits)
    throw Unsupported("filter_variant",
                      fmt::format("a transform of {} values does not fit this device's {} bytes of shared memory",
                                  size_, context_->limits().shared_bytes),
                      "use `filter_variant` convolution or auto");
  algorithm_ = asked.variant == FilterVariant::convolution || !fits ? Algorithm::convolution : Algorithm::fft;
  const std::int64_t continued = this->scan().detector.columns + 2 * extension_;
  if (algorithm_ == Algorithm::convolution && continued > context_->limits().texture_size)
    throw Unsupported("pad",
                      fmt::format("rows continued to {} columns are longer than this device's textures, {}", continued,
                                  context_->limits().texture_size),
                      "use `filter_variant` host, or a smaller `pad`");
  make_kernel(taps);
  program(GL_R32F);  // compiles the program for line integrals now and not in the first step
}

void GlFilter::make_kernel(const std::vector<double>& taps) {
  views_ = buffer_of("weights of views", tables_.views());
  redundancy_ = buffer_of("redundancy", tables_.redundancy);
  if (algorithm_ == Algorithm::convolution) {
    kernel_ = buffer_of("taps", std::vector<float>(taps.begin(), taps.end()));
    weigh_ = Program("weigh", {"filter/weigh.comp"}, {}, choices());
    return;
  }
  kernel_ = buffer_of("response", response_of(taps, size_, hilbert() ? Parity::odd : Parity::even));
  std::vector<float> twiddle;
  for (std::int64_t k = 0; k < size_ / 2; ++k) {
    const double angle = -2 * pi * static_cast<double>(k) / static_cast<double>(size_);
    twiddle.push_back(static_cast<float>(std::cos(angle)));
    twiddle.push_back(static_cast<float>(std::sin(angle)));
  }
  twiddle_ = buffer_of("twiddle", twiddle);
}

Choices GlFilter::choices() const {
  return {curved_weights(scan()) ? "filter/detector/curved.glsl" : "filter/detector/flat.glsl",
          extension_ > 0 ? "filter/beyond/mirrored.glsl" : "filter/beyond/zero.glsl",
          hilbert() ? "filter/kernel/odd.glsl" : "filter/kernel/even.glsl"};
}

Program& GlFilter::program(GLenum format) {
  const auto found = programs_.find(format);
  if (found != programs_.end()) return found->second;
  Defines d{{"FORMAT", format == GL_R16F ? "r16f" : "r32f"}};
  const char* file = "filter/convolve.comp";
  if (algorithm_ == Algorithm::fft) {
    file = "filter/transform.comp";
    d.emplace_back("SIZE", std::to_string(size_));
  }
  return programs_.emplace(format, Program("filter", {file}, d, choices())).first->second;
}

void GlFilter::run(std::int64_t first, std::span<const float> views, DeviceArray& out) {
  context_->make_current();
  const ArrayShape shape = shape_of(measured_, out.shape().n2);
  if (!staging_ || !(staging_->shape() == shape)) staging_ = std::make_unique<GlArray>(context_, "measured", shape);
  staging_->upload(views);
  run_on_device(first, *staging_, out);
}

void GlFilter::run_on_device(std::int64_t first, const DeviceArray& views, DeviceArray& out) {
  context_->make_current();
  const GlArray& from = as_gl(views);
  GlArray& to = as_gl(out);
  const std::int64_t count = out.shape().n2;
  if (!(views.shape() == shape_of(measured_, count)) || !(out.shape() == shape_of(scan().detector, count)) ||
      first < 0 || first + count > scan().view_count())
    throw Failure("filter", "views of another shape than the plan's scan has");
  for (std::int64_t done = 0; done < count;) {
    const ViewRun in = next_run(from, {}, {0, count, 1}, done, algorithm_ == Algorithm::fft ? count : most_weighed);
    const ViewRun into = next_run(to, {}, {0, count, 1}, done, in.count);
    filter(from.textures()[in.texture], in.first_layer, first + done, into.count, to.textures()[into.texture],
           into.first_layer, to.format());
    done += into.count;
  }
}

void GlFilter::set_weights(Program& p) {
  const Scan& s = scan();
  p.set("left", static_cast<int>(tables_.widening.left));
  p.set("measured", static_cast<int>(measured_.columns));
  p.set("rows", static_cast<int>(measured_.rows));
  p.set("columns", static_cast<int>(s.detector.columns));
  p.set("extension", static_cast<int>(extension_));
  p.set("middle", static_cast<float>(s.detector.middle_column()));
  if (curved_weights(s))
    p.set("step", static_cast<float>(glm::length(s.views[0].u) / cylinder_radius(s.detector, s.views[0])));
}

void GlFilter::filter(const Texture& views, std::int64_t first_layer, std::int64_t first_view, std::int64_t count,
                      Texture& out, std::int64_t first_out, GLenum format) {
  const Pass pass(timings_, algorithm_ == Algorithm::fft ? "filter" : "filter by sums");
  views_.bind_storage(1);
  redundancy_.bind_storage(2);
  kernel_.bind_storage(3);
  if (taper_) taper_.bind_storage(5);
  Program& weigher = algorithm_ == Algorithm::fft ? program(format) : weigh_;
  set_weights(weigher);
  weigher.set("first_view", static_cast<int>(first_view));
  weigher.set("first_layer", static_cast<int>(first_layer));
  Program& p = program(format);
  p.set("first_out", static_cast<int>(first_out));
  views.bind(0);
  glBindSampler(0, 0);
  if (algorithm_ == Algorithm::fft) {
    out.bind_image(0, GL_WRITE_ONLY);
    transform(count, p);
  } else {
    convolve(count, p, out);
  }
  glMemoryBarrier(everything_that_reads);
}

void GlFilter::transform(std::int64_t count, Program& p) {
  twiddle_.bind_storage(4);
  p.use();
  glDispatchCompute(groups(measured_.rows, 2), static_cast<GLuint>(count), 1);
}

void GlFilter::convolve(std::int64_t count, Program& p, const Texture& out) {
  const Detector& d = scan().detector;
  const std::int64_t continued = d.columns + 2 * extension_;
  if (!weighed_)
    weighed_ = std::make_unique<GlArray>(context_, "weighed",
                                         ArrayShape{continued, d.rows, std::min(most_weighed, scan().view_count())});
  weighed_->textures()[0].bind_image(0, GL_WRITE_ONLY);
  weigh_.use();
  glDispatchCompute(groups(continued, 64), static_cast<GLuint>(d.rows), static_cast<GLuint>(count));
  glMemoryBarrier(everything_that_reads);
  weighed_->textures()[0].bind(0);
  out.bind_image(0, GL_WRITE_ONLY);
  p.set("extension", static_cast<int>(extension_));
  p.use();
  glDispatchCompute(groups(d.columns, 64), static_cast<GLuint>(d.rows), static_cast<GLuint>(count));
}

std::unique_ptr<ProjectionFilter> GlBackend::make_filter(const Scan& scan, const FilterOptions& options) {
  // If the shader runs on the CPU's cores, FFTW is much faster (docs/notebook/iterative-methods.md).
  const bool on_host = options.variant == FilterVariant::host ||
                       (options.variant == FilterVariant::automatic && context_->limits().software);
  if (on_host || !GlFilter::offers(options)) return Backend::make_filter(scan, options);
  try {
    return std::make_unique<GlFilter>(context_, timings_, scan, options);
  } catch (const Unsupported&) {  // rows that are too long
    if (options.variant != FilterVariant::automatic) throw;
    return Backend::make_filter(scan, options);
  }
}

}  // namespace backlit::gl
