#include "model/values/movie.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/io/file_format.hpp>
#include "model/state.hpp"

extern char** environ;

namespace backlit::viewer {
namespace fs = std::filesystem;
namespace {

bool in_path(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

std::string last_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line, last = "ffmpeg printed no message";
  while (std::getline(in, line))
    if (!line.empty()) last = line;
  return last;
}

/// Runs a program and returns its error message; empty: success.
std::string run(std::vector<std::string> words, const fs::path& log) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) return "ffmpeg cannot be started";
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return "ffmpeg was lost";
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : last_line(log);
}

}  // namespace

bool is_movie(const std::string& path) { return has_extension(path, {".mp4", ".webm", ".gif"}); }

Movie::Movie(std::string path) : path_(std::move(path)) {
  if (!in_path("ffmpeg"))
    throw InputError(path_, "movies are made by ffmpeg, which is not installed",
                     "apt-get install ffmpeg; or write an animated PNG, turn.apng, or pictures, turn_####.png");
  std::string name = (fs::temp_directory_path() / "backlit-movie-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw Failure(path_, "no folder for its pictures can be made: " + name);
  folder_ = name;
}

Movie::~Movie() {
  if (work_.valid()) work_.wait();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Movie::encode() {
  const fs::path target(path_);
  const fs::path made = folder_ / ("movie" + target.extension().string());
  std::vector<std::string> words{
      "ffmpeg", "-y", "-framerate", std::to_string(pictures_a_second), "-i", (folder_ / "picture_%05d.png").string()};
  // Most players need this in MP4: colours at half the resolution, and even sizes.
  if (has_extension(path_, {".mp4"}))
    words.insert(words.end(), {"-pix_fmt", "yuv420p", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"});
  words.push_back(made.string());
  work_ = std::async(std::launch::async, [words, made, target, log = folder_ / "log.txt"] {
    const std::string problem = run(words, log);
    if (!problem.empty()) return problem;
    std::error_code error;
    fs::path beside = target;
    beside += ".part";
    fs::copy_file(made, beside, fs::copy_options::overwrite_existing, error);
    if (!error) fs::rename(beside, target, error);
    return error ? error.message() : std::string();
  });
}

bool Movie::busy() {
  if (!work_.valid()) return true;
  if (work_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return true;
  if (const std::string problem = work_.get(); !problem.empty()) throw Failure(path_, problem);
  return false;
}

}  // namespace backlit::viewer
