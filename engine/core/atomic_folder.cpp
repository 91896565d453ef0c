#include <backlit/core/atomic_folder.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include <backlit/core/error.hpp>
#include "core/temporary_name.hpp"

namespace backlit {
namespace fs = std::filesystem;

namespace {

/// Everything written below `folder` is on the disk afterwards; false, errno set, otherwise.
bool flush(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return false;
  const bool flushed = ::syncfs(file) == 0;
  const int reason = errno;
  ::close(file);
  errno = reason;
  return flushed;
}

}  // namespace

void AtomicFolder::check_replaceable(const fs::path& final_path, const Owns& owns) {
  const fs::path folder = behind_links(final_path);
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (!fs::is_directory(folder, error))
    throw InputError(final_path.string(), "is a file, where a folder is to be written",
                     "remove it or choose another name");
  if (::access(folder.c_str(), W_OK) != 0)
    throw InputError(final_path.string(), "is write-protected", "choose another name, or remove it");
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (!owns(entry.path().filename()))
      throw InputError(
          final_path.string(),
          fmt::format("is a folder that holds {}, which is of something else", entry.path().filename().string()),
          "choose another name");
  if (error) throw InputError(final_path.string(), fmt::format("cannot be looked into: {}", error.message()));
}

AtomicFolder::AtomicFolder(const fs::path& final_path, const Owns& owns) : final_(behind_links(final_path)) {
  if (!final_.has_filename()) final_ = final_.parent_path();  // "out.zarr/"
  check_replaceable(final_, owns);
  writable_folder_of(final_);
  remove_old_parts(final_);
  std::error_code error;
  for (int tries = 0; tries < 100 && temporary_.empty(); ++tries) {
    const fs::path name = temporary_name(final_);
    if (fs::create_directory(name, error)) temporary_ = name;
    if (error) break;
  }
  if (temporary_.empty())
    throw InputError(final_.string(), fmt::format("cannot be written there: {}", error.message()),
                     "choose another place");
}

AtomicFolder::~AtomicFolder() {
  std::error_code ignored;
  if (!committed_) fs::remove_all(temporary_, ignored);
}

void AtomicFolder::commit() {
  const auto fail = [&](const char* what, int reason) {
    throw Failure(final_.string(), fmt::format("could not be {}: {}", what, std::strerror(reason)));
  };
  if (!flush(temporary_)) fail("written", errno);
  std::error_code error;
  const bool replaces = fs::exists(final_, error);
  if (!replaces) {
    fs::rename(temporary_, final_, error);
    if (error) fail("put in place", error.value());
    committed_ = true;
    return;
  }
  // The two change names at one moment; where the file system cannot do that, the old one steps aside first.
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, final_.c_str(), RENAME_EXCHANGE) != 0) {
    const fs::path old = temporary_name(final_);
    fs::rename(final_, old, error);
    if (error) fail("put in place", error.value());
    fs::rename(temporary_, final_, error);
    if (error) {
      const int reason = error.value();
      fs::rename(old, final_, error);
      fail("put in place", reason);
    }
    temporary_ = old;
  }
  committed_ = true;
  fs::remove_all(temporary_, error);
}

}  // namespace backlit
