// Exceptions of the engine. A message is one line: place, problem, remedy.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace backlit {

/// Base of all exceptions of the engine. what() reads "where: problem; remedy" (empty parts left out).
class Error : public std::runtime_error {
 public:
  Error(std::string_view where, std::string_view problem, std::string_view remedy = {});

  /// The exit status of a program: 2 for bad input, 1 for failures.
  virtual int exit_code() const { return 1; }
};

/// The user's input (file, key, option, geometry) cannot be used.
class InputError : public Error {
 public:
  using Error::Error;
  int exit_code() const override { return 2; }
};

/// A valid request that this backend, model or precision does not offer; the remedy lists the alternatives.
class Unsupported : public InputError {
 public:
  using InputError::InputError;
};

/// The machine cannot do what was asked: no memory, no device, a full disk.
class Failure : public Error {
 public:
  using Error::Error;
};

/// The user requested a stop; this is no fault.
class Cancelled : public Error {
 public:
  Cancelled() : Error("", "stopped on request") {}
  int exit_code() const override { return 130; }
};

}  // namespace backlit
