// Pictures that are used again, so that not every frame allocates megabytes.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "serve/area.hpp"

namespace backlit::viewer::serve {

class PicturePool {
 public:
  /// A picture that nobody else holds; it has the size and the pixels of an earlier one. Who lets go of it last, on any
  /// thread, gives it back. It may outlive the pool.
  std::shared_ptr<Picture> take() {
    std::unique_ptr<Picture> picture = idle_->take();
    if (!picture) picture = std::make_unique<Picture>();
    return {picture.release(), [idle = idle_](Picture* p) { idle->keep(std::unique_ptr<Picture>(p)); }};
  }

 private:
  class Idle {
   public:
    Idle() { pictures_.reserve(most); }
    std::unique_ptr<Picture> take() {
      const std::lock_guard lock(mutex_);
      if (pictures_.empty()) return nullptr;
      std::unique_ptr<Picture> last = std::move(pictures_.back());
      pictures_.pop_back();
      return last;
    }
    void keep(std::unique_ptr<Picture> picture) {
      const std::lock_guard lock(mutex_);
      if (pictures_.size() < most) pictures_.push_back(std::move(picture));
    }

   private:
    static constexpr std::size_t most = 2;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Picture>> pictures_;
  };

  std::shared_ptr<Idle> idle_ = std::make_shared<Idle>();
};

}  // namespace backlit::viewer::serve
