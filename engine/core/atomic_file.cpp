#include <backlit/core/atomic_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <backlit/core/error.hpp>
#include "core/temporary_name.hpp"

namespace backlit {
namespace fs = std::filesystem;

namespace {

/// What writing replaces. Throws InputError for what is no file, and for files that nobody may write.
fs::path replaced_by(const fs::path& path) {
  std::error_code error;
  fs::path file = behind_links(path);
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return file;
  if (!fs::is_regular_file(status))
    throw InputError(path.string(), "is no file that could be replaced", "choose another name");
  constexpr fs::perms writable = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  if ((status.permissions() & writable) == fs::perms::none || ::access(file.c_str(), W_OK) != 0)
    throw InputError(path.string(), "is write-protected", "choose another name, or remove it");
  return file;
}

/// Makes a file of a name that nobody can guess and nothing has yet: two writers never share one, and no link leads
/// elsewhere. It has the mode and, where the system permits, the owner of what it replaces. Empty, errno set, when it
/// cannot be made.
fs::path make_beside(const fs::path& final_path) {
  struct stat old {};
  const bool replaces = ::stat(final_path.c_str(), &old) == 0;
  const mode_t mode = replaces ? (old.st_mode & 0777) | S_IRUSR | S_IWUSR : 0666;
  for (int tries = 0; tries < 100; ++tries) {
    fs::path name = temporary_name(final_path);
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file >= 0) {
      [[maybe_unused]] const int ignored = replaces ? ::fchown(file, old.st_uid, old.st_gid) : 0;
      ::close(file);
      return name;
    }
    if (errno != EEXIST) break;
  }
  return {};
}

}  // namespace

AtomicFile::AtomicFile(fs::path final_path) : final_(replaced_by(final_path)) {
  writable_folder_of(final_);
  remove_old_parts(final_);
  temporary_ = make_beside(final_);
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
