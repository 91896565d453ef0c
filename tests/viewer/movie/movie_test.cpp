#include "model/values/movie.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <thread>

#include <backlit/core/error.hpp>
#include "support/scratch.hpp"

using namespace backlit;
using namespace backlit::viewer;
using Catch::Contains;

namespace {

/// A stand-in for ffmpeg, first in PATH, that runs the given lines; "$last" is the output file.
struct Ffmpeg {
  explicit Ffmpeg(const std::string& lines) : before(std::getenv("PATH")) {
    const auto program = folder / "ffmpeg";
    std::ofstream(program) << "#!/bin/sh\nfor last; do :; done\n" << lines << "\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    setenv("PATH", (folder.path().string() + ":" + before).c_str(), 1);
  }
  ~Ffmpeg() { setenv("PATH", before.c_str(), 1); }
  test::Scratch folder;
  std::string before;
};

void finish(Movie& movie) {
  movie.encode();
  while (movie.busy()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

TEST_CASE("A movie is made of its pictures, whose folder goes with it") {
  const Ffmpeg ffmpeg("ls \"$(dirname \"$last\")\" | grep -c picture_ > \"$last\"; echo \"$@\" >> \"$last\"");
  test::Scratch folder;
  std::filesystem::path pictures;
  {
    Movie movie((folder / "turn.mp4").string());
    pictures = std::filesystem::path(movie.pictures()).parent_path();
    for (const char* name : {"picture_00000.png", "picture_00001.png"}) std::ofstream(pictures / name) << "x";
    CHECK(movie.busy());
    finish(movie);
  }
  std::ifstream made(folder / "turn.mp4");
  std::string count, words;
  std::getline(made, count);
  std::getline(made, words);
  CHECK(count == "2");
  CHECK_THAT(words, Contains("picture_%05d.png") && Contains("-framerate 25") && Contains("yuv420p"));
  CHECK_FALSE(std::filesystem::exists(pictures));
  CHECK_FALSE(std::filesystem::exists(folder / "turn.mp4.part"));
}

TEST_CASE("What ffmpeg complains of is told, and no file is left") {
  const Ffmpeg ffmpeg("echo first >&2; echo no such codec >&2; exit 3");
  test::Scratch folder;
  Movie movie((folder / "turn.webm").string());
  CHECK_THROWS_WITH(finish(movie), Contains("turn.webm") && Contains("no such codec"));
  CHECK_FALSE(std::filesystem::exists(folder / "turn.webm"));
}

TEST_CASE("Without ffmpeg a movie is refused, with what to do") {
  const std::string before = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  CHECK_THROWS_WITH(Movie("turn.mp4"), Contains("apt-get install ffmpeg") && Contains("turn_####.png"));
  setenv("PATH", before.c_str(), 1);
  CHECK(is_movie("a.MP4"));
  CHECK_FALSE(is_movie("a.png"));
}
