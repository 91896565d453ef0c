#include "backend/gl/gl_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "backend/gl/dispatch.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "preprocess/ramp_filter.hpp"
#include "preprocess/row_weight.hpp"

namespace backlit::gl {
namespace {

constexpr std::int64_t bytes_per_value = 8;  // of a transform: two rows
constexpr std::int64_t most_weighed = 16;    // views at once, for sums

/// As the shader reads them.
struct RowEntry {
  float numerator[4], denominator[4];
};
struct ViewEntry {
  float gap;
  std::int32_t first;
};

template <class T>
Buffer buffer_of(const std::string& label, const std::vector<T>& values) {
  return Buffer(label, static_cast<std::int64_t>(values.size() * sizeof(T)), values.data());
}

/// cos(2 pi i / n), i < n.
std::vector<double> cosines(std::int64_t n) {
  std::vector<double> table(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    table[static_cast<std::size_t>(i)] = std::cos(2 * pi * static_cast<double>(i) / static_cast<double>(n));
  return table;
}

/// The taps by which the host's filter reaches from a column to the others: its (real, even) response, transformed
/// back.
std::vector<double> taps_of(const RampFilter& ramp, std::int64_t columns) {
  const std::int64_t n = ramp.size();
  const std::vector<double> cosine = cosines(n);
  std::vector<double> taps(static_cast<std::size_t>(columns));
  parallel_for(columns, [&](std::int64_t i) {
    double sum = 0;
    for (std::int64_t k = 0; k < n; ++k)
      sum += static_cast<double>(ramp.response()[static_cast<std::size_t>(k)]) *
             cosine[static_cast<std::size_t>(i * k % n)];
    taps[static_cast<std::size_t>(i)] = sum;
  });
  return taps;
}

/// Their response at frequencies k / size, k <= size / 2, over size.
std::vector<float> response_of(const std::vector<double>& taps, std::int64_t size) {
  const std::vector<double> cosine = cosines(size);
  std::vector<float> response(static_cast<std::size_t>(size / 2 + 1));
  parallel_for(size / 2 + 1, [&](std::int64_t k) {
    double sum = taps[0];
    for (std::size_t i = 1; i < taps.size(); ++i)
      sum += 2 * taps[i] * cosine[i * static_cast<std::size_t>(k) % static_cast<std::size_t>(size)];
    response[static_cast<std::size_t>(k)] = static_cast<float>(sum / static_cast<double>(size));
  });
  return response;
}

bool curved_weights(const Scan& scan) {
  return scan.detector.shape == Detector::Shape::curved && scan.beam() == Beam::cone;
}

/// Radians from column to column of an equiangular ramp; 0 for equal lengths.
double angular_pitch(const Scan& scan) {
  const View& view = scan.views.front();
  return scan.detector.shape == Detector::Shape::curved ? glm::length(view.u) / detector_normal(view).distance : 0;
}

}  // namespace

bool GlFilter::offers(const FilterOptions& o) { return o.filters() && !o.hilbert() && o.pad == 0; }

GlFilter::GlFilter(std::shared_ptr<Context> context, TimingTable& timings, const Scan& scan, const FilterOptions& asked)
    : context_(std::move(context)),
      timings_(timings),
      measured_(scan.detector),
      widening_(scan, asked),
      options_(widening_.options) {
  context_->make_current();
  size_ = std::max<std::int64_t>(
      2, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(2 * this->scan().detector.columns))));
  const bool fits = size_ * bytes_per_value <= context_->limits().shared_bytes;
  if (asked.variant == "fft" && !fits)
    throw Unsupported("filter_variant",
                      fmt::format("a transform of {} values does not fit this device's {} bytes of shared memory",
                                  size_, context_->limits().shared_bytes),
                      "use convolution, or let auto choose");
  way_ = asked.variant == "convolution" || !fits ? Way::convolution : Way::fft;
  make_weights();
  make_kernel();
}

void GlFilter::make_weights() {
  const Detector& d = scan().detector;
  const FdkWeights weights = fdk_weights(scan(), options_);
  std::vector<RowEntry> rows(static_cast<std::size_t>(scan().view_count() * d.rows));
  parallel_for(scan().view_count(), [&](std::int64_t view) {
    for (std::int64_t row = 0; row < d.rows; ++row) {
      const PositionWeight w = position_weight(d, scan().views[static_cast<std::size_t>(view)], row);
      RowEntry& entry = rows[static_cast<std::size_t>(view * d.rows + row)];
      for (int i = 0; i < 3; ++i) {
        entry.numerator[i] = static_cast<float>(w.numerator[i]);
        entry.denominator[i] = static_cast<float>(w.denominator[i]);
      }
    }
  });
  // One table for all views where they are alike.
  const std::size_t tables =
      widening_.needed() ? std::max(weights.ray.size(), widening_.weights.ray.size()) : weights.ray.size();
  std::vector<float> redundancy;
  for (std::size_t t = 0; t < tables; ++t)
    for (std::int64_t c = 0; c < measured_.columns; ++c) {
      const float before = widening_.needed() ? widening_.weight(static_cast<std::int64_t>(t), c) : 1.0f;
      const auto& ray = weights.ray[weights.ray.size() > 1 ? t : 0];
      redundancy.push_back(before * ray[static_cast<std::size_t>(c + widening_.left)]);
    }
  std::vector<ViewEntry> views;
  for (std::int64_t v = 0; v < scan().view_count(); ++v)
    views.push_back({static_cast<float>(weights.gap[static_cast<std::size_t>(v)]),
                     static_cast<std::int32_t>(tables > 1 ? v * measured_.columns : 0)});
  rows_ = buffer_of("weights of rows", rows);
  views_ = buffer_of("weights of views", views);
  redundancy_ = buffer_of("redundancy", redundancy);
}

void GlFilter::make_kernel() {
  const std::int64_t columns = scan().detector.columns;
  const RampFilter ramp(columns, window_from(options_.window), options_.cutoff, angular_pitch(scan()));
  const std::vector<double> taps = taps_of(ramp, columns);
  if (way_ == Way::convolution) {
    kernel_ = buffer_of("taps", std::vector<float>(taps.begin(), taps.end()));
    weigh_ = Program("weigh", {"filter/weigh.comp"}, curved_weights(scan()) ? Defines{{"CURVED", ""}} : Defines{});
    return;
  }
  kernel_ = buffer_of("response", response_of(taps, size_));
  std::vector<float> twiddle;
  for (std::int64_t k = 0; k < size_ / 2; ++k) {
    const double angle = -2 * pi * static_cast<double>(k) / static_cast<double>(size_);
    twiddle.push_back(static_cast<float>(std::cos(angle)));
    twiddle.push_back(static_cast<float>(std::sin(angle)));
  }
  twiddle_ = buffer_of("twiddle", twiddle);
}

Program& GlFilter::program(GLenum format) {
  const auto found = programs_.find(format);
  if (found != programs_.end()) return found->second;
  Defines defines{{"FORMAT", format == GL_R16F ? "r16f" : "r32f"}};
  const char* file = "filter/convolve.comp";
  if (way_ == Way::fft) {
    file = "filter/ramp_fft.comp";
    defines.emplace_back("SIZE", std::to_string(size_));
    defines.emplace_back("STAGES", std::to_string(std::bit_width(static_cast<std::uint64_t>(size_)) - 1));
    defines.emplace_back("THREADS", std::to_string(std::min<std::int64_t>(256, size_ / 2)));
    if (curved_weights(scan())) defines.emplace_back("CURVED", "");
  }
  return programs_.emplace(format, Program("ramp", {file}, defines)).first->second;
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
    const ViewRun in = next_run(from, {}, {0, count, 1}, done, way_ == Way::fft ? count : most_weighed);
    const ViewRun into = next_run(to, {}, {0, count, 1}, done, in.count);
    filter(from.textures()[in.texture], in.first_layer, first + done, into.count, to.textures()[into.texture],
           into.first_layer, to.format());
    done += into.count;
  }
}

void GlFilter::set_weights(Program& p) {
  const Scan& s = scan();
  p.set("left", static_cast<int>(widening_.left));
  p.set("measured", static_cast<int>(measured_.columns));
  p.set("rows", static_cast<int>(measured_.rows));
  p.set("middle", static_cast<float>(s.detector.middle_column()));
  if (curved_weights(s))
    p.set("step", static_cast<float>(glm::length(s.views[0].u) / cylinder_radius(s.detector, s.views[0])));
}

void GlFilter::filter(const Texture& views, std::int64_t first_layer, std::int64_t first_view, std::int64_t count,
                      Texture& out, std::int64_t first_out, GLenum format) {
  const Pass pass(timings_, way_ == Way::fft ? "filter" : "filter by sums");
  rows_.bind_storage(0);
  views_.bind_storage(1);
  redundancy_.bind_storage(2);
  kernel_.bind_storage(3);
  Program& weigher = way_ == Way::fft ? program(format) : weigh_;
  set_weights(weigher);
  weigher.set("first_view", static_cast<int>(first_view));
  weigher.set("first_layer", static_cast<int>(first_layer));
  Program& p = program(format);
  p.set("first_out", static_cast<int>(first_out));
  views.bind(0);
  glBindSampler(0, 0);
  if (way_ == Way::fft) {
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
  if (!weighed_)
    weighed_ = std::make_unique<GlArray>(context_, "weighed", shape_of(d, std::min(most_weighed, scan().view_count())));
  weighed_->textures()[0].bind_image(0, GL_WRITE_ONLY);
  weigh_.use();
  glDispatchCompute(groups(d.columns, 64), static_cast<GLuint>(d.rows), static_cast<GLuint>(count));
  glMemoryBarrier(everything_that_reads);
  weighed_->textures()[0].bind(0);
  out.bind_image(0, GL_WRITE_ONLY);
  p.use();
  glDispatchCompute(groups(d.columns, 64), static_cast<GLuint>(d.rows), static_cast<GLuint>(count));
}

}  // namespace backlit::gl
