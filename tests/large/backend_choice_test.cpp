// What "auto" does when a backend lacks what is asked, does not start, or fails.
#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include "device/cpu/cpu_backend.hpp"

using namespace backlit;

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

TEST_CASE("what no backend offers is the last one's error") {
  const Registered registered(fake);
  const auto never = [](Backend& backend) { throw Unsupported("model", backend.name() + " has none", "take another"); };
  std::vector<std::string> passed_over;
  CHECK_THROWS_WITH(make_backend("auto", {}, never, &passed_over), "model: cpu has none; take another");
  CHECK(passed_over.size() == backend_names().size());
}
