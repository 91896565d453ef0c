#include <backlit/core/atomic_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>
#include <system_error>

#include <backlit/core/error.hpp>

namespace backlit {
namespace fs = std::filesystem;

namespace {

/// Makes a file of a name that nobody can guess and nothing has yet: two writers never share one, and no link leads
/// elsewhere. What only its owner may read stays so. Empty, errno set, when it cannot be made.
fs::path make_beside(const fs::path& final_path, const fs::path& folder) {
  struct stat old {};
  const bool replaces = ::stat(final_path.c_str(), &old) == 0 && S_ISREG(old.st_mode);
  const mode_t mode = replaces ? (old.st_mode & 0777) | S_IRUSR | S_IWUSR : 0666;
  std::random_device random;
  for (int tries = 0; tries < 100; ++tries) {
    // The extension stays last: writers that look at it still recognise the format.
    fs::path name = folder / fmt::format(".{}.{:08x}{:08x}.part{}", final_path.stem().string(), random(), random(),
                                         final_path.extension().string());
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file >= 0) ::close(file);
    if (file >= 0) return name;
    if (errno != EEXIST) break;
  }
  return {};
}

}  // namespace

AtomicFile::AtomicFile(fs::path final_path) : final_(std::move(final_path)) {
  const fs::path folder = final_.has_parent_path() ? final_.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw InputError(final_.string(), "its folder does not exist", "make it first or choose another place");
  if (::access(folder.c_str(), W_OK) != 0)
    throw InputError(final_.string(), "its folder cannot be written to", "choose another place");
  temporary_ = make_beside(final_, folder);
  if (temporary_.empty())
    throw InputError(final_.string(), fmt::format("cannot be written there: {}", std::strerror(errno)),
                     "choose another place");
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
