// Loaded into a program by LD_PRELOAD: stands in for a quota. What the program writes into files beyond QUOTA bytes is
// refused as "Disk quota exceeded", which no look at the free space of the disk foretells.
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace {

/// Counts bytes for a file; whether the quota has room for them.
bool fits(int file, std::size_t bytes) {
  static const char* quota = std::getenv("QUOTA");
  static std::atomic<long long> left = quota ? std::atoll(quota) : 0;
  struct stat status {};
  if (!quota || file <= STDERR_FILENO || ::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return true;
  if (left >= static_cast<long long>(bytes)) {
    left -= static_cast<long long>(bytes);
    return true;
  }
  left = 0;
  errno = EDQUOT;
  return false;
}

template <class F>
F original(const char* name) {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

std::size_t fwrite(const void* from, std::size_t size, std::size_t count, std::FILE* to) {
  if (!fits(::fileno(to), size * count)) return 0;
  return original<std::size_t (*)(const void*, std::size_t, std::size_t, std::FILE*)>("fwrite")(from, size, count, to);
}
ssize_t write(int file, const void* from, std::size_t bytes) {
  if (!fits(file, bytes)) return -1;
  return original<ssize_t (*)(int, const void*, std::size_t)>("write")(file, from, bytes);
}
ssize_t pwrite64(int file, const void* from, std::size_t bytes, off64_t at) {
  if (!fits(file, bytes)) return -1;
  return original<ssize_t (*)(int, const void*, std::size_t, off64_t)>("pwrite64")(file, from, bytes, at);
}
ssize_t pwrite(int file, const void* from, std::size_t bytes, off_t at) { return pwrite64(file, from, bytes, at); }
ssize_t writev(int file, const iovec* parts, int count) {
  std::size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  if (!fits(file, bytes)) return -1;
  return original<ssize_t (*)(int, const iovec*, int)>("writev")(file, parts, count);
}

}  // extern "C"
