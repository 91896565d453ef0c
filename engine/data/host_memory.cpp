#include "data/host_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/byte_size.hpp"
#include "core/error.hpp"

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

/// Null when there is none.
std::shared_ptr<void> from_memory(std::int64_t bytes) {
  // calloc hands out zeroed pages lazily: a large volume costs nothing until it is written.
  void* memory = std::calloc(static_cast<std::size_t>(bytes), 1);
  if (!memory) return nullptr;
  in_memory += bytes;
  return {memory, [bytes](void* p) {
            std::free(p);
            in_memory -= bytes;
          }};
}

/// Takes the disk's blocks at once: a full disk must not show up as a signal when a page is first written. 0, or why
/// there is no room.
int reserve(int file, std::int64_t bytes, const std::filesystem::path& folder) {
  std::error_code unknown;
  const auto space = std::filesystem::space(folder, unknown);
  if (!unknown && space.available < static_cast<std::uintmax_t>(bytes)) return ENOSPC;
  if (::fallocate(file, 0, 0, bytes) == 0) return 0;
  if (errno != EOPNOTSUPP) return errno;
  return ::ftruncate(file, bytes) == 0 ? 0 : errno;
}

std::shared_ptr<void> from_file(std::int64_t bytes) {
  const auto folder = settings().folder.empty() ? std::filesystem::temp_directory_path() : settings().folder;
  std::string name = (folder / ".backlit-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  int error = file < 0 ? errno : 0;
  if (file >= 0) ::unlink(name.c_str());
  if (error == 0) error = reserve(file, bytes, folder);
  const auto length = static_cast<std::size_t>(bytes);
  void* memory = MAP_FAILED;
  if (error == 0) {
    memory = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) error = errno;
  }
  if (file >= 0) ::close(file);
  if (error != 0)
    throw Failure("memory",
                  fmt::format("{} do not fit in memory, nor in a file in {}: {}", byte_size_text(bytes),
                              folder.string(), std::strerror(error)),
                  "ask for a smaller volume or fewer views, or free some of the disk");
  return {memory, [length](void* p) { ::munmap(p, length); }};
}

}  // namespace

void set_host_memory(HostMemory memory) { settings() = std::move(memory); }

std::shared_ptr<void> zeroed_memory(std::int64_t bytes, bool* in_file) {
  std::shared_ptr<void> memory;
  if (bytes <= limit() - in_memory) memory = from_memory(bytes);
  if (in_file) *in_file = memory == nullptr;
  return memory ? memory : from_file(bytes);
}

}  // namespace backlit
