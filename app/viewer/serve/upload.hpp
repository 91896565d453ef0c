// Files that are dropped on the page: written into a folder of their own, which goes when the program ends.
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

/// A folder that only this user reads, removed with all it holds.
class UploadFolder {
 public:
  UploadFolder() = default;
  ~UploadFolder();
  UploadFolder(const UploadFolder&) = delete;
  UploadFolder& operator=(const UploadFolder&) = delete;

  /// A new folder in it: of two drops, files of one name are two files. Throws Failure.
  std::filesystem::path next();

 private:
  std::filesystem::path path_;
  int drops_ = 0;
};

class Upload {
 public:
  /// Throws InputError where the folder's disk has no room for them, Failure where they cannot be made.
  Upload(FilesDropped, std::filesystem::path folder);
  ~Upload();
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  /// The next bytes. Throws InputError for more than were announced, Failure where the disk is full.
  void take(std::string_view bytes);
  bool complete() const { return at_ == files_.size(); }
  /// All paths, the smallest file last: a header that names the others is what is to be opened. The files stay; those
  /// of an upload that is not delivered go with it.
  std::vector<std::string> delivered();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void open_next();

  std::filesystem::path folder_;
  std::vector<FilesDropped::File> files_;
  std::size_t at_ = 0;      ///< the file that is written
  std::uint64_t left_ = 0;  ///< bytes of it
  bool delivered_ = false;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace backlit::viewer::serve
