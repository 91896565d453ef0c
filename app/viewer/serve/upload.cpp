#include "serve/upload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <set>

#include <backlit/core/error.hpp>

namespace backlit::viewer::serve {
namespace fs = std::filesystem;

UploadFolder::~UploadFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

fs::path UploadFolder::next() {
  std::error_code error;
  if (path_.empty()) {
    std::string name = (fs::temp_directory_path(error) / "backlit-view-XXXXXX").string();
    if (error || !mkdtemp(name.data()))
      throw Failure("dropped files", "no folder can be made for them", "set TMPDIR to a folder that can be written");
    path_ = name;
  }
  const fs::path folder = path_ / std::to_string(++drops_);
  if (!fs::create_directory(folder, error))
    throw Failure(folder.string(), error.message(), "free space there, or set TMPDIR to a larger disk");
  return folder;
}

Upload::Upload(FilesDropped dropped, fs::path folder) : folder_(std::move(folder)), files_(std::move(dropped.files)) {
  std::uint64_t all = 0;
  std::set<std::string> names;
  for (const auto& file : files_) {
    all += file.bytes;
    if (!names.insert(file.name).second)
      throw InputError("dropped files", "two files have the name " + file.name, "drop them one after the other");
  }
  if (all == 0) throw InputError("dropped files", "they are empty", "drop files with data; folders cannot be dropped");
  std::error_code error;
  const auto room = fs::space(folder_, error);
  if (!error && all > room.available)
    throw InputError("dropped files",
                     fmt::format("{} bytes, and {} are free in {}", all, room.available, folder_.string()),
                     "copy them to the server and open them there, or set TMPDIR to a larger disk");
  open_next();
}

void Upload::open_next() {
  for (; at_ < files_.size(); ++at_) {
    const fs::path path = folder_ / files_[at_].name;
    file_.reset(std::fopen(path.c_str(), "wbx"));
    if (!file_) throw Failure(path.string(), std::strerror(errno), "set TMPDIR to a folder that can be written");
    left_ = files_[at_].bytes;
    if (left_ > 0) return;
  }
  file_.reset();
}

void Upload::take(std::string_view bytes) {
  while (!bytes.empty()) {
    if (complete()) throw InputError("dropped files", "more bytes than were announced", "drop them again");
    const auto part = bytes.substr(0, std::min<std::uint64_t>(left_, bytes.size()));
    left_ -= part.size();
    bytes.remove_prefix(part.size());
    if (std::fwrite(part.data(), 1, part.size(), file_.get()) != part.size() ||
        (left_ == 0 && std::fflush(file_.get()) != 0))
      throw Failure((folder_ / files_[at_].name).string(), std::strerror(errno), "set TMPDIR to a larger disk");
    if (left_ > 0) continue;
    ++at_;
    open_next();
  }
}

Upload::~Upload() {
  std::error_code ignored;
  if (!delivered_) fs::remove_all(folder_, ignored);
}

std::vector<std::string> Upload::delivered() {
  delivered_ = true;
  auto files = files_;
  std::ranges::stable_sort(files, std::ranges::greater{}, &FilesDropped::File::bytes);
  std::vector<std::string> paths;
  for (const auto& file : files) paths.push_back((folder_ / file.name).string());
  return paths;
}

}  // namespace backlit::viewer::serve
