// Output files that appear under their final name complete, or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace backlit {

/// An empty temporary file beside `final_path`. commit() renames it to `final_path`; without commit() the destructor
/// removes it. If `final_path` is a link, the link's target is replaced. The new file keeps the mode and the owner of
/// the file that it replaces. Temporary files of the same name that are older than a day are removed.
class AtomicFile {
 public:
  /// Throws InputError when the folder does not exist or is not writable, and when the path is no regular file or is
  /// write-protected.
  explicit AtomicFile(std::filesystem::path final_path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::filesystem::path& path() const { return temporary_; }
  /// Flushes the data to the disk. commit() calls it where needed. Throws Failure with the system's reason.
  void sync();
  /// Renames the temporary file to `final_path`. Throws Failure with the system's reason.
  void commit();

 private:
  std::filesystem::path final_, temporary_;
  bool synced_ = false, committed_ = false;
};

/// Writes `text` atomically.
void write_text(const std::filesystem::path&, const std::string& text);

}  // namespace backlit
