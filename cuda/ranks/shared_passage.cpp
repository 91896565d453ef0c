#include <algorithm>
#include <cstdint>
#include <exception>
#include <random>
#include <utility>

#include "cuda/device/memory.hpp"
#include "cuda/ranks/passage.hpp"

namespace backlit::cuda {
namespace {

constexpr std::int64_t least_room = std::int64_t{2} << 20;  // values; such memory is shared from its first byte on

/// Where the room of a rank lies. Ranks that are threads of one process have its addresses.
struct Place {
  std::uint64_t process;  ///< a number that no other process has; containers may have equal process ids
  int device;
  float* address;
  cudaIpcMemHandle_t handle;
};

std::uint64_t this_process() {
  static const std::uint64_t number = [] {
    std::random_device source;
    return std::uint64_t{source()} << 32 | source();
  }();
  return number;
}

/// The room of another rank, reached from this process.
class Opened {
 public:
  explicit Opened(const Place& place, int device) {
    if (place.process == this_process()) {
      if (place.device == device) address_ = place.address;
      return;
    }
    void* address = nullptr;
    opened_ = cudaIpcOpenMemHandle(&address, place.handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
    if (opened_)
      address_ = static_cast<float*>(address);
    else
      cudaGetLastError();  // it is no failure of later calls
  }
  ~Opened() {
    if (opened_) cudaIpcCloseMemHandle(address_);
  }
  Opened(Opened&& other) noexcept
      : opened_(std::exchange(other.opened_, false)), address_(std::exchange(other.address_, nullptr)) {}
  Opened& operator=(Opened&&) = delete;

  const float* address() const { return address_; }

 private:
  bool opened_ = false;
  float* address_ = nullptr;
};

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

class SharedPassage final : public Passage {
 public:
  SharedPassage(std::shared_ptr<Ranks> ranks, Stream& stream) : ranks_(std::move(ranks)), stream_(stream) {}

  /// A room may go once no rank has it open. After a failure others do not come here, and nobody waits for them.
  ~SharedPassage() override {
    others_.clear();
    if (std::uncaught_exceptions() > 0) return;
    try {
      ranks_->maximum(0);
    } catch (const std::exception&) {
      return;  // another rank has failed and says so
    }
  }

  void make_room(std::int64_t values) override {
    if (out_.count() >= values) return;
    stream_.wait();
    others_.clear();
    ranks_->maximum(0);  // no rank has the old room open
    out_ = DeviceBuffer<float>(std::max(values, least_room));
    open();
  }

  /// Whether this rank reaches all others.
  bool reaches_all() const {
    for (std::size_t r = 0; r < others_.size(); ++r)
      if (static_cast<int>(r) != ranks_->rank() && !others_[r].address()) return false;
    return true;
  }

  float* room() override { return out_.data(); }

  /// Where a rank's values begin goes to it as the message.
  std::vector<const float*> pass(std::span<const Message> messages) override {
    const auto size = static_cast<std::size_t>(ranks_->size());
    std::vector<std::int64_t> begin(size);
    Ranks::Out out(size);
    Ranks::In in(size);
    for (const Message& m : messages) {
      const auto r = static_cast<std::size_t>(m.rank);
      if (m.out_count > 0) out[r] = bytes_of(m.out);
      if (m.in_count > 0) in[r] = std::as_writable_bytes(std::span(&begin[r], 1));
    }
    stream_.wait();
    ranks_->exchange(out, in);
    std::vector<const float*> come;
    for (const Message& m : messages) {
      const auto r = static_cast<std::size_t>(m.rank);
      come.push_back(others_[r].address() + begin[r]);
    }
    return come;
  }

  void done() override {
    stream_.wait();
    ranks_->maximum(0);
  }

  void abort() override {}

 private:
  void open() {
    Place mine{this_process(), current_device(), out_.data(), {}};
    if (cudaIpcGetMemHandle(&mine.handle, out_.data()) != cudaSuccess) cudaGetLastError();
    const auto size = static_cast<std::size_t>(ranks_->size());
    std::vector<Place> places(size);
    Ranks::Out out(size);
    Ranks::In in(size);
    for (std::size_t r = 0; r < size; ++r) {
      if (static_cast<int>(r) == ranks_->rank()) continue;
      out[r] = bytes_of(mine);
      in[r] = std::as_writable_bytes(std::span(&places[r], 1));
    }
    ranks_->exchange(out, in);
    for (std::size_t r = 0; r < size; ++r)
      others_.emplace_back(static_cast<int>(r) == ranks_->rank() ? mine : places[r], mine.device);
  }

  std::shared_ptr<Ranks> ranks_;
  Stream& stream_;
  DeviceBuffer<float> out_;
  std::vector<Opened> others_;  ///< a rank each
};

}  // namespace

std::unique_ptr<Passage> make_shared_passage(const std::shared_ptr<Ranks>& ranks, Stream& stream) {
  if (ranks->minimum(ranks->local_size() == ranks->size() ? 1 : 0) < 1) return nullptr;
  auto passage = std::make_unique<SharedPassage>(ranks, stream);
  passage->make_room(1);
  return ranks->minimum(passage->reaches_all() ? 1 : 0) < 1 ? nullptr : std::move(passage);
}

}  // namespace backlit::cuda
