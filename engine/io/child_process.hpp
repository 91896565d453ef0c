// Runs work that may crash in a separate process: libraries crash on damaged files.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace backlit {

/// A child process that answers requests one by one until this object is destroyed. It starts as a copy of this
/// process, without other threads and open files. It writes no files and takes no more memory than the machine has. A
/// request takes at most five minutes of processor time.
class ChildProcess {
 public:
  /// Runs in the child. ask() rethrows the backlit::Error that it throws.
  using Answer = std::function<std::vector<std::byte>(std::int64_t first, std::int64_t count)>;

  /// `where` names the file in errors. Throws Failure when no process can be made.
  ChildProcess(std::string where, Answer);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// The answer to a request. Throws InputError when the child crashed.
  std::vector<std::byte> ask(std::int64_t first, std::int64_t count);
  /// The same, overwriting `out`, which must have the size of the answer.
  void ask(std::int64_t first, std::int64_t count, std::span<std::byte> out);

 private:
  std::int64_t begin(std::int64_t first, std::int64_t count);
  void receive(std::span<std::byte> out);
  [[noreturn]] void fail_at_end();

  std::string where_;
  int channel_ = -1;
  pid_t child_ = -1;
};

}  // namespace backlit
