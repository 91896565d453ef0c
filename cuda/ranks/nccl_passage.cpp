#include <thread>
#include <utility>

#include <backlit/core/error.hpp>
#include "cuda/device/event.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/ranks/communicator.hpp"
#include "cuda/ranks/passage.hpp"

namespace backlit::cuda {
namespace {

class NcclPassage final : public Passage {
 public:
  NcclPassage(const Nccl& nccl, std::shared_ptr<Ranks> ranks, Stream& stream)
      : nccl_(nccl),
        ranks_(std::move(ranks)),
        stream_(stream),
        done_(Event::Timing::off),
        communicator_(nccl, ranks_) {}

  void make_room(std::int64_t values) override {
    if (communicator_.lost()) throw Failure("NCCL", "the link between ranks is lost", "start the run again");
    if (out_.count() < values) {
      stream_.wait();
      out_ = DeviceBuffer<float>(values);
      in_ = DeviceBuffer<float>(values);
      ranks_->maximum(0);  // goes on when each rank has its room
    }
    communicator_.settle("linking ranks");
  }

  float* room() override { return out_.data(); }

  std::vector<const float*> pass(std::span<const Message> messages) override {
    std::vector<const float*> come;
    std::int64_t at = 0;
    nccl_.check(nccl_.GroupStart(), "starting messages");
    for (const Message& m : messages) {
      come.push_back(in_.data() + at);
      if (m.out_count > 0)
        nccl_.check(nccl_.Send(out_.data() + m.out, static_cast<std::size_t>(m.out_count), Nccl::float32, m.rank,
                               communicator_, stream_),
                    "sending values");
      if (m.in_count > 0)
        nccl_.check(nccl_.Recv(in_.data() + at, static_cast<std::size_t>(m.in_count), Nccl::float32, m.rank,
                               communicator_, stream_),
                    "receiving values");
      at += m.in_count;
    }
    nccl_.check(nccl_.GroupEnd(), "passing values");
    communicator_.settle("passing values");
    return come;
  }

  /// The host looks whether other ranks failed.
  void done() override {
    done_.record(stream_);
    for (cudaError_t state; (state = cudaEventQuery(done_)) != cudaSuccess; std::this_thread::yield()) {
      if (state != cudaErrorNotReady) check(state, "passing values");
      ranks_->check();
    }
  }

  void abort() override { communicator_.abort(); }

 private:
  const Nccl& nccl_;
  std::shared_ptr<Ranks> ranks_;
  Stream& stream_;
  Event done_;
  DeviceBuffer<float> out_, in_;
  Communicator communicator_;  ///< ends before the memory of its messages goes
};

}  // namespace

std::unique_ptr<Passage> make_nccl_passage(const std::shared_ptr<Ranks>& ranks, Stream& stream) {
  const Nccl* const nccl = find_nccl();
  if (ranks->minimum(nccl ? 1 : 0) < 1) return nullptr;
  return std::make_unique<NcclPassage>(*nccl, ranks, stream);
}

}  // namespace backlit::cuda
