#include "io/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>

namespace backlit {
namespace fs = std::filesystem;
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

void read_exactly(int file, std::int64_t offset, std::span<std::byte> out, const std::string& where) {
  while (!out.empty()) {
    const ssize_t got = ::pread(file, out.data(), std::min<std::size_t>(out.size(), 1u << 30), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError(where, fmt::format("could not be read: {}", std::strerror(errno)));
    if (got == 0) throw InputError(where, fmt::format("ends at byte {}", offset), "the file is cut off: copy it again");
    offset += got;
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

class PlainBytes final : public ByteSource {
 public:
  /// O_NONBLOCK, because opening a pipe would otherwise wait for a writer.
  explicit PlainBytes(const fs::path& path)
      : where_(path.string()), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status {};
    if (file_ < 0 || ::fstat(file_, &status) != 0)
      throw InputError(where_, fmt::format("cannot be opened: {}", std::strerror(errno)));
    if (!S_ISREG(status.st_mode)) throw InputError(where_, "is not a file", "name a file");
    size_ = status.st_size;
    changed_ = status.st_mtim;
  }
  std::int64_t size() const override { return size_; }
  void read(std::int64_t offset, std::span<std::byte> out) override {
    read_exactly(file_, offset, out, where_);
    struct stat status {};
    if (::fstat(file_, &status) == 0 && (status.st_size != size_ || status.st_mtim.tv_sec != changed_.tv_sec ||
                                         status.st_mtim.tv_nsec != changed_.tv_nsec))
      throw InputError(where_, "was changed after it was opened", "wait until it is complete, and open it again");
  }
  std::shared_ptr<void> map() override {
    const auto length = static_cast<std::size_t>(size_);
    void* memory =
        length ? ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file_, 0) : MAP_FAILED;
    if (memory == MAP_FAILED) return nullptr;
    return {memory, [length](void* p) { ::munmap(p, length); }};
  }

 private:
  std::string where_;
  Descriptor file_;
  std::int64_t size_ = 0;
  timespec changed_{};
};

/// Compressed bytes of a file.
struct Compressed {
  std::int64_t offset = 0, end = 0;
  bool raw = false;  ///< deflate without a header; else gzip or zlib
};

/// Inflates a gzip (also of several members), zlib or raw stream from its front.
class Inflater {
 public:
  Inflater(ByteSource& source, const Compressed& part)
      : source_(source), offset_(part.offset), end_(part.end), raw_(part.raw), input_(1 << 18) {
    if (::inflateInit2(&stream_, raw_ ? -15 : 15 + 32) != Z_OK) throw Failure("zlib", "could not be started");
  }
  ~Inflater() { ::inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Returns the number of bytes written to `out`. It is smaller than `out` when the stream ends or is broken; then
  /// problem() names the fault.
  std::size_t next(std::span<std::byte> out) {
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out > 0 && problem_.empty()) {
      if (stream_.avail_in == 0 && !fill()) break;
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        ended_ = true;
        if (raw_) problem_ = "ends too early";
        if (raw_ || (stream_.avail_in == 0 && !fill())) break;
        ::inflateReset(&stream_);
      } else if (result != Z_OK) {
        problem_ = stream_.msg ? stream_.msg : "broken";
      }
    }
    return out.size() - stream_.avail_out;
  }
  const std::string& problem() const { return problem_; }
  /// Whether the stream ended correctly, with the right check sum. May read a little further.
  bool ended() {
    std::byte one;
    if (!ended_) next({&one, 1});
    return ended_;
  }

 private:
  bool fill() {
    const auto left = std::min<std::int64_t>(end_ - offset_, static_cast<std::int64_t>(input_.size()));
    if (left <= 0) {
      problem_ = "ends too early";
      return false;
    }
    source_.read(offset_, std::span(input_).first(static_cast<std::size_t>(left)));
    offset_ += left;
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(left);
    return true;
  }

  ByteSource& source_;
  std::int64_t offset_, end_;
  bool raw_;
  std::vector<std::byte> input_;
  z_stream stream_{};
  std::string problem_;
  bool ended_ = false;
};

class InflatedBytes final : public ByteSource {
 public:
  /// `part.end` negative: the end of the file.
  InflatedBytes(const fs::path& path, const Compressed& part, std::int64_t skip, std::int64_t size,
                std::optional<std::uint32_t> checksum = {})
      : where_(path.string()), source_(path), part_(part), skip_(skip), size_(size), checksum_(checksum) {
    if (part_.end < 0) part_.end = source_.size();
    const std::int64_t offset = part_.offset;
    // Deflate never packs more than 1032 bytes into one.
    const std::int64_t stream = std::max<std::int64_t>(0, part_.end - offset);
    const std::int64_t most = stream < INT64_MAX / 1032 ? stream * 1032 + 1031 : INT64_MAX;
    if (size < 0 || skip < 0 || offset < 0 || size > most || skip > most - size)
      throw InputError(where_,
                       fmt::format("{} compressed bytes cannot hold the {} its header asks for{}", stream, size,
                                   skip > 0 ? fmt::format(" after {} to skip", skip) : ""),
                       "the file is cut off or its header is damaged");
  }
  std::int64_t size() const override { return size_; }
  void read(std::int64_t offset, std::span<std::byte> out) override {
    if (!inflated_) inflate();
    read_exactly(*inflated_, offset, out, where_);
  }

 private:
  void inflate() {
    auto file = make_temporary();
    Inflater inflater(source_, part_);
    std::vector<std::byte> buffer(1 << 20);
    uLong sum = ::crc32(0, nullptr, 0);
    for (std::int64_t done = 0; done < skip_ + size_;) {
      const std::int64_t left = done < skip_ ? skip_ - done : skip_ + size_ - done;
      const auto piece = std::span(buffer).first(
          static_cast<std::size_t>(std::min<std::int64_t>(left, static_cast<std::int64_t>(buffer.size()))));
      if (inflater.next(piece) != piece.size()) refuse(inflater.problem());
      if (checksum_) sum = ::crc32(sum, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
      if (done >= skip_) append(*file, piece);
      done += static_cast<std::int64_t>(piece.size());
    }
    if (!inflater.ended() && !inflater.problem().empty()) refuse(inflater.problem());
    if (checksum_ && sum != *checksum_) refuse("incorrect data check");
    inflated_ = std::move(file);
  }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError(where_, fmt::format("its compressed data cannot be read: {}", problem),
                     "the file is damaged: copy it again");
  }

  std::unique_ptr<Descriptor> make_temporary() const {
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    const auto space = fs::space(folder, error);
    if (!error && space.available < static_cast<std::uintmax_t>(size_))
      throw Failure(where_,
                    fmt::format("takes {} when inflated, and {} has {} left", byte_size_text(size_), folder.string(),
                                byte_size_text(static_cast<std::int64_t>(space.available))),
                    "set TMPDIR to a folder with room");
    std::string name = (folder / "backlit-inflated-XXXXXX").string();
    auto file = std::make_unique<Descriptor>(::mkstemp(name.data()));
    if (*file < 0)
      throw Failure(where_, fmt::format("no temporary file to inflate it into: {}", std::strerror(errno)),
                    "set TMPDIR to a folder with room");
    ::unlink(name.c_str());
    return file;
  }

  void append(int file, std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0)
        throw Failure(where_, fmt::format("could not be inflated: {}", std::strerror(errno)),
                      "set TMPDIR to a folder with room");
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  std::string where_;
  PlainBytes source_;
  Compressed part_;
  std::int64_t skip_, size_;
  std::optional<std::uint32_t> checksum_;
  std::unique_ptr<Descriptor> inflated_;
};

Compressed raw(const DeflatedPart& part) { return {part.offset, part.offset + part.bytes, true}; }

std::string front_of(ByteSource& source, const Compressed& part, std::size_t size) {
  Inflater inflater(source, part);
  std::string front(size, '\0');
  front.resize(inflater.next(std::as_writable_bytes(std::span(front))));
  return front;
}

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const fs::path& path) { return std::make_unique<PlainBytes>(path); }

std::unique_ptr<ByteSource> open_inflated(const fs::path& file, std::int64_t offset, std::int64_t skip,
                                          std::int64_t size) {
  return std::make_unique<InflatedBytes>(file, Compressed{offset, -1}, skip, size);
}

std::unique_ptr<ByteSource> open_deflated(const fs::path& file, const DeflatedPart& part, std::int64_t size,
                                          std::uint32_t checksum) {
  return std::make_unique<InflatedBytes>(file, raw(part), 0, size, checksum);
}

std::string deflated_front(const fs::path& file, const DeflatedPart& part, std::size_t size) {
  PlainBytes source(file);
  return front_of(source, raw(part), size);
}

std::string inflate_front(const fs::path& file, std::size_t size) {
  PlainBytes source(file);
  return front_of(source, {0, source.size()}, size);
}

std::string read_front(const fs::path& file, std::size_t size) {
  PlainBytes source(file);
  std::string front(std::min(size, static_cast<std::size_t>(source.size())), '\0');
  source.read(0, std::as_writable_bytes(std::span(front)));
  return front;
}

}  // namespace backlit
