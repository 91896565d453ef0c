// What "auto" does when a backend lacks what is asked, does not start, or fails.
#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "device/shared_arrays.hpp"
#include "device/shares_card.hpp"
#include "large/thread_ranks.hpp"

using namespace backlit;
using namespace backlit::test;
using Catch::Matchers::Contains;

namespace {

/// Registers a backend for the life of a test; afterwards one of its name does not start.
struct Registered {
  explicit Registered(BackendFactory factory) { register_backend("fake", std::move(factory)); }
  ~Registered() {
    register_backend("fake", [](const BackendOptions&) -> std::unique_ptr<Backend> {
      throw Failure("backend fake", "was for a test");
    });
  }
};

std::unique_ptr<Backend> fake(const BackendOptions& options) { return std::make_unique<CpuBackend>(options); }

}  // namespace

TEST_CASE("auto takes the next backend when one lacks what is asked, and says why") {
  const Registered registered(fake);
  std::vector<std::string> passed_over;
  int asked = 0;
  const auto picky = [&](Backend&) {
    if (++asked == 1) throw Unsupported("model", "the fake has no rays", "choose another");
  };
  const auto backend = make_backend("auto", {}, picky, &passed_over);
  REQUIRE(backend);
  CHECK(asked == 2);
  REQUIRE_FALSE(passed_over.empty());
  CHECK(passed_over.front() == "fake passed over: model: the fake has no rays; choose another");
  // Asked for by name there is no next one.
  asked = 0;
  CHECK_THROWS_AS(make_backend("fake", {}, picky), Unsupported);
  // The first that can is taken.
  CHECK(make_backend("auto", {}, [](Backend&) {})->name() == "cpu");  // the fake, which is one
}

TEST_CASE("auto takes the next backend when one does not start, other errors are the user's") {
  std::vector<std::string> passed_over;
  {
    const Registered registered(
        [](const BackendOptions&) -> std::unique_ptr<Backend> { throw Failure("backend fake", "no such device"); });
    CHECK(make_backend("auto", {}, {}, &passed_over));
    REQUIRE_FALSE(passed_over.empty());
    CHECK(passed_over.front() == "fake does not start: backend fake: no such device");
  }
  const Registered registered(fake);
  const auto wrong = [](Backend&) { throw InputError("volume", "no voxels"); };
  CHECK_THROWS_WITH(make_backend("auto", {}, wrong), "volume: no voxels");
}

TEST_CASE("ranks whose devices differ say which works with what, and why") {
  const Registered registered([](const BackendOptions& options) -> std::unique_ptr<Backend> {
    struct Card final : CpuBackend {
      using CpuBackend::CpuBackend;
      std::string name() const override { return "fake"; }
    };
    if (options.device == 1) throw Failure("backend fake", "no such device");  // a rank's number on its machine
    return std::make_unique<Card>(options);
  });
  std::vector<std::string> said(3);
  const auto choose = [&](const std::shared_ptr<Ranks>& ranks, const BackendUse& use) {
    share_among(ranks);
    const std::shared_ptr<void> alone(nullptr, [](void*) { share_among(nullptr); });
    const auto backend = make_backend("auto", {}, use);
    said[static_cast<std::size_t>(ranks->rank())] = unlike_devices(*backend);
  };
  in_ranks(3, [&](const std::shared_ptr<Ranks>& ranks) { choose(ranks, [](Backend&) {}); });
  for (const std::string& sentence : said) {
    CHECK_THAT(sentence, Contains("rank 0 on node and rank 2 on node work with fake;"));
    CHECK_THAT(sentence, Contains("rank 1 on node works with cpu (fake does not start: backend fake: no such device"));
  }
  in_ranks(1, [&](const std::shared_ptr<Ranks>& ranks) { choose(ranks, [](Backend&) {}); });
  CHECK(said[0].empty());
  // What one kind of device lacks would leave that rank behind; what all lack is passed over by all.
  const auto lacks = [](Backend&) { throw Unsupported("model", "has no rays"); };
  CHECK_THROWS_WITH(in_ranks(2, [&](const auto& ranks) { choose(ranks, lacks); }),
                    Contains("model: has no rays") && Contains("rank 1 on node works with cpu"));
}

TEST_CASE("ranks that share a card share its memory, and a budget that was given stays") {
  struct Card final : CpuBackend, SharesCard {
    explicit Card(const BackendOptions& options) : CpuBackend(options), number(options.device / 2) {}
    Capabilities capabilities() const override { return {.memory_bytes = memory}; }
    std::string card_name() const override { return std::string(1, static_cast<char>(number)); }
    void share_card(std::int64_t processes) override { memory /= processes; }
    std::int64_t number, memory = 1200;
  };
  const Registered registered(
      [](const BackendOptions& options) -> std::unique_ptr<Backend> { return std::make_unique<Card>(options); });
  for (const std::int64_t given : {0, 700}) {
    std::vector<std::int64_t> memory(3);
    in_ranks(3, [&](const std::shared_ptr<Ranks>& ranks) {
      share_among(ranks);
      const std::shared_ptr<void> alone(nullptr, [](void*) { share_among(nullptr); });
      BackendOptions options;
      options.memory_bytes = given;
      const auto twice = [](Backend& backend) { dynamic_cast<SharedArrays&>(backend).compare_devices({}); };
      const auto backend = make_backend("fake", options, twice);
      memory[static_cast<std::size_t>(ranks->rank())] = backend->capabilities().memory_bytes;
    });
    // Ranks 0 and 1 have the first card, rank 2 the second.
    CHECK(memory == (given > 0 ? std::vector<std::int64_t>{700, 700, 700} : std::vector<std::int64_t>{600, 600, 1200}));
  }
}

TEST_CASE("what no backend offers is the last one's error") {
  const Registered registered(fake);
  const auto never = [](Backend& backend) { throw Unsupported("model", backend.name() + " has none", "take another"); };
  std::vector<std::string> passed_over;
  CHECK_THROWS_WITH(make_backend("auto", {}, never, &passed_over), "model: cpu has none; take another");
  CHECK(passed_over.size() == backend_names().size());
}
