// OpenGL errors and driver messages, kept until take() or check() is called.
#pragma once

#include <string>
#include <vector>

namespace backlit::gl {

/// Errors of one context: the driver's own sentences with a debug context, otherwise the names of error codes.
class DebugLog {
 public:
  DebugLog() = default;
  DebugLog(const DebugLog&) = delete;
  DebugLog& operator=(const DebugLog&) = delete;

  /// Routes the debug messages of the current context here: type ERROR is recorded, notifications are switched off.
  void install();
  void record(std::string message) { errors_.push_back(std::move(message)); }
  /// Returns the errors since the last call and forgets them. Reads glGetError as well.
  std::vector<std::string> take();
  /// Throws Failure(where) with the first error since the last call, if there is one.
  void check(const char* where);

 private:
  std::vector<std::string> errors_;
};

}  // namespace backlit::gl
