// The way of values from a card to those of other ranks.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <backlit/device/ranks.hpp>
#include "cuda/device/launch.hpp"

namespace backlit::cuda {

class Passage {
 public:
  virtual ~Passage() = default;

  /// `out`: first of the values in room() that go to `rank`; `out_count` of them go, `in_count` come from there.
  struct Message {
    int rank;
    std::int64_t out, out_count, in_count;
  };

  /// Room for `values` that leave, and as many that come: the same on all ranks, which all call it.
  virtual void make_room(std::int64_t values) = 0;
  /// Holds what leaves; the stream fills it.
  virtual float* room() = 0;
  /// Passes what is in room() when the stream gets here. Returns where the stream finds what each message's rank sent,
  /// until done(). All ranks call it, also without messages.
  virtual std::vector<const float*> pass(std::span<const Message>) = 0;
  /// Waits until the stream is done with what has come. All ranks call it.
  virtual void done() = 0;
  /// Ends what waits for a failed rank. The passage is of no more use.
  virtual void abort() = 0;
};

/// By NCCL, which links cards of any machines, one a rank. Null where a rank has no NCCL.
std::unique_ptr<Passage> make_nccl_passage(const std::shared_ptr<Ranks>&, Stream&);

/// By memory that the ranks of one machine share, on one card or on linked ones (CUDA IPC). Null where a rank cannot
/// reach the memory of another.
std::unique_ptr<Passage> make_shared_passage(const std::shared_ptr<Ranks>&, Stream&);

}  // namespace backlit::cuda
