#include <backlit/data/host_memory.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>

namespace backlit {
namespace {

HostMemory& settings() {
  static HostMemory memory;
  return memory;
}

std::atomic<std::int64_t> in_memory{0};

std::int64_t limit() {
  if (settings().bytes > 0) return settings().bytes;
  return std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGE_SIZE) / 4 * 3;
}

/// Asks for pages of 2 MiB: writing a large volume for the first time then takes some hundred page faults, not some
/// hundred thousand. Systems without such pages use small ones.
void prefer_large_pages(void* memory, std::size_t bytes) {
  constexpr std::size_t large = std::size_t{2} << 20;
  std::size_t room = bytes;
  if (void* begin = memory; bytes >= 2 * large && std::align(large, large, begin, room))
    ::madvise(begin, room / large * large, MADV_HUGEPAGE);
}

/// Null when there is no memory left.
std::shared_ptr<void> from_memory(std::int64_t bytes) {
  // calloc provides zeroed pages when they are first written: a large volume costs nothing before that.
  void* memory = std::calloc(static_cast<std::size_t>(bytes), 1);
  if (!memory) return nullptr;
  prefer_large_pages(memory, static_cast<std::size_t>(bytes));
  in_memory += bytes;
  return {memory, [bytes](void* p) {
            std::free(p);
            in_memory -= bytes;
          }};
}

/// Allocates the disk's blocks now. Otherwise a full disk would raise a signal when a page is first written. Returns 0,
/// or the error number.
int reserve(int file, std::int64_t bytes, const std::filesystem::path& folder) {
  std::error_code unknown;
  const auto space = std::filesystem::space(folder, unknown);
  if (!unknown && space.available < static_cast<std::uintmax_t>(bytes)) return ENOSPC;
  if (::fallocate(file, 0, 0, bytes) == 0) return 0;
  if (errno != EOPNOTSUPP) return errno;
  return ::ftruncate(file, bytes) == 0 ? 0 : errno;
}

/// The files behind mapped memory. A file stays open as long as its memory is mapped.
class MappedFiles {
 public:
  struct File {
    int descriptor;
    std::int64_t bytes;
  };
  void add(const void* memory, File file) {
    const std::scoped_lock lock(mutex_);
    files_[memory] = file;
  }
  void close(const void* memory) {
    const std::scoped_lock lock(mutex_);
    if (const auto file = files_.extract(memory)) ::close(file.mapped().descriptor);
  }
  bool name(const void* memory, std::int64_t bytes, const std::filesystem::path& path) {
    const std::scoped_lock lock(mutex_);
    const auto file = files_.find(memory);
    if (file == files_.end() || file->second.bytes != bytes) return false;
    const std::string open_file = fmt::format("/proc/self/fd/{}", file->second.descriptor);
    return ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }

 private:
  std::mutex mutex_;
  std::map<const void*, File> files_;
};

MappedFiles& mapped_files() {
  static auto& files = *new MappedFiles;  // never destroyed: arrays may outlive static objects
  return files;
}

/// Opens a file without a name. Where the file system supports it, the file can get a name later. Negative on errors,
/// with errno set.
int unnamed_file(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (file >= 0) return file;
  std::string name = (folder / ".backlit-XXXXXX").string();
  const int hidden = ::mkostemp(name.data(), O_CLOEXEC);
  if (hidden >= 0) ::unlink(name.c_str());
  return hidden;
}

std::shared_ptr<void> from_file(std::int64_t bytes) {
  const auto folder = settings().folder.empty() ? std::filesystem::temp_directory_path() : settings().folder;
  const int file = unnamed_file(folder);
  int error = file < 0 ? errno : 0;
  if (error == 0) error = reserve(file, bytes, folder);
  const auto length = static_cast<std::size_t>(bytes);
  void* memory = MAP_FAILED;
  if (error == 0) {
    memory = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) error = errno;
  }
  if (file >= 0 && error != 0) ::close(file);
  if (error != 0)
    throw Failure("memory",
                  fmt::format("{} do not fit in memory, nor in a file in {}: {}", byte_size_text(bytes),
                              folder.string(), std::strerror(error)),
                  "ask for a smaller volume or fewer views, or free some of the disk");
  mapped_files().add(memory, {file, bytes});
  return {memory, [length](void* p) {
            mapped_files().close(p);
            ::munmap(p, length);
          }};
}

}  // namespace

void set_host_memory(HostMemory memory) { settings() = std::move(memory); }

std::int64_t memory_left() { return limit() - in_memory; }

std::shared_ptr<void> zeroed_memory(std::int64_t bytes, bool* in_file) {
  std::shared_ptr<void> memory;
  if (bytes <= memory_left()) memory = from_memory(bytes);
  if (in_file) *in_file = memory == nullptr;
  return memory ? memory : from_file(bytes);
}

bool name_mapped_file(const void* memory, std::int64_t bytes, const std::filesystem::path& path) {
  return mapped_files().name(memory, bytes, path);
}

}  // namespace backlit
