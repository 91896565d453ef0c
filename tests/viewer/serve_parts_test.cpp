// Parts of the server for browsers, without a network.
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <thread>

#include <backlit/core/error.hpp>
#include "serve/address.hpp"
#include "serve/area.hpp"
#include "serve/frames/picture_pool.hpp"
#include "serve/line.hpp"
#include "serve/messages.hpp"
#include "serve/text_queue.hpp"
#include "serve/upload.hpp"
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::viewer::serve;

TEST_CASE("Addresses to serve at") {
  CHECK(parse_address("8080").text() == "127.0.0.1:8080");
  CHECK(parse_address("8080").loopback());
  CHECK(parse_address("[::1]:80").text() == "[::1]:80");
  CHECK(parse_address("[::1]:80").loopback());
  CHECK_FALSE(parse_address("0.0.0.0:80").loopback());
  CHECK_FALSE(parse_address("127.example:80").loopback());
  for (const char* bad : {"", "x", "80x", "-1", "65536", ":80", "::1:80", "[]:80", "[1.2.3.4]:80", "host:", "80:"})
    CHECK_THROWS_AS(parse_address(bad), InputError);
}

TEST_CASE("Tokens differ, hosts and origins must be ours") {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(random_token());
  CHECK(tokens.size() == 100);
  CHECK(tokens.begin()->size() == 32);
  CHECK(same_token("abc", "abc"));
  CHECK_FALSE(same_token("abc", "abd"));
  CHECK_FALSE(same_token("abc", "ab"));
  CHECK_FALSE(same_token("", "a"));
  const Address here = parse_address("80"), all = parse_address("0.0.0.0:80");
  for (const char* host : {"localhost", "localhost:8080", "127.0.0.1:1", "[::1]:5"}) CHECK(host_allowed(here, host));
  for (const char* host : {"", "evil.example", "127.evil.example:80", "localhost.evil.example"})
    CHECK_FALSE(host_allowed(here, host));
  CHECK(host_allowed(all, "gpu7:80"));
  CHECK(origin_allowed("", "a:1"));
  CHECK(origin_allowed("http://a:1", "a:1"));
  CHECK_FALSE(origin_allowed("http://a:2", "a:1"));
  CHECK_FALSE(origin_allowed("null", "a:1"));
}

TEST_CASE("Messages of a browser are taken, or refused with a reason") {
  const auto move =
      std::get<PointerMoved>(parse_message(R"({"kind":"move","x":3.5,"y":-2,"ctrl":true,"shift":false})"));
  CHECK(move.x == 3.5f);
  CHECK(move.y == -2);
  CHECK(move.held.ctrl);
  CHECK_FALSE(move.held.alt);
  const std::string snap = R"({"kind":"key","key":"F","down":true,"ctrl":false,"shift":false,"alt":true})";
  CHECK(std::get<KeyChanged>(parse_message(snap)).held.alt);
  CHECK(std::get<KeyChanged>(parse_message(R"({"kind":"key","key":"F5","down":true,"ctrl":false,"shift":true})")).key ==
        "F5");
  CHECK(std::get<WindowResized>(parse_message(R"({"kind":"resize","width":10,"height":20,"scale":2})")).height == 20);
  CHECK(std::get<FrameShown>(parse_message(R"({"kind":"shown","number":4294967295})")).number == 4294967295u);
  CHECK(std::get<TextTyped>(parse_message(R"({"kind":"text","text":"[[[["})")).text == "[[[[");
  CHECK(
      std::get<FilesDropped>(parse_message(R"({"kind":"drop","files":[{"name":"ä.mha","bytes":7}]})")).files[0].bytes ==
      7);
  for (const std::string bad :
       {R"()", R"([])", R"({})", R"({"kind":"fly"})", R"({"kind":7})", R"({"kind":"move","x":1})",
        R"({"kind":"move","x":"1","y":2,"ctrl":false,"shift":false})",
        R"({"kind":"move","x":1e9,"y":2,"ctrl":false,"shift":false})",
        R"({"kind":"move","x":1,"y":2,"ctrl":false,"shift":false,"alt":1})",
        R"({"kind":"resize","width":0,"height":20,"scale":2})",
        R"({"kind":"resize","width":1.5,"height":20,"scale":2})",
        R"({"kind":"resize","width":100000,"height":20,"scale":2})", R"({"kind":"drop","files":[]})",
        R"({"kind":"drop","files":[{"name":"a/b","bytes":1}]})", R"({"kind":"drop","files":[{"name":"..","bytes":1}]})",
        R"({"kind":"drop","files":[{"name":"a","bytes":-1}]})",
        R"({"kind":"button","button":3,"down":true,"x":1,"y":1,"ctrl":false,"shift":false})"})
    CHECK_THROWS_AS(parse_message(bad), InputError);
  CHECK_THROWS_AS(parse_message(std::string(60000, '[')), InputError);
  CHECK_THROWS_AS(parse_message(R"({"kind":"text","text":")" + std::string(2000, 'a') + "\"}"), InputError);
}

TEST_CASE("Of a frame, what has changed is found") {
  Picture a{7, 5, std::vector<std::uint32_t>(35, 1)}, b = a;
  CHECK(changed_area(a, b).empty());
  b.pixels[1 * 7 + 2] = 2;  // the second row from the bottom
  CHECK(changed_area(a, b) == Area{2, 3, 3, 4});
  b.pixels[4 * 7 + 6] = 2;
  CHECK(changed_area(a, b) == Area{2, 0, 7, 4});
  CHECK(changed_area(Picture{5, 7, std::vector<std::uint32_t>(35, 1)}, b) == Area{0, 0, 7, 5});
  CHECK(united({}, {1, 2, 3, 4}) == Area{1, 2, 3, 4});
  CHECK(united({1, 2, 3, 4}, {0, 3, 2, 5}) == Area{0, 2, 3, 5});
}

TEST_CASE("Pictures are used again once nobody holds them") {
  auto pool = std::make_optional<PicturePool>();
  auto first = pool->take(), second = pool->take();
  const Picture *const a = first.get(), *const b = second.get();
  std::shared_ptr<const Picture> held = first;
  first.reset();
  std::thread([last = std::move(second)] {}).join();  // let go of on another thread
  const auto third = pool->take(), fourth = pool->take();
  CHECK(third.get() == b);
  CHECK(fourth.get() != a);
  held.reset();
  CHECK(pool->take().get() == a);
  pool.reset();
  CHECK(third->pixels.empty());  // it outlives the pool
}

TEST_CASE("Frames are left out while some are on their way, and get coarser on a slow line") {
  using std::chrono::milliseconds;
  Line line;
  const auto start = Line::Clock::now();
  for (std::uint32_t i = 1; i <= 3; ++i) {
    CHECK(line.free());
    line.sent(i, start);
  }
  CHECK_FALSE(line.free());
  line.shown(2, start + milliseconds(10));  // also confirms the first
  CHECK(line.free());
  CHECK_FALSE(line.quiet());
  line.shown(99, start);
  line.shown(3, start + milliseconds(10));
  CHECK(line.quiet());
  CHECK(line.quality() == Line::highest);
  // Two at a time, so that the second waits for the first.
  const auto show_pairs = [&](std::uint32_t first, std::uint32_t end, int took) {
    for (std::uint32_t i = first; i < end; i += 2) {
      line.sent(i, start);
      line.sent(i + 1, start);
      line.shown(i, start + milliseconds(10));
      line.shown(i + 1, start + milliseconds(took));
    }
  };
  show_pairs(10, 40, 200);
  CHECK(line.quality() < Line::highest);
  show_pairs(40, 120, 15);
  CHECK(line.quality() == Line::highest);
}

TEST_CASE("Large frames on an idle line, and a line whose delay has grown, do not make frames coarser") {
  using std::chrono::milliseconds;
  const auto start = Line::Clock::now();
  Line idle;
  idle.sent(1, start);
  idle.shown(1, start + milliseconds(2));
  for (std::uint32_t i = 2; i < 100; ++i) {  // one by one
    idle.sent(i, start);
    idle.shown(i, start + milliseconds(150));
  }
  CHECK(idle.quality() == Line::highest);
  Line farther;
  farther.sent(1, start);
  farther.shown(1, start + milliseconds(2));
  for (std::uint32_t i = 2; i < 200; i += 2) {
    farther.sent(i, start);
    farther.sent(i + 1, start);
    farther.shown(i, start + milliseconds(150));
    farther.shown(i + 1, start + milliseconds(160));
  }
  CHECK(farther.quality() == Line::highest);
}

TEST_CASE("Of messages to a browser that does not listen the newest stay, and all that are kept") {
  TextQueue queue;
  queue.add("title", "old title");
  queue.add("role", "role");
  for (int i = 0; i < 500; ++i) queue.add("", std::to_string(i));
  queue.add("title", "new title");
  std::vector<std::string> texts;
  while (const auto text = queue.next()) texts.push_back(*text);
  CHECK(texts.size() < 100);
  CHECK(texts.front() == "role");
  CHECK(texts.back() == "new title");
  CHECK(std::ranges::count(texts, "499") == 1);
  CHECK(std::ranges::count(texts, "0") == 0);
  CHECK(std::ranges::count(texts, "old title") == 0);
  CHECK_FALSE(queue.next());
}

TEST_CASE("Dropped files are written byte for byte, the one to open last, and go with their folder") {
  std::filesystem::path kept;
  {
    UploadFolder folder;
    kept = folder.next();
    Upload upload({{{"a.toml", 3}, {"empty", 0}, {"b.raw", 5}}}, kept);
    upload.take("ab");
    upload.take("c123");
    CHECK_FALSE(upload.complete());
    upload.take("45");
    CHECK(upload.complete());
    CHECK_THROWS_AS(upload.take("6"), InputError);
    CHECK(upload.delivered() == std::vector<std::string>{kept / "b.raw", kept / "a.toml", kept / "empty"});
    std::ifstream in(kept / "b.raw");
    CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "12345");
    const std::filesystem::path given_up = folder.next();
    CHECK(given_up != kept);
    {
      Upload unfinished({{{"a.raw", 3}}}, given_up);
      unfinished.take("ab");
      CHECK(std::filesystem::exists(given_up / "a.raw"));
    }
    CHECK_FALSE(std::filesystem::exists(given_up));
    CHECK(std::filesystem::exists(kept / "b.raw"));
    CHECK_THROWS_AS(Upload({{{"x", 1}, {"x", 1}}}, kept), InputError);
    CHECK_THROWS_AS(Upload({{{"x", std::uint64_t{1} << 50}}}, kept), InputError);
  }
  CHECK_FALSE(std::filesystem::exists(kept));
}
