// A model without a window: two contexts that share objects, one for each thread.
#pragma once

#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

#include "gl/context.hpp"
#include "model/model.hpp"
#include "support/scratch.hpp"

namespace backlit::test {

inline viewer::ContextFactory worker_context(std::shared_ptr<gl::Context> window) {
  return [window] {
    gl::ContextOptions options;
    options.share = window;
    return gl::Context::create(options);
  };
}

/// The window's context, current on this thread, and a model whose worker shares objects with it.
struct Windowless {
  std::shared_ptr<gl::Context> window = gl::Context::create();
  Scratch folder;
  viewer::Model model;

  explicit Windowless(double debounce = 0.01)
      : model({.make_context = worker_context(window),
               .wake = {},
               .memory_bytes = 0,
               .recent_file = folder.path() / "recent.txt",
               .debounce = debounce}) {}

  /// Seconds until a test gives up: a slow machine is no fault.
  static constexpr double patience = 300;

  void act(const std::string& line) { model.apply(*viewer::parse_action(line, "test")); }

  /// Runs frames until nothing is left to do; false after `seconds`.
  bool settle(double seconds = patience) {
    return until([this] { return model.idle(); }, seconds);
  }
  template <class Condition>
  bool until(Condition&& met, double seconds = patience) {
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
      model.update();
      model.begin_frame();
      model.end_frame();
      if (met()) return true;
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
};

}  // namespace backlit::test
