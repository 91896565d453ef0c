// Messages that wait for one browser.
#pragma once

#include <deque>
#include <optional>
#include <string>

namespace backlit::viewer::serve {

class TextQueue {
 public:
  /// `kept_as`: the newest of this kind stands for all before; empty: one of its own, of which the oldest goes when the
  /// queue is full.
  void add(const std::string& kept_as, std::string json);
  std::optional<std::string> next();

 private:
  static constexpr std::size_t most = 64;
  struct Text {
    std::string kept_as, json;
  };
  std::deque<Text> texts_;
};

}  // namespace backlit::viewer::serve
