// OLE2 compound files: a folder of named streams in one file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <backlit/io/file_format.hpp>

namespace backlit::formats {

bool is_ole(const FileFront&);

class OleFile {
 public:
  /// Throws InputError when the file cannot be opened or is damaged, Unsupported in a build without libgsf.
  explicit OleFile(const std::filesystem::path&);
  ~OleFile();
  OleFile(const OleFile&) = delete;
  OleFile& operator=(const OleFile&) = delete;

  /// The bytes of a stream, "Folder/Name"; nothing where there is none. Throws InputError when the stream cannot be
  /// read or is larger than its file.
  std::optional<std::string> stream(const std::string& name) const;
  /// The names and sizes in bytes of all streams, at most 10,000, in folders at most eight deep. Folders of the root
  /// whose names begin with `except` are left out.
  std::vector<std::pair<std::string, std::int64_t>> streams(const std::string& except) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace backlit::formats
