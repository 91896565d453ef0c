#include "serve/frames/read_back.hpp"

#include <fmt/format.h>

#include <cstring>
#include <future>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/core/printable.hpp>
#include "gl/pixel_buffer.hpp"

namespace backlit::viewer::serve {

ReadBack::Buffer::Buffer(std::int64_t bytes)
    : Handle(
          [] {
            GLuint id = 0;
            glCreateBuffers(1, &id);
            return id;
          }(),
          GL_BUFFER, "frame for browsers"),
      bytes_(bytes) {
  constexpr GLbitfield mapping = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  glNamedBufferStorage(id(), bytes, nullptr, mapping | GL_CLIENT_STORAGE_BIT);
  data_ = glMapNamedBufferRange(id(), 0, bytes, mapping);
  if (!data_)
    throw Failure("frame for browsers", fmt::format("{} bytes cannot be mapped", bytes),
                  "free memory, or make the browser's window smaller");
}

ReadBack::ReadBack(std::shared_ptr<gl::Context> context, std::function<void(std::shared_ptr<const Picture>)> ready)
    : context_(std::move(context)), ready_(std::move(ready)) {
  std::promise<void> started;
  thread_ = std::thread([&] {
    std::shared_ptr<gl::Context> own;
    try {
      own = gl::Context::create({.share = context_});
    } catch (...) {
      started.set_exception(std::current_exception());
      return;
    }
    started.set_value();
    work();
  });
  try {
    started.get_future().get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

ReadBack::~ReadBack() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
  context_->make_current_or_none();  // to delete the buffers
}

void ReadBack::begin(const gl::Texture& frame) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_ - done_ < std::ssize(slots_); });
  }
  Slot& slot = slots_[static_cast<std::size_t>(begun_ % std::ssize(slots_))];
  slot.width = frame.width();
  slot.height = frame.height();
  const std::int64_t bytes = 4 * frame.width() * frame.height();
  if (slot.buffer.bytes() != bytes) slot.buffer = Buffer(bytes);
  {
    const gl::PixelBuffer pack(GL_PIXEL_PACK_BUFFER, slot.buffer.id());
    glGetTextureImage(frame.id(), 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(bytes), gl::at(0));
  }
  slot.read = gl::Fence::here();
  {
    const std::lock_guard lock(mutex_);
    ++begun_;
  }
  changed_.notify_all();
}

std::shared_ptr<const Picture> ReadBack::picture(const Slot& slot) {
  slot.read.wait();
  auto picture = pictures_.take();
  picture->width = slot.width;
  picture->height = slot.height;
  picture->pixels.resize(static_cast<std::size_t>(slot.width * slot.height));
  std::memcpy(picture->pixels.data(), slot.buffer.data(), picture->pixels.size() * sizeof(std::uint32_t));
  return picture;
}

void ReadBack::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stop_ || begun_ > done_; });
    if (begun_ == done_) return;
    const Slot& slot = slots_[static_cast<std::size_t>(done_ % std::ssize(slots_))];
    lock.unlock();
    std::shared_ptr<const Picture> read;
    try {
      read = picture(slot);
    } catch (const std::exception& error) {  // out of memory: a later frame may succeed
      write_to_standard_error(fmt::format("backlit-view: a frame was not sent: {}\n", error.what()));
    }
    lock.lock();
    ++done_;
    changed_.notify_all();
    if (!read) continue;
    lock.unlock();
    ready_(std::move(read));
    lock.lock();
  }
}

}  // namespace backlit::viewer::serve
