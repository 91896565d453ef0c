// Frames on their way from the graphics card.
#include <catch2/catch.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "serve/frames/read_back.hpp"
#include "support/gl/gl_support.hpp"

using namespace backlit;
using namespace backlit::viewer::serve;
using backlit::gl::test_context;

TEST_CASE("Frames are read in order, with what was drawn, though the next one is drawn meanwhile") {
  std::vector<std::shared_ptr<const Picture>> read;
  {
    ReadBack frames(test_context(), [&](std::shared_ptr<const Picture> p) { read.push_back(std::move(p)); });
    gl::Texture small("frame", GL_TEXTURE_2D, GL_RGBA8, 37, 21), large("frame", GL_TEXTURE_2D, GL_RGBA8, 301, 203);
    for (int i = 0; i < 8; ++i) {
      gl::Texture& frame = i < 5 ? small : large;
      frame.clear(static_cast<float>(i) / 255);
      frames.begin(frame);
    }
    small.clear(1);
    large.clear(1);
  }
  CHECK_NOTHROW(test_context()->check());
  REQUIRE(read.size() == 8);
  for (std::size_t i = 0; i < read.size(); ++i) {
    CAPTURE(i);
    CHECK(read[i]->width == (i < 5 ? 37 : 301));
    REQUIRE(std::ssize(read[i]->pixels) == read[i]->width * read[i]->height);
    CHECK((read[i]->pixels.front() & 255) == i);
    CHECK((read[i]->pixels.back() & 255) == i);
  }
}

TEST_CASE("A frame is delivered without a next one, and two are under way at most") {
  std::promise<void> first, go_on;
  std::atomic<int> delivered = 0;
  auto may_go_on = go_on.get_future();
  ReadBack frames(test_context(), [&](const std::shared_ptr<const Picture>&) {
    if (++delivered > 1) return;
    first.set_value();
    may_go_on.wait();
  });
  gl::Texture frame("frame", GL_TEXTURE_2D, GL_RGBA8, 16, 16);
  frames.begin(frame);
  first.get_future().wait();  // though no other frame follows
  frames.begin(frame);
  frames.begin(frame);
  std::atomic<bool> begun = false;
  bool early = false;
  std::thread release([&] {
    early = begun || delivered > 1;
    go_on.set_value();
  });
  frames.begin(frame);  // waits for a buffer
  begun = true;
  release.join();
  CHECK_FALSE(early);
  CHECK(delivered > 1);
  CHECK_NOTHROW(test_context()->check());
}
