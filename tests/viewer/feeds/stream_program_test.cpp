// The program `backlit stream`, sending to the viewer's socket.
#include <algorithm>
#include <chrono>
#include <future>
#include <thread>

#include <catch2/catch.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "stream/socket.hpp"
#include "support/io/scan_text.hpp"
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::stream;
using test::ProgramResult;

namespace {

/// The feed's address for a sender on this machine.
std::string here(const SocketFeed& feed) {
  return "tcp://127.0.0.1" + feed.endpoint().substr(feed.endpoint().rfind(':'));
}

void simulate(const test::TemporaryFolder& folder, const std::string& scan) {
  write_text(folder / "s.scan.toml", scan);
  const auto made =
      test::run_backlit(folder.path(), {"simulate", "water-cylinder", "--scan", "s.scan.toml", "-o", "p.npy", "-q"});
  REQUIRE(made.err.empty());
}

/// The program's result; `arrived` receives the views that arrived in the meantime.
ProgramResult streamed(const test::TemporaryFolder& folder, SocketFeed& feed, std::vector<std::string> options,
                       std::vector<ArrivedView>& arrived, int interrupt_after_ms = 0) {
  std::vector<std::string> arguments{"stream", "p.scan.toml", here(feed)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  auto program =
      std::async(std::launch::async, [&] { return test::run_backlit(folder.path(), arguments, interrupt_after_ms); });
  int empty = 0;
  const auto take = [&] {
    auto some = feed.poll();
    CHECK(some.size() <= SocketFeed::most_at_once);
    std::ranges::move(some, std::back_inserter(arrived));
    empty = some.empty() ? empty + 1 : 0;
    return std::chrono::milliseconds(some.empty() ? 1 : 0);
  };
  while (program.wait_for(take()) != std::future_status::ready) continue;
  empty = 0;
  while (empty < 1000 && !feed.ended() && feed.scan()) std::this_thread::sleep_for(take());
  return program.get();
}

}  // namespace

TEST_CASE("backlit stream sends a scan to who listens beyond this machine, with the key and not without") {
  if (!has_sockets()) return;
  const test::TemporaryFolder folder;
  simulate(folder, test::cone_scan_text(13, 9, 30, 24));
  SocketFeed feed("tcp://*:*", folder / "stream.key"), other("tcp://*:*", folder / "other.key");
  std::vector<ArrivedView> arrived;
  CHECK(streamed(folder, feed, {"--key", "none.key"}, arrived).code == 2);
  constexpr int milliseconds = 2500;
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{}, {"--key", "other.key"}}) {
    const auto waits = streamed(folder, feed, wrong, arrived, milliseconds);
    CHECK(waits.code == 130);
    CHECK_THAT(waits.err, Catch::Contains("waiting for a viewer"));
    CHECK_FALSE(feed.scan());
  }
  const auto sent = streamed(folder, feed, {"--key", "stream.key"}, arrived);
  CHECK(sent.code == 0);
  CHECK(feed.ended());
  const Projections views = read_all(*load_scan(folder / "p.scan.toml").projections);
  REQUIRE(arrived.size() == 24);
  for (const ArrivedView& view : arrived) CHECK(std::ranges::equal(view.values, views.view(view.index)));
}

TEST_CASE("As many views as a scan may have come one by one, each whole and once") {
  if (!has_sockets()) return;
  const test::TemporaryFolder folder;
  const Detector d{4, 3, 1, 1};
  Projections views(Scan{d, circular_views(d, equal_angles(SocketFeed::most_views), 600, 1200)});
  for (std::int64_t i = 0; i < views.values.size(); ++i) views.values[i] = static_cast<float>(i);
  save_projections(views, folder / "p.mha");
  write_text(folder / "p.scan.toml", test::cone_scan_text(4, 3, 60, static_cast<int>(SocketFeed::most_views)) +
                                         "[data]\nprojections = \"p.mha\"\n");
  SocketFeed feed("tcp://127.0.0.1:*");
  std::vector<ArrivedView> arrived;
  CHECK(streamed(folder, feed, {}, arrived).code == 0);
  CHECK(feed.ended());
  REQUIRE(std::ssize(arrived) == SocketFeed::most_views);
  std::int64_t whole = 0;
  for (std::int64_t i = 0; i < SocketFeed::most_views; ++i) {
    const ArrivedView& view = arrived[static_cast<std::size_t>(i)];
    if (view.index == i && std::ranges::equal(view.values, views.view(i))) ++whole;
  }
  CHECK(whole == SocketFeed::most_views);
}
