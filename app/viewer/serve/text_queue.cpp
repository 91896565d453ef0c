#include "serve/text_queue.hpp"

#include <algorithm>
#include <utility>

namespace backlit::viewer::serve {

void TextQueue::add(const std::string& kept_as, std::string json) {
  if (!kept_as.empty()) {
    std::erase_if(texts_, [&](const Text& older) { return older.kept_as == kept_as; });
  } else if (texts_.size() >= most) {
    const auto own = std::ranges::find(texts_, "", &Text::kept_as);
    if (own == texts_.end()) return;
    texts_.erase(own);
  }
  texts_.push_back({kept_as, std::move(json)});
}

std::optional<std::string> TextQueue::next() {
  if (texts_.empty()) return std::nullopt;
  std::string json = std::move(texts_.front().json);
  texts_.pop_front();
  return json;
}

}  // namespace backlit::viewer::serve
