#include <backlit/core/atomic_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <random>
#include <system_error>

#include <backlit/core/error.hpp>

namespace backlit {
namespace fs = std::filesystem;

namespace {

/// The file that writing replaces: the target of a link, not the link. Throws InputError when it is no regular file or
/// is write-protected.
fs::path replaced_by(const fs::path& path) {
  std::error_code error;
  fs::path file = path;
  for (int links = 0; fs::is_symlink(file, error) && links < 40; ++links)
    file = file.parent_path() / fs::read_symlink(file, error);
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return file;
  if (!fs::is_regular_file(status))
    throw InputError(path.string(), "is no file that could be replaced", "choose another name");
  constexpr fs::perms writable = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  if ((status.permissions() & writable) == fs::perms::none || ::access(file.c_str(), W_OK) != 0)
    throw InputError(path.string(), "is write-protected", "choose another name, or remove it");
  return file;
}

/// Creates a new file with a random name: two writers never share a file, and nobody can place a link in its place. It
/// gets the mode and, where the system permits, the owner of the file that it replaces. Returns an empty path, with
/// errno set, when the file cannot be created.
fs::path make_beside(const fs::path& final_path, const fs::path& folder) {
  struct stat old {};
  const bool replaces = ::stat(final_path.c_str(), &old) == 0;
  const mode_t mode = replaces ? (old.st_mode & 0777) | S_IRUSR | S_IWUSR : 0666;
  std::random_device random;
  for (int tries = 0; tries < 100; ++tries) {
    // The extension stays last: writers that look at it still recognise the format.
    fs::path name = folder / fmt::format(".{}.{:08x}{:08x}.part{}", final_path.stem().string(), random(), random(),
                                         final_path.extension().string());
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

/// Removes temporary files older than a day that killed writers of the same file left behind.
void remove_old_parts(const fs::path& final_path, const fs::path& folder) {
  constexpr std::size_t random_digits = 16;
  const std::string front = fmt::format(".{}.", final_path.stem().string());
  const std::string end = fmt::format(".part{}", final_path.extension().string());
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), last; !error && entry != last; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (name.size() == front.size() + random_digits + end.size() && name.starts_with(front) && name.ends_with(end) &&
        fs::file_time_type::clock::now() - entry->last_write_time(ignored) > std::chrono::hours(24) && !ignored)
      fs::remove(entry->path(), ignored);
  }
}

}  // namespace

AtomicFile::AtomicFile(fs::path final_path) : final_(replaced_by(final_path)) {
  const fs::path folder = final_.has_parent_path() ? final_.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw InputError(final_.string(), "its folder does not exist", "make it first or choose another place");
  if (::access(folder.c_str(), W_OK) != 0)
    throw InputError(final_.string(), "its folder cannot be written to", "choose another place");
  remove_old_parts(final_, folder);
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
