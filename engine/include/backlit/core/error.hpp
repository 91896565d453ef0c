// What the engine throws. A message is one line: where, what is wrong, what to do about it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace backlit {

/// Base of all exceptions of the engine. what() reads "where: problem; remedy" (empty parts left out).
class Error : public std::runtime_error {
 public:
  Error(std::string_view where, std::string_view problem, std::string_view remedy = {});

  /// 2 for bad input, 1 for failures: what a program returns to its shell.
  virtual int exit_code() const { return 1; }
};

/// The user's input (file, key, option, geometry) cannot be used.
class InputError : public Error {
 public:
  using Error::Error;
  int exit_code() const override { return 2; }
};

/// A valid request that this backend, model or precision does not offer; the remedy lists what it does.
class Unsupported : public InputError {
 public:
  using InputError::InputError;
};

/// The machine let us down: no memory, no device, a full disk.
class Failure : public Error {
 public:
  using Error::Error;
};

/// The user asked to stop; nothing is wrong.
class Cancelled : public Error {
 public:
  Cancelled() : Error("", "stopped on request") {}
  int exit_code() const override { return 130; }
};

}  // namespace backlit
