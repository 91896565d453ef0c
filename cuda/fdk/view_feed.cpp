#include "cuda/fdk/view_feed.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cuda/device/upload.hpp"

namespace backlit::cuda {
namespace {

/// Upper bound of line integrals from counts of 16 bits: 1 of 65535 gives 11.1. Flats far below 1 make no sense either.
constexpr float largest_integral = 32;

}  // namespace

ViewFeed::ViewFeed(const Scan& scan, const FdkPipelineOptions& options, const BackprojectionPlan& plan,
                   const FilterTables& tables, Stream& filtering, DeviceTimeline& clock)
    : detector_(scan.detector),
      counts_(options.counts != nullptr),
      per_layer_(channels(plan.texel)),
      filtering_(filtering),
      clock_(clock),
      filter_(tables, filtering),
      together_(std::max(per_layer_, options.filtered_together / per_layer_ * per_layer_)),
      filtered_(together_ * detector_.pixels()),
      layers_(layer_batches(layer_count(plan), per_layer_, options.batches)),
      index_(scan.view_count()) {
  std::vector<int> index;
  for (const Run& run : layers_) {
    auto& views = views_.emplace_back();
    for (std::int64_t layer = run.first; layer < run.first + run.count; ++layer)
      for (std::int64_t view : views_of_layer(plan, layer)) views.push_back(view);
    for (std::int64_t view : views) index.push_back(static_cast<int>(view));
  }
  cuda::upload(index_.data(), index.data(), index_.bytes());
  for (Slot& slot : raw_) slot.bytes = DeviceBuffer<std::byte>(static_cast<std::int64_t>(slot_bytes()));
  if (counts_) upload_counts(*options.counts, scan.view_count());
}

std::int64_t ViewFeed::view_bytes() const {
  return detector_.pixels() * static_cast<std::int64_t>(counts_ ? sizeof(std::uint16_t) : sizeof(float));
}

std::size_t ViewFeed::slot_bytes() const {
  std::size_t most = 0;
  for (const auto& views : views_) most = std::max(most, views.size());
  return most * static_cast<std::size_t>(view_bytes());
}

void ViewFeed::upload_counts(const CountScale& scale, std::int64_t views) {
  dark_ = DeviceBuffer<float>(detector_.pixels());
  open_ = DeviceBuffer<float>(detector_.pixels());
  if (static_cast<std::int64_t>(scale.dark.size()) != dark_.count() || scale.open.size() != scale.dark.size())
    throw Failure("counts", "darks and flats are not of the detector's size");
  cuda::upload(dark_.data(), scale.dark.data(), dark_.bytes());
  cuda::upload(open_.data(), scale.open.data(), open_.bytes());
  faults_ = DeviceBuffer<CountTables::Faults>(views);
}

std::span<std::byte> ViewFeed::staging(std::int64_t n) {
  PinnedBuffer& room = staging_[n % slots];
  if (room.bytes() == 0) room = PinnedBuffer(slot_bytes());
  wait_for_staging(n);
  const auto bytes = views_[static_cast<std::size_t>(n)].size() * static_cast<std::size_t>(view_bytes());
  return {room.data(), bytes};
}

void ViewFeed::wait_for_staging(std::int64_t n) {
  if (n >= slots) raw_[n % slots].uploaded.wait();
}

void ViewFeed::begin() {
  if (counts_) BACKLIT_CUDA(cudaMemsetAsync(faults_.data(), 0, faults_.bytes(), filtering_));
  clock_.restart(uploading_);
}

void ViewFeed::give(std::int64_t n, std::span<const std::byte* const> views, LayeredTextures& textures,
                    std::int64_t first) {
  Slot& raw = raw_[n % slots];
  const std::string name = fmt::format("batch {}, {} views", n, views.size());
  if (n >= slots) raw.free.hold(uploading_);
  clock_.span("upload", name, uploading_, [&] { upload(views, raw); });
  raw.uploaded.record(uploading_);
  raw.uploaded.hold(filtering_);
  clock_.span("filter", name, filtering_, [&] { filter(n, raw, textures, first); });
  raw.free.record(filtering_);
}

/// Views that are neighbours in memory, of the host or the device, are copied in one go.
void ViewFeed::upload(std::span<const std::byte* const> views, Slot& raw) {
  const std::int64_t bytes = view_bytes();
  for (std::size_t i = 0, next; i < views.size(); i = next) {
    for (next = i + 1; next < views.size() && views[next] == views[next - 1] + bytes;) ++next;
    BACKLIT_CUDA(cudaMemcpyAsync(raw.bytes.data() + static_cast<std::int64_t>(i) * bytes, views[i],
                                 (next - i) * static_cast<std::size_t>(bytes), cudaMemcpyDefault, uploading_));
  }
}

void ViewFeed::filter(std::int64_t n, const Slot& raw, LayeredTextures& textures, std::int64_t first) {
  const auto* integrals = reinterpret_cast<const float*>(raw.bytes.data());
  const auto* counts = reinterpret_cast<const std::uint16_t*>(raw.bytes.data());
  const Run& run = layers_[static_cast<std::size_t>(n)];
  const std::int64_t views = run.count * per_layer_;
  // The filter's largest possible value is known before it runs, so packing needs no pass to find it.
  if (counts_)
    textures.set_unit(filtering_, largest_integral * filter_.largest_gain(), {first, run.count});
  else
    textures.choose_unit(filtering_, integrals, views * detector_.pixels(), filter_.largest_gain(), {first, run.count});
  for (std::int64_t done = 0; done < views; done += together_) {
    const std::int64_t count = std::min(together_, views - done), pixel = done * detector_.pixels();
    const RowSource source = counts_ ? RowSource{nullptr, counts + pixel, {dark_.data(), open_.data(), faults_.data()}}
                                     : RowSource{integrals + pixel, nullptr, {}};
    filter_.run(count, source, index_.data() + run.first * per_layer_ + done, filtered_.data());
    const LinearImages images{filtered_.data(), detector_.columns, detector_.pixels(), nullptr};
    textures.fill(filtering_, images, first + done / per_layer_, count / per_layer_);
  }
}

FdkPipeline::Faults ViewFeed::faults() {
  FdkPipeline::Faults result;
  if (!counts_) return result;
  std::vector<CountTables::Faults> host(static_cast<std::size_t>(faults_.count()));
  BACKLIT_CUDA(cudaMemcpyAsync(host.data(), faults_.data(), faults_.bytes(), cudaMemcpyDeviceToHost, filtering_));
  filtering_.wait();
  for (const auto& f : host) {
    result.replaced.push_back(f.replaced);
    result.unfilled += f.unfilled;
  }
  return result;
}

std::int64_t ViewFeed::device_bytes(const Scan& scan, const FdkPipelineOptions& options) {
  const std::int64_t pixels = scan.detector.pixels(), value = options.counts ? 2 : 4;
  const std::int64_t batch =
      std::min(scan.view_count(), *std::max_element(options.batches.begin(), options.batches.end()));
  const std::int64_t filtered = 4 * pixels * std::max<std::int64_t>(4, options.filtered_together);
  return slots * batch * pixels * value + filtered + RowFilter::device_bytes(scan) + 2 * 4 * pixels;
}

}  // namespace backlit::cuda
