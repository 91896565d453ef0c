// Commands of another program, such as Python: lines that come while the viewer runs. Each is answered by a line.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "model/actions/script.hpp"

namespace backlit::viewer {

/// Lines are those of scripts. The answer to a line is "ok", "ok TEXT" for a value that was asked for, or "error:
/// TEXT".
class CommandInput {
 public:
  /// Reads from the file descriptor `from` until it ends, and answers to `to`. `wake`: called on another thread when a
  /// line has come.
  CommandInput(int from, int to, std::function<void()> wake);
  ~CommandInput();
  CommandInput(const CommandInput&) = delete;
  CommandInput& operator=(const CommandInput&) = delete;

  /// Call it once a frame, after Model::update(): runs commands up to one that has to wait. Whether one waits.
  bool step(Model&);
  /// The value that the command asked for.
  void say(const std::string& text) { said_ = text; }
  /// Whether no command will come any more, and all are answered.
  bool ended();

 private:
  void read();
  void end(std::string last, std::string problem = {});
  std::string take_problem();
  std::optional<std::string> take_line();
  void answer(Model&, std::string problem);

  int from_, to_;
  std::function<void()> wake_;
  std::mutex mutex_;
  std::deque<std::string> lines_;
  bool ended_ = false;
  std::string problem_;             ///< why no more lines are read, until it is told
  std::array<int, 2> end_{-1, -1};  ///< a pipe that ends the thread

  std::optional<Script> command_;  ///< the one that is being run
  bool opened_before_ = false;     ///< a file was being opened before it; otherwise the answer waits for the file
  std::int64_t reports_ = 0;       ///< of the model, told so far
  std::string said_;
  std::thread thread_;  ///< last member: it uses the others
};

}  // namespace backlit::viewer
