#include "cuda/ranks/row_link.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <backlit/core/error.hpp>
#include "cuda/device/cuda_array.hpp"
#include "cuda/device/device_speed.hpp"
#include "cuda/device/event.hpp"
#include "cuda/ranks/communicator.hpp"

namespace backlit::cuda {
namespace {

constexpr std::int64_t room_bytes = std::int64_t{128} << 20;  // of rows that leave at a time, and of rows that come

class NcclLink final : public RowLink {
 public:
  NcclLink(const Nccl& nccl, std::shared_ptr<Ranks> ranks, Stream& stream)
      : nccl_(nccl),
        ranks_(std::move(ranks)),
        stream_(stream),
        device_(current_device()),
        done_(Event::Timing::off),
        communicator_(nccl, ranks_) {}

  bool takes(const DeviceArray& array) const override { return dynamic_cast<const CudaArray*>(&array) != nullptr; }

  void add_up(std::span<const IndexRange> common, DeviceArray& images) override {
    const ArrayShape& s = images.shape();
    std::int64_t rows = 0;
    for (const IndexRange& r : common) rows += r.count;
    // Ranks agree on the number of views at a time: each rank's rows differ, an image's do not.
    const auto most_rows = static_cast<std::int64_t>(ranks_->maximum(static_cast<double>(rows)));
    if (most_rows == 0) return;
    const std::int64_t row_bytes = s.n0 * std::int64_t{sizeof(float)},
                       views = std::clamp<std::int64_t>(room_bytes / (most_rows * row_bytes), 1, s.n2);
    linked(most_rows * s.n0 * views, std::ssize(common), [&] {
      for (std::int64_t first = 0; first < s.n2; first += views)
        add_up(common, {s.n0, s.n1, std::min(views, s.n2 - first)}, ours(images).data() + first * s.n0 * s.n1);
    });
  }

  void scatter_sum(const DeviceArray& slab, std::span<const IndexRange> parts, DeviceArray& sum) override {
    const ArrayShape& s = slab.shape();
    std::int64_t members = 0, most = 0;
    for (const IndexRange& p : parts) {
      members += p.count > 0 ? 1 : 0;
      most = std::max(most, p.count * s.n0 * s.n1);
    }
    constexpr std::int64_t room = room_bytes / std::int64_t{sizeof(float)};
    const std::int64_t at_once = room / std::max<std::int64_t>(1, members);
    linked(room, std::ssize(parts), [&] {
      for (std::int64_t done = 0; done < most; done += at_once)
        scatter_sum(ours(slab), parts, done, at_once, ours(sum));
    });
  }

 private:
  /// Calls `pass` with room for so many values that leave and come, the same on all ranks, and for rows of `parts`
  /// ranks; waits until all is done.
  template <class F>
  void linked(std::int64_t values, std::int64_t parts, F&& pass) {
    BACKLIT_CUDA(cudaSetDevice(device_));
    if (communicator_.lost()) throw Failure("NCCL", "the link between ranks is lost", "start the run again");
    make_room(values, parts);
    try {
      communicator_.settle("linking ranks");
      pass();
      wait();
    } catch (...) {
      // What waits for a failed rank would never end, and whoever frees memory of this device would wait for it.
      communicator_.abort();
      throw;
    }
  }

  /// `values`: the same on all ranks, which go on when each has its room.
  void make_room(std::int64_t values, std::int64_t parts) {
    if (out_.count() >= values) return;
    stream_.wait();
    out_ = DeviceBuffer<float>(values);
    in_ = DeviceBuffer<float>(values);
    parts_ = DeviceBuffer<RankRows>(parts);
    ranks_->maximum(0);
  }

  void add_up(std::span<const IndexRange> common, const ArrayShape& s, float* images) {
    std::vector<RankRows> parts;
    std::int64_t at = 0;
    const auto row_bytes = static_cast<std::size_t>(s.n0) * sizeof(float),
               image_bytes = static_cast<std::size_t>(s.n1) * row_bytes;
    nccl_.check(nccl_.GroupStart(), "starting messages");
    for (std::size_t r = 0; r < common.size(); ++r) {
      if (static_cast<int>(r) == ranks_->rank()) parts.push_back({{}, nullptr});
      const IndexRange& rows = common[r];
      if (rows.count == 0) continue;
      const auto bytes = static_cast<std::size_t>(rows.count) * row_bytes;
      BACKLIT_CUDA(cudaMemcpy2DAsync(out_.data() + at, bytes, images + rows.first * s.n0, image_bytes, bytes,
                                     static_cast<std::size_t>(s.n2), cudaMemcpyDeviceToDevice, stream_));
      const auto count = static_cast<std::size_t>(rows.count * s.n0 * s.n2);
      nccl_.check(nccl_.Send(out_.data() + at, count, Nccl::float32, static_cast<int>(r), communicator_, stream_),
                  "sending rows");
      nccl_.check(nccl_.Recv(in_.data() + at, count, Nccl::float32, static_cast<int>(r), communicator_, stream_),
                  "receiving rows");
      parts.push_back({rows, in_.data() + at});
      at += static_cast<std::int64_t>(count);
    }
    nccl_.check(nccl_.GroupEnd(), "passing rows");
    communicator_.settle("passing rows");
    if (parts.size() < 2) return;
    BACKLIT_CUDA(
        cudaMemcpyAsync(parts_.data(), parts.data(), parts.size() * sizeof(RankRows), cudaMemcpyHostToDevice, stream_));
    add_rows(stream_, images, s.n0, s.n1, s.n2, parts_.data(), static_cast<int>(parts.size()));
  }

  /// Of each part, at most `at_once` values behind the first `done`.
  void scatter_sum(const CudaArray& slab, std::span<const IndexRange> parts, std::int64_t done, std::int64_t at_once,
                   CudaArray& sum) {
    const std::int64_t slice = slab.shape().n0 * slab.shape().n1;
    const auto values = [&](const IndexRange& p) {
      return std::clamp<std::int64_t>(p.count * slice - done, 0, at_once);
    };
    const auto from = [&](const IndexRange& p) { return slab.data() + p.first * slice + done; };
    const IndexRange& mine = parts[static_cast<std::size_t>(ranks_->rank())];
    const std::int64_t own = values(mine);
    const IndexRange all{0, 1};
    std::vector<RankRows> summands;
    nccl_.check(nccl_.GroupStart(), "starting messages");
    for (int r = 0; r < ranks_->size(); ++r) {
      const IndexRange& theirs = parts[static_cast<std::size_t>(r)];
      if (r == ranks_->rank()) summands.push_back({all, nullptr});
      if (r == ranks_->rank() || theirs.count == 0) continue;
      if (const std::int64_t n = values(theirs); n > 0)
        nccl_.check(nccl_.Send(from(theirs), static_cast<std::size_t>(n), Nccl::float32, r, communicator_, stream_),
                    "sending slices");
      if (own == 0) continue;
      float* const room = in_.data() + std::ssize(summands) * at_once;
      nccl_.check(nccl_.Recv(room, static_cast<std::size_t>(own), Nccl::float32, r, communicator_, stream_),
                  "receiving slices");
      summands.push_back({all, room});
    }
    nccl_.check(nccl_.GroupEnd(), "passing slices");
    communicator_.settle("passing slices");
    if (own == 0) return;
    float* const to = sum.data() + done;
    BACKLIT_CUDA(cudaMemcpyAsync(to, from(mine), static_cast<std::size_t>(own) * sizeof(float),
                                 cudaMemcpyDeviceToDevice, stream_));
    BACKLIT_CUDA(cudaMemcpyAsync(parts_.data(), summands.data(), summands.size() * sizeof(RankRows),
                                 cudaMemcpyHostToDevice, stream_));
    add_rows(stream_, to, own, 1, 1, parts_.data(), static_cast<int>(summands.size()));
  }

  /// The host looks whether other ranks failed.
  void wait() {
    done_.record(stream_);
    for (cudaError_t state; (state = cudaEventQuery(done_)) != cudaSuccess; std::this_thread::yield()) {
      if (state != cudaErrorNotReady) check(state, "passing rows");
      ranks_->check();
    }
  }

  const Nccl& nccl_;
  std::shared_ptr<Ranks> ranks_;
  Stream& stream_;
  int device_;
  Event done_;
  DeviceBuffer<float> out_, in_;
  DeviceBuffer<RankRows> parts_;
  Communicator communicator_;  ///< ends before the memory of its messages goes
};

}  // namespace

bool links_rows() {
  const char* const wanted = std::getenv("BACKLIT_NCCL");
  return !(wanted && std::strcmp(wanted, "0") == 0) && find_nccl();
}

std::unique_ptr<RowLink> link_rows(std::shared_ptr<Ranks> ranks, Stream& stream) {
  return std::make_unique<NcclLink>(*find_nccl(), std::move(ranks), stream);
}

}  // namespace backlit::cuda
