// The link between cards, with functions in NCCL's place: needs no card.
#include <catch2/catch.hpp>

#include <atomic>

#include <backlit/core/error.hpp>
#include "cuda/ranks/communicator.hpp"
#include "large/thread_ranks.hpp"

using namespace backlit;
using namespace backlit::test;
using Catch::Matchers::Contains;
using cuda::Communicator;
using cuda::Nccl;

namespace {

/// What the library would be told, by all ranks. A link is ready after so many looks; a negative number: never.
struct Library {
  std::atomic<int> looks_until_ready{3}, state_then{0};
  std::atomic<int> linked{0}, looks{0}, finalized{0}, destroyed{0}, aborted{0};
} library;

int a_link;  // what communicators point to

Nccl functions() {
  Nccl n;
  n.GetUniqueId = [](Nccl::Id* id) {
    id->bytes[0] = 'x';
    return 0;
  };
  n.CommInitRankConfig = [](Nccl::Communicator* link, int, Nccl::Id id, int, Nccl::Config* config) {
    if (id.bytes[0] != 'x' || config->blocking != 0 || config->size != 24) return 4;
    *link = &a_link;
    ++library.linked;
    return Nccl::in_progress;
  };
  n.CommGetAsyncError = [](Nccl::Communicator, int* state) {
    const int looks = ++library.looks, until = library.looks_until_ready;
    *state = until < 0 || looks < until ? Nccl::in_progress : library.state_then.load();
    return 0;
  };
  n.CommFinalize = [](Nccl::Communicator) { return ++library.finalized, Nccl::in_progress; };
  n.CommDestroy = [](Nccl::Communicator) { return ++library.destroyed, 0; };
  n.CommAbort = [](Nccl::Communicator) { return ++library.aborted, 0; };
  n.GetErrorString = [](int) { return "remote process exited"; };
  return n;
}

void begin(int looks_until_ready, int state_then = 0) {
  library.looks_until_ready = looks_until_ready;
  library.state_then = state_then;
  for (auto* count : {&library.linked, &library.looks, &library.finalized, &library.destroyed, &library.aborted})
    *count = 0;
}

}  // namespace

TEST_CASE("A link that becomes ready is ended in good order") {
  const Nccl nccl = functions();
  begin(1000);
  in_ranks(2, [&](const std::shared_ptr<Ranks>& ranks) {
    Communicator link(nccl, ranks);
    link.settle("linking ranks");
    CHECK_FALSE(link.lost());
  });
  CHECK(library.linked == 2);
  CHECK(library.looks >= 1000);
  CHECK(library.finalized == 2);
  CHECK(library.destroyed == 2);
  CHECK(library.aborted == 0);
}

TEST_CASE("A link that another rank never joins ends when that rank fails") {
  const Nccl nccl = functions();
  begin(-1);
  const bool waits = GENERATE(true, false);  // or leaves, with its link unfinished
  CHECK_THROWS_WITH(in_ranks(2,
                             [&](const std::shared_ptr<Ranks>& ranks) {
                               Communicator link(nccl, ranks);
                               if (ranks->rank() == 1) {
                                 link.abort();
                                 throw Failure("disk", "is full");
                               }
                               if (waits) link.settle("linking ranks");
                             }),
                    Contains(waits ? "another rank failed" : "disk: is full"));
  CHECK(library.aborted == 2);
  CHECK(library.destroyed == 0);
}

TEST_CASE("A rank that fails elsewhere gives up its link and waits for nobody") {
  const Nccl nccl = functions();
  begin(1);
  CHECK_THROWS_WITH(in_ranks(1,
                             [&](const std::shared_ptr<Ranks>& ranks) {
                               Communicator link(nccl, ranks);
                               link.settle("linking ranks");
                               throw Failure("disk", "is full");
                             }),
                    Contains("disk: is full"));
  CHECK(library.aborted == 1);
  CHECK(library.finalized == 0);
}

TEST_CASE("What NCCL says has failed is said with its remedy, and the link is lost") {
  const Nccl nccl = functions();
  begin(5, 6);
  in_ranks(1, [&](const std::shared_ptr<Ranks>& ranks) {
    Communicator link(nccl, ranks);
    CHECK_THROWS_WITH(link.settle("passing rows"),
                      Contains("passing rows: remote process exited") && Contains("BACKLIT_LINK=host"));
    link.abort();
    CHECK(link.lost());
  });
  CHECK(library.aborted == 1);
}
