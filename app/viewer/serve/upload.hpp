// Files dropped on the page: written into a folder of their own, which is removed when the program ends.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/messages.hpp"

namespace backlit::viewer::serve {

/// A folder that only this user can read; removed with its contents.
class UploadFolder {
 public:
  UploadFolder() = default;
  ~UploadFolder();
  UploadFolder(const UploadFolder&) = delete;
  UploadFolder& operator=(const UploadFolder&) = delete;

  /// Makes a new folder inside, so that files with the same name from two drops stay apart. Throws Failure.
  std::filesystem::path next();

 private:
  std::filesystem::path path_;
  int drops_ = 0;
};

class Upload {
 public:
  /// Throws InputError if the disk lacks space for the files, Failure if they cannot be created.
  Upload(FilesDropped, std::filesystem::path folder);
  ~Upload();
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  /// Writes the next bytes. Throws InputError for more bytes than announced, Failure if the disk is full.
  void take(std::string_view bytes);
  bool complete() const { return at_ == files_.size(); }
  /// All paths, the smallest file last: a header that names the other files should be opened. From now on the files
  /// stay; otherwise the destructor removes them.
  std::vector<std::string> delivered();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void open_next();

  std::filesystem::path folder_;
  std::vector<FilesDropped::File> files_;
  std::size_t at_ = 0;      ///< index of the file being written
  std::uint64_t left_ = 0;  ///< bytes left of that file
  bool delivered_ = false;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace backlit::viewer::serve
