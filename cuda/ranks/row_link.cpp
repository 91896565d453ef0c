#include "cuda/ranks/row_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include <backlit/core/error.hpp>
#include "cuda/device/cuda_array.hpp"
#include "cuda/device/device_speed.hpp"
#include "cuda/ranks/passage.hpp"

namespace backlit::cuda {
namespace {

constexpr std::int64_t room_bytes = std::int64_t{128} << 20;  // of values that leave at a time

class CardLink final : public RowLink {
 public:
  CardLink(std::unique_ptr<Passage> passage, std::shared_ptr<Ranks> ranks, Stream& stream)
      : passage_(std::move(passage)),
        ranks_(std::move(ranks)),
        stream_(stream),
        device_(current_device()),
        parts_(ranks_->size()) {}

  bool takes(const DeviceArray& array) const override { return dynamic_cast<const CudaArray*>(&array) != nullptr; }

  void add_up(std::span<const IndexRange> common, std::int64_t most, DeviceArray& images) override {
    if (most == 0) return;
    const ArrayShape& s = images.shape();
    // Ranks agree on the number of views at a time: each rank's rows differ, an image's do not.
    const std::int64_t row_bytes = s.n0 * std::int64_t{sizeof(float)},
                       views = std::clamp<std::int64_t>(room_bytes / (most * row_bytes), 1, s.n2);
    linked(most * s.n0 * views, [&] {
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
    // Ranks of other slabs have other sizes, and take as many passes.
    constexpr std::int64_t room = room_bytes / std::int64_t{sizeof(float)};
    const std::int64_t at_once = room / std::max<std::int64_t>(1, members);
    const auto passes = static_cast<std::int64_t>(ranks_->maximum(static_cast<double>((most + at_once - 1) / at_once)));
    linked(room, [&] {
      for (std::int64_t pass = 0; pass < passes; ++pass)
        scatter_sum(ours(slab), parts, pass * at_once, at_once, ours(sum));
    });
  }

  void swap(std::span<const Neighbour> neighbours, const ArrayShape& slice) override {
    std::size_t most = 0;
    for (const Neighbour& n : neighbours) most = std::max(most, n.out.size());
    linked(std::int64_t{2} * static_cast<std::int64_t>(most) * slice.count(), [&] { swap(neighbours, slice.count()); });
  }

 private:
  /// Calls `pass` with room for so many values, the same on all ranks.
  template <class F>
  void linked(std::int64_t values, F&& pass) {
    BACKLIT_CUDA(cudaSetDevice(device_));
    passage_->make_room(values);
    try {
      pass();
    } catch (...) {
      // What waits for a failed rank would never end, and whoever frees memory of this device would wait for it.
      passage_->abort();
      throw;
    }
  }

  void swap(std::span<const Neighbour> neighbours, std::int64_t slice) {
    const auto copy = [&](const float* from, float* to) {
      BACKLIT_CUDA(cudaMemcpyAsync(to, from, static_cast<std::size_t>(slice) * sizeof(float), cudaMemcpyDeviceToDevice,
                                   stream_));
    };
    std::vector<Passage::Message> messages;
    std::int64_t at = 0;
    for (const Neighbour& n : neighbours) {
      messages.push_back({n.rank, at, std::ssize(n.out) * slice, std::ssize(n.in) * slice});
      for (const ArrayPtr& out : n.out) copy(ours(*out).data(), passage_->room() + std::exchange(at, at + slice));
    }
    const std::vector<const float*> come = passage_->pass(messages);
    for (std::size_t m = 0; m < come.size(); ++m)
      for (std::size_t i = 0; i < neighbours[m].in.size(); ++i)
        copy(come[m] + static_cast<std::int64_t>(i) * slice, ours(*neighbours[m].in[i]).data());
    passage_->done();
  }

  /// What is added up, in the order of ranks.
  struct Summand {
    IndexRange rows;
    int message;  ///< that brings it; -1: this rank's own
  };

  void add_up(std::span<const IndexRange> common, const ArrayShape& s, float* images) {
    std::vector<Passage::Message> messages;
    std::vector<Summand> summands;
    std::int64_t at = 0;
    const auto row_bytes = static_cast<std::size_t>(s.n0) * sizeof(float),
               image_bytes = static_cast<std::size_t>(s.n1) * row_bytes;
    for (int r = 0; r < ranks_->size(); ++r) {
      const IndexRange& rows = common[static_cast<std::size_t>(r)];
      if (r == ranks_->rank()) summands.push_back({{}, -1});
      if (rows.count == 0) continue;
      const auto bytes = static_cast<std::size_t>(rows.count) * row_bytes;
      BACKLIT_CUDA(cudaMemcpy2DAsync(passage_->room() + at, bytes, images + rows.first * s.n0, image_bytes, bytes,
                                     static_cast<std::size_t>(s.n2), cudaMemcpyDeviceToDevice, stream_));
      const std::int64_t count = rows.count * s.n0 * s.n2;
      summands.push_back({rows, static_cast<int>(messages.size())});
      messages.push_back({r, at, count, count});
      at += count;
    }
    add(messages, summands, images, s);
  }

  /// Of each part, at most `at_once` values behind the first `done`.
  void scatter_sum(const CudaArray& slab, std::span<const IndexRange> parts, std::int64_t done, std::int64_t at_once,
                   CudaArray& sum) {
    const std::int64_t slice = slab.shape().n0 * slab.shape().n1;
    const auto values = [&](const IndexRange& p) {
      return std::clamp<std::int64_t>(p.count * slice - done, 0, at_once);
    };
    const auto copy = [&](const IndexRange& p, float* to) {
      BACKLIT_CUDA(cudaMemcpyAsync(to, slab.data() + p.first * slice + done,
                                   static_cast<std::size_t>(values(p)) * sizeof(float), cudaMemcpyDeviceToDevice,
                                   stream_));
    };
    const IndexRange& mine = parts[static_cast<std::size_t>(ranks_->rank())];
    const std::int64_t own = values(mine);
    if (own > 0) copy(mine, sum.data() + done);
    std::vector<Passage::Message> messages;
    std::vector<Summand> summands;
    std::int64_t at = 0;
    for (int r = 0; r < ranks_->size(); ++r) {
      const IndexRange& theirs = parts[static_cast<std::size_t>(r)];
      if (r == ranks_->rank()) summands.push_back({{}, -1});
      if (r == ranks_->rank() || theirs.count == 0) continue;
      const std::int64_t out = values(theirs);
      if (out > 0) copy(theirs, passage_->room() + at);
      if (own > 0) summands.push_back({{0, 1}, static_cast<int>(messages.size())});
      messages.push_back({r, at, out, own});
      at += out;
    }
    add(messages, summands, sum.data() + done, {own, 1, 1});
  }

  void add(std::span<const Passage::Message> messages, std::span<const Summand> summands, float* values,
           const ArrayShape& s) {
    const std::vector<const float*> come = passage_->pass(messages);
    std::vector<RankRows> parts;
    for (const Summand& a : summands)
      parts.push_back({a.rows, a.message < 0 ? nullptr : come[static_cast<std::size_t>(a.message)]});
    if (parts.size() > 1) {
      BACKLIT_CUDA(cudaMemcpyAsync(parts_.data(), parts.data(), parts.size() * sizeof(RankRows), cudaMemcpyHostToDevice,
                                   stream_));
      add_rows(stream_, values, s.n0, s.n1, s.n2, parts_.data(), static_cast<int>(parts.size()));
    }
    passage_->done();
  }

  std::unique_ptr<Passage> passage_;
  std::shared_ptr<Ranks> ranks_;
  Stream& stream_;
  int device_;
  DeviceBuffer<RankRows> parts_;
};

/// Whether BACKLIT_LINK allows this way on all ranks; it does where it is not set.
bool allowed(Ranks& ranks, std::string_view way) {
  const char* const text = std::getenv("BACKLIT_LINK");
  const std::string_view wanted = text ? text : way;
  if (wanted != "nccl" && wanted != "shared" && wanted != "host")
    throw InputError("BACKLIT_LINK", fmt::format("'{}' is no way between ranks", wanted),
                     "set it to nccl, shared or host, or unset it");
  return ranks.minimum(wanted == way ? 1 : 0) > 0;
}

}  // namespace

std::unique_ptr<RowLink> link_rows(std::shared_ptr<Ranks> ranks, bool own_cards, Stream& stream) {
  std::unique_ptr<Passage> passage;
  if (allowed(*ranks, "shared")) passage = make_shared_passage(ranks, stream);
  if (!passage && own_cards && allowed(*ranks, "nccl")) passage = make_nccl_passage(ranks, stream);
  if (!passage) return nullptr;
  return std::make_unique<CardLink>(std::move(passage), std::move(ranks), stream);
}

}  // namespace backlit::cuda
