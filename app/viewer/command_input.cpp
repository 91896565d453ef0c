#include "command_input.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

#include <backlit/core/error.hpp>

namespace backlit::viewer {
namespace {

constexpr const char* command_name = "command";
constexpr std::size_t longest_line = 1 << 20;

/// An error of a script of one line, without its place.
std::string without_place(std::string text) {
  const std::string place = std::string(command_name) + ":1: ";
  while (text.starts_with(place)) text.erase(0, place.size());
  return text;
}

/// Whether a file is being read. A watched folder or socket does not count: its first view may never come.
bool is_opening(const Model& model) { return model.status().opening && model.state().watch.empty(); }

}  // namespace

CommandInput::CommandInput(int from, int to, std::function<void()> wake)
    : from_(from), to_(to), wake_(std::move(wake)) {
  if (::pipe(end_.data()) != 0) throw Failure(command_name, "no pipe can be made");
  thread_ = std::thread([this] { read(); });
}

CommandInput::~CommandInput() {
  ::close(end_[1]);
  thread_.join();
  ::close(end_[0]);
}

void CommandInput::read() {
  std::string text;
  std::array<char, 4096> part;
  while (true) {
    std::array<pollfd, 2> ready{{{from_, POLLIN, 0}, {end_[0], POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return;
    if (ready[1].revents != 0) return;
    if (ready[0].revents == 0) continue;
    const ssize_t n = ::read(from_, part.data(), part.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return end(std::move(text));
    text.append(part.data(), static_cast<std::size_t>(n));
    if (text.size() > longest_line) return end({}, "a line is longer than 1 MiB; start the viewer again");
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t end; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1))
        lines_.push_back(text.substr(0, end));
    }
    wake_();
  }
}

/// `last`: a line that no newline ends; none where it is empty. `problem`: why no more lines are read.
void CommandInput::end(std::string last, std::string problem) {
  {
    const std::lock_guard lock(mutex_);
    problem_ = std::move(problem);
    if (!last.empty()) lines_.push_back(std::move(last));
    ended_ = true;
  }
  wake_();
}

bool CommandInput::ended() {
  const std::lock_guard lock(mutex_);
  return ended_ && lines_.empty() && problem_.empty() && !command_;
}

std::string CommandInput::take_problem() {
  const std::lock_guard lock(mutex_);
  return std::exchange(problem_, {});
}

std::optional<std::string> CommandInput::take_line() {
  const std::lock_guard lock(mutex_);
  if (lines_.empty()) return {};
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

void CommandInput::answer(Model& model, std::string problem) {
  const Status& status = model.status();
  if (problem.empty() && status.reports > reports_ && !status.errors.empty()) problem = status.errors.back();
  reports_ = status.reports;
  std::string text = !problem.empty() ? "error: " + without_place(std::move(problem))
                     : said_.empty()  ? "ok"
                                      : "ok " + said_;
  std::ranges::replace(text, '\n', ' ');
  text += '\n';
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(to_, text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // nobody reads answers any more
    at += static_cast<std::size_t>(n);
  }
}

bool CommandInput::step(Model& model) {
  while (true) {
    std::string problem;
    try {
      if (!command_) {
        const auto line = take_line();
        if (!line) {
          std::string last = take_problem();
          if (!last.empty()) answer(model, std::move(last));
          return false;
        }
        said_.clear();
        command_.emplace(*line, command_name);
        command_->patience = std::numeric_limits<double>::infinity();
        command_->stops_for_earlier_errors = false;
        opened_before_ = is_opening(model);
      }
      if (command_->step(model) || (model.hooks.input_busy && model.hooks.input_busy())) return true;
      if (!opened_before_ && is_opening(model)) return true;
    } catch (const Error& error) {
      problem = error.what();
    }
    command_.reset();
    answer(model, std::move(problem));
  }
}

}  // namespace backlit::viewer
