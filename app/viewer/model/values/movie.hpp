// Numbered pictures as one movie, by ffmpeg where that is installed.
#pragma once

#include <filesystem>
#include <future>
#include <string>

namespace backlit::viewer {

/// Whether a name ends as movies do: .mp4, .webm, .gif.
bool is_movie(const std::string& path);

/// A folder for the pictures of one movie, and the movie that becomes of them. The folder goes with it.
class Movie {
 public:
  /// Throws InputError where there is no ffmpeg in PATH.
  explicit Movie(std::string path);
  ~Movie();
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;

  /// Pattern of the pictures' names.
  std::string pictures() const { return (folder_ / "picture_#####.png").string(); }
  /// All pictures are there: ffmpeg begins, on a thread of its own.
  void encode();
  /// Whether it is at work; false once the movie is there. Throws Failure with what ffmpeg said.
  bool busy();
  const std::string& path() const { return path_; }

  static constexpr int pictures_a_second = 25;

 private:
  std::string path_;
  std::filesystem::path folder_;
  std::future<std::string> work_;  ///< what went wrong; empty: nothing
};

}  // namespace backlit::viewer
