// Frames on their way from the graphics card: the next one is drawn while the last one is read back.
#pragma once

#include <array>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "gl/context.hpp"
#include "serve/frames/picture_pool.hpp"

namespace backlit::viewer::serve {

/// A thread with a context of its own waits for each frame. Use it on the thread of `context`.
class ReadBack {
 public:
  /// `ready` gets the pictures, in order, on the thread that waits for them.
  ReadBack(std::shared_ptr<gl::Context> context, std::function<void(std::shared_ptr<const Picture>)> ready);
  /// Frames that have begun are still delivered.
  ~ReadBack();
  ReadBack(const ReadBack&) = delete;
  ReadBack& operator=(const ReadBack&) = delete;

  /// Begins to read `frame` (RGBA8), and returns while that goes on: later commands may draw into it. Two frames can be
  /// under way. A third waits for the first.
  void begin(const gl::Texture& frame);

 private:
  /// Its memory stays mapped.
  class Buffer : public gl::Handle<gl::BufferKind> {
   public:
    Buffer() = default;
    explicit Buffer(std::int64_t bytes);
    std::int64_t bytes() const { return bytes_; }
    const void* data() const { return data_; }

   private:
    std::int64_t bytes_ = 0;
    const void* data_ = nullptr;
  };
  struct Slot {
    Buffer buffer;
    std::int64_t width = 0, height = 0;
    gl::Fence read;  ///< passed once the buffer has the frame
  };

  void work();
  std::shared_ptr<const Picture> picture(const Slot&);

  std::shared_ptr<gl::Context> context_;
  std::function<void(std::shared_ptr<const Picture>)> ready_;
  PicturePool pictures_;
  std::array<Slot, 2> slots_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t begun_ = 0, done_ = 0;  ///< frames; frame n is in slot n mod 2
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace backlit::viewer::serve
