// Slices go to a thread of their own, in order, while further ones are made.
#include <catch2/catch.hpp>

#include <condition_variable>
#include <mutex>
#include <thread>

#include <backlit/core/error.hpp>
#include "recon/session/handover.hpp"

using namespace backlit;

namespace handover_test {
namespace {

std::shared_ptr<std::byte> memory(std::int64_t bytes) {
  return {new std::byte[static_cast<std::size_t>(bytes)], std::default_delete<std::byte[]>()};
}

/// Keeps a thread until it is opened.
class Gate {
 public:
  void open() {
    const std::scoped_lock lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

/// Gives slices 0 to count - 1, each of its own number.
void give(Handover& handover, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::span<float> room = handover.room();
    std::ranges::fill(room, static_cast<float>(i));
    handover.give(i, room);
  }
}

}  // namespace

TEST_CASE("a slab is made while slices of the one before are still being taken") {
  Gate gate;
  std::vector<float> taken;
  std::thread::id by;
  const auto take = [&](std::int64_t first, std::span<float> slices) {
    gate.pass();
    by = std::this_thread::get_id();
    CHECK(slices.size() == 5);
    CHECK(slices.back() == static_cast<float>(first));
    taken.push_back(slices.front());
  };
  int rooms = 0;
  Handover handover(take, true, 5, 4, [&](std::int64_t bytes) {
    ++rooms;
    return memory(bytes);
  });
  give(handover, 4);  // would never end if it waited for the first to be taken
  CHECK(rooms == 4);
  gate.open();
  give(handover, 3);
  handover.finish();
  CHECK(taken == std::vector<float>{0, 1, 2, 3, 0, 1, 2});
  CHECK(rooms == 4);
  CHECK(by != std::this_thread::get_id());
}

TEST_CASE("without a thread behind, slices are taken where they are given, from one room") {
  std::vector<float> taken;
  int rooms = 0;
  const auto take = [&](std::int64_t, std::span<float> slices) { taken.push_back(slices.front()); };
  Handover handover(take, false, 1, 4, [&](std::int64_t bytes) {
    ++rooms;
    return memory(bytes);
  });
  give(handover, 3);
  CHECK(taken == std::vector<float>{0, 1, 2});
  CHECK(rooms == 1);
  CHECK_NOTHROW(handover.finish());
}

TEST_CASE("what the taker throws is thrown to the giver, and nothing more is taken") {
  int taken = 0;
  const auto take = [&](std::int64_t first, std::span<float>) {
    ++taken;
    if (first == 1) throw Failure("x.mha", "could not be written");
  };
  Handover handover(take, true, 1, 8, memory);
  CHECK_THROWS_WITH(
      [&] {
        give(handover, 3);
        handover.finish();
      }(),
      "x.mha: could not be written");
  CHECK_THROWS_WITH(handover.room(), "x.mha: could not be written");
  CHECK(taken == 2);
}

}  // namespace handover_test
