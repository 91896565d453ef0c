#include "recon/fdk/gl_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <numeric>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/geometry/quarter_turns.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include "device/gl/dispatch.hpp"
#include "gl/pixel_buffer.hpp"
#include "gl/require_device.hpp"
#include "recon/fdk/fdk_schedule.hpp"

namespace backlit::gl {
namespace {

constexpr std::int64_t slots = 3;                                ///< batches in upload at a time
constexpr std::int64_t room_bytes = std::int64_t{64} << 20;      ///< of the volume, in each of two download buffers
constexpr std::int64_t copied_together = std::int64_t{1} << 20;  ///< bytes that one thread of the host copies

/// Spans of the device's time by name. restart() makes its queries available again.
class DeviceTimeline {
 public:
  void restart() {
    used_ = 0;
    stamp(origin_);
  }
  template <class Work>
  void span(const char* lane, std::string name, Work&& work) {
    if (used_ == spans_.size()) spans_.emplace_back();
    Span& s = spans_[used_++];
    s.lane = lane;
    s.name = std::move(name);
    stamp(s.begin);
    work();
    stamp(s.end);
  }
  Timeline read() const {
    Timeline timeline;
    for (std::size_t i = 0; i < used_; ++i) {
      const Span& s = spans_[i];
      const auto seconds = [](const Query& from, const Query& to) {
        return 1e-9 * static_cast<double>(static_cast<std::int64_t>(to.result() - from.result()));
      };
      timeline.push_back({s.lane, s.name, seconds(origin_, s.begin), seconds(s.begin, s.end)});
    }
    return timeline;
  }

 private:
  struct Span {
    std::string lane, name;
    Query begin, end;
  };
  static void stamp(Query& q) {
    if (!q) q = Query("stage", GL_TIMESTAMP);
    glQueryCounter(q.id(), GL_TIMESTAMP);
  }

  Query origin_;
  std::deque<Span> spans_;
  std::size_t used_ = 0;
};

/// The scan with its views in the order of batches.
Scan reordered(const Scan& scan, const std::vector<std::int64_t>& order) {
  Scan result{scan.detector, {}};
  for (const std::int64_t view : order) result.views.push_back(scan.views[static_cast<std::size_t>(view)]);
  return result;
}

class GlPipeline final : public FdkPipeline {
 public:
  GlPipeline(GlBackend& backend, const Scan& scan, const VolumeGrid& grid, const FdkPipelineOptions& options,
             const std::vector<std::int64_t>& order, const std::vector<Run>& runs)
      : backend_(backend),
        detector_(scan.detector),
        runs_(runs),
        filter_(backend.make_filter(reordered(scan, order), options.filter)),
        operator_(backend.make_ct(grid, filter_->scan(), options.ct)),
        volume_(operator_->make_domain()) {
    for (const Run& run : runs_) {
      batches_.emplace_back(order.begin() + run.first, order.begin() + run.first + run.count);
      most_ = std::max(most_, run.count);
    }
    measured_ = backend.make_array(shape_of(detector_, most_));
    filtered_ = operator_->make_range(most_);
  }
  ~GlPipeline() override { backend_.context().make_current_or_none(); }

  const std::vector<std::vector<std::int64_t>>& batches() const override { return batches_; }
  std::int64_t view_bytes() const override { return detector_.pixels() * std::int64_t{sizeof(float)}; }

  std::span<std::byte> staging(std::int64_t n) override {
    backend_.context().make_current();
    MappedBuffer& room = staging_[n % slots].room;
    if (!room) room = MappedBuffer("measured views", most_ * view_bytes());
    wait_for_staging(n);
    return {room.data(), static_cast<std::size_t>(runs_[static_cast<std::size_t>(n)].count * view_bytes())};
  }

  void wait_for_staging(std::int64_t n) override {
    backend_.context().make_current();
    staging_[n % slots].read.wait();
  }

  void begin(std::span<float> volume) override {
    if (std::ssize(volume) != volume_->count())
      throw Failure("pipeline", fmt::format("a volume of {} values where {} are due", volume.size(), volume_->count()));
    backend_.context().make_current();
    host_ = volume;
    given_ = 0;
    down_ = false;
    clock_.restart();
  }

  void give(std::int64_t n, std::span<const std::byte* const> views) override {
    if (n != given_) throw Failure("pipeline", fmt::format("batch {} given where {} is due", n, given_));
    backend_.context().make_current();
    const Run& run = runs_[static_cast<std::size_t>(n)];
    const std::string name = fmt::format("batch {}, {} views", n, run.count);
    const ArrayPtr measured = backend_.rows(*measured_, 0, run.count),
                   filtered = backend_.rows(*filtered_, 0, run.count);
    const std::vector<MappedMemory::Place> places = reachable(n, views);
    clock_.span("upload", name, [&] { upload(places, as_gl(*measured).textures().front()); });
    staging_[n % slots].read = Fence::here();
    clock_.span("filter", name, [&] { filter_->run_on_device(run.first, *measured, *filtered); });
    clock_.span("backproject", name, [&] {
      operator_->back(*filtered, *volume_, {run.first, run.count, 1}, n == 0 ? Write::overwrite : Write::accumulate);
    });
    ++given_;
    down_ = false;
  }

  const DeviceArray* volume() override { return volume_.get(); }

  void send_down() override {
    if (std::exchange(down_, true)) return;
    backend_.context().make_current();
    const auto* const to = reinterpret_cast<const std::byte*>(host_.data());
    clock_.span("download", "volume", [&] {
      if (const auto place = backend_.mapped().find(to, bytes(volume_->count())))
        for_pieces(std::int64_t{64} << 20, [&](const TransferPiece& p) { pack(p, *place, p.offset); });
      else
        down_by_rooms();
    });
    done_ = Fence::here();
  }

  void finish() override {
    send_down();
    done_.wait();
    backend_.context().check("FDK");
  }

  Faults faults() override { return {}; }

  Timeline timeline() override {
    backend_.context().make_current();
    return clock_.read();
  }
  std::string variant() const override { return operator_->variant() + ", overlapped"; }

 private:
  struct Slot {
    MappedBuffer room;
    Fence read;  ///< signalled when the card has read the buffer
  };

  static std::int64_t bytes(std::int64_t values) { return values * std::int64_t{sizeof(float)}; }

  /// The places from which the card reads the views. If it cannot reach one of them, all are copied to the batch's
  /// staging buffer.
  std::vector<MappedMemory::Place> reachable(std::int64_t n, std::span<const std::byte* const> views) {
    std::vector<MappedMemory::Place> places;
    const MappedBuffer& own = staging_[n % slots].room;
    for (const std::byte* view : views) {
      if (own && view >= own.data() && view < own.data() + own.bytes())
        places.push_back({own.id(), view - own.data()});
      else if (const auto place = backend_.mapped().find(view, view_bytes()))
        places.push_back(*place);
    }
    if (places.size() == views.size()) return places;
    const std::span<std::byte> room = staging(n);
    parallel_for(std::ssize(views), [&](std::int64_t i) {
      std::memcpy(room.data() + i * view_bytes(), views[static_cast<std::size_t>(i)],
                  static_cast<std::size_t>(view_bytes()));
    });
    places.clear();
    for (std::int64_t i = 0; i < std::ssize(views); ++i) places.push_back({own.id(), i * view_bytes()});
    return places;
  }

  /// Uploads the views; consecutive views are one copy.
  void upload(const std::vector<MappedMemory::Place>& places, const Texture& to) {
    for (std::size_t i = 0, next; i < places.size(); i = next) {
      const auto follows = [&](std::size_t v) {
        return places[v].buffer == places[i].buffer &&
               places[v].offset == places[i].offset + static_cast<std::int64_t>(v - i) * view_bytes();
      };
      for (next = i + 1; next < places.size() && follows(next);) ++next;
      const PixelBuffer from(GL_PIXEL_UNPACK_BUFFER, places[i].buffer);
      glTextureSubImage3D(to.storage(), 0, 0, 0, whole(to.storage_layer() + static_cast<std::int64_t>(i)),
                          whole(detector_.columns), whole(detector_.rows), whole(static_cast<std::int64_t>(next - i)),
                          GL_RED, GL_FLOAT, at(places[i].offset));
    }
  }

  template <class F>
  void for_pieces(std::int64_t values, F&& f) {
    const ArrayShape& n = volume_->shape();
    for (const TransferPiece& p : transfer_pieces(n.n0, n.n1, n.n2, values)) f(p);
  }

  /// Copies a piece of the volume to `offset` values behind a place.
  void pack(const TransferPiece& p, const MappedMemory::Place& place, std::int64_t offset) {
    const PixelBuffer to(GL_PIXEL_PACK_BUFFER, place.buffer);
    const std::int64_t n0 = volume_->shape().n0;
    glGetTextureSubImage(as_gl(std::as_const(*volume_)).textures().front().id(), 0, 0, whole(p.first_row),
                         whole(p.first_layer), whole(n0), whole(p.rows), whole(p.layers), GL_RED, GL_FLOAT,
                         whole(bytes(n0 * p.rows * p.layers)), at(place.offset + bytes(offset)));
  }

  /// Downloads to memory that the card cannot reach. One piece is downloaded while the host copies the piece before it.
  void down_by_rooms() {
    struct Piece {
      std::int64_t offset = 0, values = 0;
      Fence down;
    } pieces[2];
    std::int64_t n = 0;
    const auto collect = [&](Piece& piece, const MappedBuffer& room) {
      piece.down.wait();
      float* const to = host_.data() + piece.offset;
      const auto* const from = reinterpret_cast<const float*>(room.data());
      parallel_chunks(
          piece.values, [&](std::int64_t b, std::int64_t e) { std::copy(from + b, from + e, to + b); },
          copied_together / std::int64_t{sizeof(float)});
      piece.values = 0;
    };
    for_pieces(room_bytes / std::int64_t{sizeof(float)}, [&](const TransferPiece& p) {
      MappedBuffer& room = rooms_[n % 2];
      Piece& piece = pieces[n % 2];
      const std::int64_t values = volume_->shape().n0 * p.rows * p.layers;
      if (room.bytes() < bytes(values)) {
        room = {};
        room = MappedBuffer("slices", bytes(values));
      }
      pack(p, {room.id(), 0}, 0);
      piece = {p.offset, values, Fence::here()};
      ++n;
      if (Piece& before = pieces[n % 2]; before.values > 0) collect(before, rooms_[n % 2]);
    });
    for (const std::int64_t i : {n % 2, (n + 1) % 2})
      if (pieces[i].values > 0) collect(pieces[i], rooms_[i]);
  }

  GlBackend& backend_;
  Detector detector_;
  std::vector<Run> runs_;
  std::vector<std::vector<std::int64_t>> batches_;
  std::int64_t most_ = 0;  ///< views of the largest batch
  std::unique_ptr<ProjectionFilter> filter_;
  std::unique_ptr<LinearOperator> operator_;
  ArrayPtr volume_, measured_, filtered_;
  Slot staging_[slots];
  MappedBuffer rooms_[2];
  DeviceTimeline clock_;
  Fence done_;
  std::span<float> host_;
  std::int64_t given_ = 0;  ///< batches given
  bool down_ = false;       ///< whether all given batches have been sent down
};

}  // namespace

std::unique_ptr<FdkPipeline> make_fdk_pipeline(GlBackend& backend, const Scan& scan, const VolumeGrid& grid,
                                               const FdkPipelineOptions& options) {
  if (options.counts || options.slice_count > 0 || options.ct.model != Model::voxel_driven) return nullptr;
  const bool on_host = options.filter.variant == FilterVariant::host ||
                       (options.filter.variant == FilterVariant::automatic && backend.context().limits().software);
  if (on_host || !options.filter.filters() || grid.size[2] > backend.capabilities().most_slices) return nullptr;
  std::vector<std::int64_t> order(scan.views.size());
  std::iota(order.begin(), order.end(), 0);
  std::int64_t together = 1;  // views that stay in one batch
  if (options.ct.packing == Packing::orbit || options.ct.packing == Packing::automatic)
    if (const QuarterTurns turns = find_quarter_turns(scan, grid); turns.refusal.empty())
      order = turns.order(), together = 4;
  const std::vector<std::int64_t> sizes =
      options.batches.empty() ? std::vector<std::int64_t>{8, 16, 32, 64} : options.batches;
  std::vector<Run> runs = layer_batches(std::ssize(order) / together, together, sizes);
  for (Run& run : runs) run = {run.first * together, run.count * together};
  const std::int64_t most = std::ranges::max(runs, {}, &Run::count).count, pixels = scan.detector.pixels();
  const std::int64_t bytes = 4 * (grid.voxels() + 2 * most * pixels) + backend.plan_bytes(grid, scan, options.ct, most);
  if (const std::int64_t memory = backend.capabilities().memory_bytes; memory > 0 && bytes > memory) return nullptr;
  return std::make_unique<GlPipeline>(backend, scan, grid, options, order, runs);
}

std::unique_ptr<FdkPipeline> GlBackend::make_fdk_pipeline(const Scan& scan, const VolumeGrid& grid,
                                                          const FdkPipelineOptions& options) {
  context_->make_current();
  return gl::make_fdk_pipeline(*this, scan, grid, options);
}

}  // namespace backlit::gl
