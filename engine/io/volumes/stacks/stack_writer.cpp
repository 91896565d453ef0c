#include <backlit/io/volumes/stack_writer.hpp>

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit {

void StackWriter::write(std::span<const float> images) {
  const std::int64_t pixels = size_[0] * size_[1], count = static_cast<std::int64_t>(images.size()) / pixels;
  if (count * pixels != static_cast<std::int64_t>(images.size()) || written_ + count > size_[2])
    throw Failure(where_, fmt::format("{} values after {} of {} images of {} pixels cannot be written", images.size(),
                                      written_, size_[2], pixels));
  put(written_, count, images);
  written_ += count;
}

void StackWriter::leave_out(std::int64_t count) {
  if (written_ + count > size_[2])
    throw Failure(where_, fmt::format("{} images left out after {} of {}", count, written_, size_[2]));
  written_ += count;
}

void StackWriter::commit() {
  if (written_ != size_[2]) throw Failure(where_, fmt::format("only {} of {} images were made", written_, size_[2]));
  finish();
}

RawWriter::RawWriter(const std::filesystem::path& path, const Size3& size, std::string_view header)
    : StackWriter(path.string(), size), file_(path), header_bytes_(std::ssize(header)) {
  file_.write(header);
}

std::optional<StackWriter::Place> RawWriter::place() {
  file_.flush();
  return Place{file_.path(), header_bytes_};
}

void RawWriter::put(std::int64_t, std::int64_t, std::span<const float> images) { file_.write(images); }

}  // namespace backlit
