// Output that appears under its final name complete, or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace backlit {

/// An empty temporary file beside `final_path` to write to; commit() renames it into place, the destructor removes it
/// otherwise. Where `final_path` is a link, the file that it leads to is replaced. Mode and owner stay those of the
/// file that is replaced. Temporary files of the same name that are older than a day are removed.
class AtomicFile {
 public:
  /// Throws InputError when the folder does not exist or cannot be written, and when the path is no regular file or is
  /// write-protected.
  explicit AtomicFile(std::filesystem::path final_path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::filesystem::path& path() const { return temporary_; }
  /// Flushes the data to the disk. Throws Failure with the system's reason. commit() does it when it must.
  void sync();
  /// Renames. Throws Failure with the system's reason.
  void commit();

 private:
  std::filesystem::path final_, temporary_;
  bool synced_ = false, committed_ = false;
};

/// Writes `text` atomically.
void write_text(const std::filesystem::path&, const std::string& text);

}  // namespace backlit
