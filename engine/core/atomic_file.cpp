#include <backlit/core/atomic_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <backlit/core/error.hpp>

namespace backlit {
namespace fs = std::filesystem;

AtomicFile::AtomicFile(fs::path final_path) : final_(std::move(final_path)) {
  static std::atomic<int> serial{0};
  const fs::path folder = final_.has_parent_path() ? final_.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw InputError(final_.string(), "its folder does not exist", "make it first or choose another place");
  if (::access(folder.c_str(), W_OK) != 0)
    throw InputError(final_.string(), "its folder cannot be written to", "choose another place");
  // The extension stays last: writers that look at it still recognise the format.
  temporary_ = folder / fmt::format(".{}.{}.{}.part{}", final_.stem().string(), ::getpid(), serial++,
                                    final_.extension().string());
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!committed_) fs::remove(temporary_, ignored);
}

void AtomicFile::sync() {
  const int file = ::open(temporary_.c_str(), O_RDONLY);
  synced_ = file >= 0 && ::fsync(file) == 0;
  const int reason = errno;
  if (file >= 0) ::close(file);
  if (!synced_) throw Failure(final_.string(), fmt::format("could not be written: {}", std::strerror(reason)));
}

void AtomicFile::commit() {
  if (!synced_) sync();
  std::error_code error;
  fs::rename(temporary_, final_, error);
  if (error) throw Failure(final_.string(), fmt::format("could not be put in place: {}", error.message()));
  committed_ = true;
}

void write_text(const fs::path& path, const std::string& text) {
  AtomicFile file(path);
  std::ofstream out(file.path(), std::ios::binary);
  out << text;
  out.close();
  if (!out) throw Failure(path.string(), "could not be written", "is the disk full?");
  file.commit();
}

}  // namespace backlit
