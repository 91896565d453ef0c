// Views that arrive while they are measured: half-written files, silent sockets, invalid messages.
#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "model/sources/source.hpp"
#include "model/values/point_sampler.hpp"
#include "stream/folder_feed.hpp"
#include "stream/message.hpp"
#include "stream/socket.hpp"
#include "support/io/damage.hpp"
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::stream;
using Catch::Contains;
using test::Windowless;

namespace {

/// The views of an example, and its scan file.
struct Sent {
  Projections views;
  std::string toml;

  Sent() {
    const auto source = viewer::open_source("demo:spheres", {}, {});
    views = read_all(*source.views());
    ScanWriteOptions options;
    options.volume = VolumeGrid{{24, 24, 24}, Vec3(8), Vec3(0)};
    toml = scan_text(views.scan, options, "sent");
  }

  std::filesystem::path file(const std::filesystem::path& folder, std::int64_t i) const {
    return folder / fmt::format("view_{:03}.mha", i + 1);
  }
  void write(const std::filesystem::path& folder, std::int64_t i) const {
    Projections one({views.scan.detector, {views.scan.views.front()}});
    std::copy(views.view(i).begin(), views.view(i).end(), one.values.begin());
    save_projections(one, file(folder, i));
  }
  /// Like a slow program: the file is complete only later.
  void write_half(const std::filesystem::path& folder, std::int64_t i) const {
    write(folder, i);
    const std::string whole = test::file_bytes(file(folder, i));
    std::ofstream(file(folder, i), std::ios::binary) << whole.substr(0, whole.size() / 2);
  }
  void write_scan(const std::filesystem::path& folder) const {
    std::ofstream(folder / "w.scan.toml") << toml << "\n[data]\nprojections = \"view_*.mha\"\n";
  }
};

std::vector<std::byte> bytes_of(std::span<const float> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

/// Polls until the condition is true; false after some seconds. With `wanted`, also until that many views have been
/// added to `arrived`.
template <class Condition>
bool eventually(SocketFeed& feed, Condition&& met, std::vector<ArrivedView>* arrived = nullptr,
                std::size_t wanted = 0) {
  for (int i = 0; i < 30'000; ++i) {
    for (auto& view : feed.poll())
      if (arrived) arrived->push_back(std::move(view));
    if (met() && (!arrived || arrived->size() >= wanted)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

std::string refusal(const std::string& header, std::span<const std::byte> values = {}) {
  try {
    decode(header, values);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// The volume of the whole scan at some points.
std::vector<float> whole_volume(const std::vector<Vec3>& points) {
  Windowless w;
  w.act("set follow off");
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  viewer::ViewState s = w.model.state();
  s.grid = {{24, 24, 24}, 8, Vec3(0)};
  w.model.edit(s, "grid");
  w.act("reconstruct");
  REQUIRE(w.settle());
  return w.model.values_at(points);
}

double worst(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max<double>(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace

TEST_CASE("A watched folder with two scan files says so once, and goes on when one is taken away") {
  const Sent sent;
  test::Scratch scratch;
  FolderFeed feed(scratch.path());
  sent.write_scan(scratch.path());
  std::filesystem::copy_file(scratch / "w.scan.toml", scratch / "x.scan.toml");
  std::vector<std::string> notes;
  for (int i = 0; i < 20; ++i) {
    CHECK(feed.poll().empty());
    for (const std::string& note : feed.take_notes()) notes.push_back(note);
  }
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0], Contains("holds several .scan.toml files"));
  CHECK_THAT(feed.waiting_for(), Contains("holds several"));
  std::filesystem::remove(scratch / "x.scan.toml");
  for (int i = 0; !feed.scan() && i < 30'000; ++i) {
    feed.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(feed.scan());
  CHECK(feed.take_notes().empty());
}

TEST_CASE("A watched folder: views in any order, one half written, the scan file last") {
  const Sent sent;
  Windowless w;
  const auto folder = w.folder / "watched";
  std::filesystem::create_directories(folder);
  w.act("watch " + folder.string());
  REQUIRE(w.until([&] { return w.model.status().activity.find(".scan.toml") != std::string::npos; }));
  sent.write(folder, 0);
  sent.write_scan(folder);
  REQUIRE(w.until([&] { return w.model.status().source && w.model.status().source->arriving; }));
  const std::int64_t views = sent.views.scan.view_count();
  for (std::int64_t i = views - 1; i > 20; --i) sent.write(folder, i);
  sent.write_half(folder, 20);
  REQUIRE(w.until([&] { return w.model.status().progress.done == views - 20; }));
  CHECK(w.model.status().errors.empty());
  CHECK(w.model.status().running);
  CHECK(w.model.status().generation > 1);  // the folder is still watched
  sent.write(folder, 20);
  for (std::int64_t i = 1; i < 20; ++i) sent.write(folder, i);
  REQUIRE(w.settle());
  CHECK(w.model.status().finished.complete);
  CHECK(w.model.status().errors.empty());
  const auto points = viewer::spread_points(w.model.status().grid, 2000);
  const auto watched = w.model.values_at(points);
  CHECK(worst(watched, whole_volume(points)) < 1e-5);
  w.window->make_current();  // the other volume had its own window
  // From now on the scan behaves like any other.
  w.act("set center_shift 1");
  REQUIRE(w.settle());
  CHECK(w.model.status().errors.empty());
}

TEST_CASE("Random input does no harm while views arrive, are written in halves and vanish") {
  REQUIRE_VIEWER();
  test::Viewer viewer;
  const auto folder = viewer.folder / "watched";
  std::filesystem::create_directory(folder);
  const Sent sent;
  sent.write_scan(folder);
  std::atomic<bool> over = false;
  std::thread scanner([&] {  // sends scan after scan; each one discards the views of the previous one
    const std::int64_t views = sent.views.scan.view_count();
    for (std::int64_t n = 0; !over; ++n) {
      const std::int64_t i = n % views;
      for (std::int64_t old = 0; i == 0 && old < views; ++old) std::filesystem::remove(sent.file(folder, old));
      n % 5 == 3 ? sent.write_half(folder, i) : sent.write(folder, i);
      if (n % 5 == 4) sent.write(folder, i - 1);
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
  });
  const char* count = std::getenv("BACKLIT_RANDOM_ACTIONS");
  const auto result = viewer.run("resize 640 480\ngrid 24\nwatch watched\nwait picture\nexpect views == 60\n",
                                 {"--random", count ? count : "40", "--seed", "4"});
  over = true;
  scanner.join();
  CHECK(result.err == "");
  CHECK(result.code == 0);
}

TEST_CASE("What cannot be watched is told, and methods that take all views wait") {
  Windowless w;
  w.act("watch " + (w.folder / "none").string());
  REQUIRE(w.until([&] { return !w.model.status().errors.empty(); }));
  CHECK_THAT(w.model.status().errors.back(), Contains("not a folder"));
  const Sent sent;
  const auto folder = w.folder / "watched";
  std::filesystem::create_directories(folder);
  sent.write_scan(folder);
  w.model.dismiss_errors();
  w.act("method sirt");
  w.act("watch " + folder.string());
  REQUIRE(w.until([&] { return !w.model.status().errors.empty(); }));
  CHECK_THAT(w.model.status().errors.back(), Contains("still being measured"));
  w.act("watch off");
  REQUIRE(w.settle());
}

TEST_CASE("A folder's files are taken once they are whole, and complaints come once") {
  const test::Scratch folder;
  const Sent sent;
  FolderFeed feed(folder.path());
  feed.patience = feed.rest = 0;
  CHECK(feed.poll().empty());
  sent.write_scan(folder.path());
  feed.poll();
  feed.poll();
  REQUIRE(feed.scan());
  CHECK(feed.scan()->scan.view_count() == 60);
  std::ofstream(folder / "view_001.mha") << "ObjectType = Image\n";
  std::ofstream(folder / "view_099.mha") << "x";
  std::vector<std::string> notes;
  for (int i = 0; i < 4; ++i) {
    CHECK(feed.poll().empty());
    for (const auto& note : feed.take_notes()) notes.push_back(note);
  }
  REQUIRE(notes.size() == 2);
  CHECK_THAT(notes[0] + notes[1], Contains("waiting for view 0") && Contains("has no view 98"));
  sent.write(folder.path(), 0);
  std::vector<ArrivedView> arrived;
  for (int i = 0; i < 3; ++i)
    for (auto& view : feed.poll()) arrived.push_back(std::move(view));
  REQUIRE(arrived.size() == 1);
  CHECK(arrived[0].index == 0);
  CHECK(arrived[0].values[2000] == sent.views.view(0)[2000]);
}

TEST_CASE("A file whose writer sets the size first is taken once its parts are written") {
  const test::Scratch folder;
  const Sent sent;
  sent.write_scan(folder.path());
  FolderFeed feed(folder.path());
  feed.rest = 0;
  feed.rest_with_holes = 1e9;
  feed.poll();
  feed.poll();
  REQUIRE(feed.scan());
  sent.write(folder.path(), 0);
  const auto file = sent.file(folder.path(), 0);
  const std::string bytes = test::file_bytes(file);
  const auto take = [&] {
    std::size_t views = 0;
    for (int i = 0; i < 4; ++i) views += feed.poll().size();
    return views;
  };
  std::filesystem::resize_file(file, bytes.size() / 2);
  std::filesystem::resize_file(file, bytes.size());  // zeros without disk blocks
  CHECK(take() == 0);
  std::ofstream(file, std::ios::binary | std::ios::in | std::ios::out) << bytes;
  CHECK(take() == 1);
}

TEST_CASE("Messages: what is sent comes back, and nonsense is refused by name") {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const auto view = std::get<ArrivedView>(decode(view_header(7, 3, 2), bytes_of(values)));
  CHECK(view.index == 7);
  CHECK(view.values == values);
  CHECK(std::get<ScanMessage>(decode(scan_header("[detector]\n\"x\""), {})).scan == "[detector]\n\"x\"");
  CHECK(std::holds_alternative<EndMessage>(decode(end_header(), {})));
  const std::uint16_t counts[]{60000, 30000, 0};
  const auto integrals =
      std::get<ArrivedView>(decode(R"({"type":"view","index":0,"columns":3,"rows":1,"dtype":"u16","open":60000})",
                                   std::as_bytes(std::span(counts))));
  CHECK(integrals.values[0] == 0);
  CHECK(integrals.values[1] == Approx(std::log(2)));
  CHECK(integrals.values[2] == Approx(std::log(120000)));
  CHECK_THAT(refusal("{"), Contains("not a JSON object"));
  CHECK_THAT(refusal("[1]"), Contains("not a JSON object"));
  CHECK_THAT(refusal("{\"type\":\"dance\"}"), Contains("'dance'"));
  CHECK_THAT(refusal("{\"type\":\"scan\",\"backlit\":2,\"scan\":\"\"}"), Contains("its version is not 1"));
  CHECK_THAT(refusal("{\"type\":\"view\"}"), Contains("'columns'"));
  CHECK_THAT(refusal(view_header(0, 3, 3), bytes_of(values)), Contains("24 bytes of values, expected 36"));
  CHECK_THAT(refusal(view_header(0, -1, 3), bytes_of(values)), Contains("-1 x 3"));
  CHECK_THAT(refusal(view_header(0, 1 << 21, 1 << 21)), Contains("2097152"));
  CHECK_THAT(refusal(R"({"type":"view","index":0,"columns":1,"rows":1,"dtype":"f64"})"), Contains("f64"));
  const std::vector<float> bad{NAN};
  CHECK_THAT(refusal(view_header(0, 1, 1), bytes_of(bad)), Contains("not finite"));
  for (const auto& damaged : test::damaged_copies(view_header(7, 3, 2), 80)) {
    INFO(damaged.how);
    try {
      decode(damaged.bytes, bytes_of(values));
    } catch (const InputError&) {
    }
  }
}

TEST_CASE("A watched socket: silence, nonsense, views, a sender that goes away early") {
  if (!has_sockets()) {
    CHECK_THROWS_WITH(SocketFeed("tcp://127.0.0.1:*"), Contains("cppzmq-dev"));
    return;
  }
  const Sent sent;
  const CancelToken cancel;
  const auto polled = [](SocketFeed& feed, std::size_t wanted) {
    std::vector<ArrivedView> all;
    for (int i = 0; i < 2000 && all.size() < wanted && !feed.ended(); ++i) {
      for (auto& view : feed.poll()) all.push_back(std::move(view));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return all;
  };
  const test::Scratch folder;
  CHECK_THROWS_AS(SocketFeed("tcp://no.such.host.example:1", folder / "stream.key"), InputError);
  SocketFeed feed("tcp://127.0.0.1:*");
  for (int i = 0; i < 100; ++i) CHECK(feed.poll().empty());  // it does not wait
  SocketSender sender(feed.endpoint(), cancel);
  const Detector& d = sent.views.scan.detector;
  sender.view(3, d, sent.views.view(3));  // before its scan
  sender.scan(sent.toml);
  sender.view(5, d, sent.views.view(5));
  sender.view(5, d, sent.views.view(5));
  sender.view(77, d, sent.views.view(5));
  sender.view(4, d, sent.views.view(4));
  const auto views = polled(feed, 2);
  REQUIRE(views.size() == 2);
  CHECK(views[0].index == 5);
  CHECK(views[1].index == 4);
  CHECK(std::equal(views[1].values.begin(), views[1].values.end(), sent.views.view(4).begin()));
  const auto notes = feed.take_notes();
  REQUIRE(notes.size() == 2);
  CHECK_THAT(notes[0], Contains("before its scan"));
  CHECK_THAT(notes[1], Contains("no view 77"));
  sender.end();
  polled(feed, 1);
  CHECK(feed.ended());
}

TEST_CASE("A socket deletes no file: addresses other than tcp and new ipc paths are refused") {
  if (!has_sockets()) return;
  const test::Scratch folder;
  const auto victim = folder / "victim.txt", link = folder / "link";
  std::ofstream(victim) << "precious";
  std::filesystem::create_symlink(folder / "nothing", link);
  for (const auto& taken : {victim, link, folder.path()})
    CHECK_THROWS_WITH(SocketFeed("ipc://" + taken.string()), Contains("there is a file of this name already"));
  CHECK(test::file_bytes(victim) == "precious");
  CHECK(std::filesystem::is_symlink(link));
  const CancelToken cancel;
  for (const char* odd : {"inproc://x", "udp://127.0.0.1:5555", "file:///etc/passwd", "IPC:///tmp/x", "://"}) {
    CHECK_THROWS_WITH(SocketFeed(odd), Contains("not an address for views"));
    CHECK_THROWS_WITH(SocketSender(odd, cancel), Contains("not an address for views"));
  }
  { SocketFeed fresh("ipc://" + (folder / "new").string()); }
  SocketFeed again("ipc://" + (folder / "new").string());  // it removes its own socket file
}

TEST_CASE("Beyond this machine a socket takes messages from those who have the key") {
  if (!has_sockets()) return;
  for (const char* local : {"tcp://127.0.0.1:5555", "tcp://localhost:5555", "tcp://[::1]:*", "ipc:///tmp/x"})
    CHECK(is_local(local));
  for (const char* far : {"tcp://*:5555", "tcp://0.0.0.0:5555", "tcp://127.0.0.1.example:5", "tcp://10.0.0.1:5555",
                          "tcp://127.1:5555", "tcp://example:5555"})
    CHECK_FALSE(is_local(far));
  const Sent sent;
  const test::Scratch folder;
  const CancelToken cancel;
  const auto key = folder / "sub/stream.key", other = folder / "other.key", text = folder / "text";
  SocketFeed feed("tcp://*:*", key);
  CHECK((std::filesystem::status(key).permissions() & std::filesystem::perms(0077)) == std::filesystem::perms::none);
  CHECK_THAT(feed.waiting_for(), Contains(key.string()));
  CHECK(read_or_make_key(key) == read_key(key));
  CHECK(read_or_make_key(other) != read_key(key));
  std::ofstream(text) << "no key at all, but forty characters long....";
  const std::string here = "tcp://127.0.0.1" + feed.endpoint().substr(feed.endpoint().rfind(':'));
  CHECK_THROWS_WITH(SocketSender("tcp://10.0.0.1:5", cancel, {}, folder / "none"), Contains("contains no key"));
  CHECK_THROWS_WITH(SocketSender(here, cancel, {}, text), Contains("contains no key"));
  // Senders without the key, or with another key, never succeed in sending.
  for (const auto& wrong : {std::filesystem::path(), other}) {
    CancelToken enough;
    bool waited = false;
    SocketSender sender(
        here, enough,
        [&] {
          waited = true;
          enough.request();
        },
        wrong);
    CHECK_THROWS_AS(sender.scan(sent.toml), Cancelled);
    CHECK(waited);
    CHECK(feed.poll().empty());
    CHECK_FALSE(feed.scan());
  }
  SocketSender sender(here, cancel, {}, key);
  sender.scan(sent.toml);
  REQUIRE(eventually(feed, [&] { return feed.scan() != nullptr; }));
  CHECK(feed.take_notes().empty());
}

TEST_CASE("A scan message holds numbers alone, and no more of them than there is memory for") {
  const auto says = [](const std::string& text) {
    try {
      parse_scan_geometry(text, "scan message");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string detector = "[detector]\ncolumns = 4\nrows = 3\npixel_mm = 1.0\n";
  const std::string turn = "[trajectory]\nkind = \"parallel\"\n";
  CHECK(says(detector + turn + "views = 3") == "no error");
  const std::string files = "names no files";
  CHECK_THAT(says(detector + turn + "angles = \"/etc/passwd\""), Contains("angles") && Contains(files));
  CHECK_THAT(says(detector + "[trajectory]\ngeometry = \"/etc/passwd\""), Contains("geometry") && Contains(files));
  CHECK_THAT(says(detector + turn + "views = 3\n[data]\nprojections = \"/*/*/*\""),
             Contains("data") && Contains(files));
  CHECK_THAT(says("[detector]\npixel_mm = 1.0\n" + turn + "views = 3"), Contains("columns is missing"));
  if (!has_sockets()) return;
  SocketFeed feed("tcp://127.0.0.1:*");
  const CancelToken cancel;
  SocketSender sender(feed.endpoint(), cancel);
  const auto refused = [&](const std::string& text) {
    sender.scan(text);
    std::string note;
    eventually(feed, [&] {
      for (const std::string& one : feed.take_notes()) note += one;
      return !note.empty();
    });
    CHECK_FALSE(feed.scan());
    return note;
  };
  const std::string large = "[detector]\ncolumns = 1048576\nrows = 1048576\npixel_mm = 1.0\n";
  CHECK_THAT(refused(large + turn + "views = 50000"), Contains("more than the memory left"));
  CHECK_THAT(refused(detector + turn + "views = 3\n[volume]\nsize = [1048576, 1048576, 1048576]\nvoxel_mm = 1.0"),
             Contains("more than the memory left"));
  CHECK_THAT(refused(detector + turn + "views = 1000000"), Contains("50000 can be watched"));
  CHECK_THAT(refused(turn), Contains("[detector]"));
}

TEST_CASE("One scan has one sender, until that has gone") {
  if (!has_sockets()) return;
  const Sent sent;
  const CancelToken cancel;
  const Detector& d = sent.views.scan.detector;
  SocketFeed feed("tcp://127.0.0.1:*");
  auto first = std::make_unique<SocketSender>(feed.endpoint(), cancel);
  first->scan(sent.toml);
  REQUIRE(eventually(feed, [&] { return feed.scan() != nullptr; }));
  std::vector<std::string> notes;
  const auto noted = [&](const std::string& words) {
    return eventually(feed, [&] {
      for (const std::string& note : feed.take_notes()) notes.push_back(note);
      return !notes.empty() && notes.back().find(words) != std::string::npos;
    });
  };
  {
    SocketSender second(feed.endpoint(), cancel);
    second.end();
    CHECK(noted("a second sender is refused"));
    CHECK_FALSE(feed.ended());
  }
  std::vector<ArrivedView> arrived;
  first->view(3, d, sent.views.view(3));
  REQUIRE(eventually(
      feed, [&] { return feed.scan() != nullptr; }, &arrived, 1));
  CHECK(arrived.at(0).index == 3);
  first.reset();
  SocketSender again(feed.endpoint(), cancel);
  again.scan(sent.toml + "\n# another\n");
  CHECK(noted("another scan while one runs"));
  again.scan(sent.toml);
  again.view(4, d, sent.views.view(4));
  REQUIRE(eventually(
      feed, [&] { return feed.scan() != nullptr; }, &arrived, 2));
  CHECK(arrived.at(1).index == 4);
  again.end();
  CHECK(eventually(feed, [&] { return feed.ended(); }));
}

TEST_CASE("A scan over a socket is reconstructed as it comes, and what came is kept when the sender stops") {
  if (!has_sockets()) return;
  const Sent sent;
  const CancelToken cancel;
  Windowless w;
  const std::string endpoint = "ipc://" + (w.folder / "views").string();
  w.act("watch " + endpoint);
  {
    SocketSender sender(endpoint, cancel);
    sender.scan(sent.toml);
    for (std::int64_t i = 0; i < 50; ++i) sender.view(i, sent.views.scan.detector, sent.views.view(i));
    REQUIRE(w.until([&] { return w.model.status().progress.done == 50; }));
    CHECK(w.model.status().running);  // silence: ten views are missing
    sender.end();
    REQUIRE(w.settle());
  }
  CHECK_FALSE(w.model.status().finished.complete);
  CHECK(w.model.status().errors.empty());
  CHECK(w.model.value_at(Vec3(0)) == w.model.value_at(Vec3(0)));
}
