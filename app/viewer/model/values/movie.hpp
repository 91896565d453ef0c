// Numbered pictures as one movie, made by ffmpeg if it is installed.
#pragma once

#include <filesystem>
#include <future>
#include <string>

namespace backlit::viewer {

/// Whether a name has the extension of a movie: .mp4, .webm, .gif.
bool is_movie(const std::string& path);

/// A temporary folder for the pictures of one movie, and the movie made of them. The destructor removes the folder.
class Movie {
 public:
  /// Throws InputError if ffmpeg is not in PATH.
  explicit Movie(std::string path);
  ~Movie();
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;

  /// Pattern of the pictures' names.
  std::string pictures() const { return (folder_ / "picture_#####.png").string(); }
  /// Call it when all pictures exist: starts ffmpeg on a thread of its own.
  void encode();
  /// False once the movie is written. Throws Failure with the message of ffmpeg.
  bool busy();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::filesystem::path folder_;
  std::future<std::string> work_;  ///< error message; empty: success
};

}  // namespace backlit::viewer
