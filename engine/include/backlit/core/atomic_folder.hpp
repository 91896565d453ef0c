// A folder of output that appears under its final name complete, or not at all.
#pragma once

#include <filesystem>
#include <functional>

namespace backlit {

/// An empty temporary folder beside `final_path` to write files to; commit() renames it into place, the destructor
/// removes it otherwise. Where `final_path` is a link, the folder that it leads to is replaced. Temporary folders of
/// the same name that are older than a day are removed.
class AtomicFolder {
 public:
  /// Whether a name within the folder is one that this writer makes.
  using Owns = std::function<bool(const std::filesystem::path& name)>;

  /// Throws InputError when the folder around it does not exist or cannot be written, and as check_replaceable() does.
  AtomicFolder(const std::filesystem::path& final_path, const Owns&);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  /// Throws InputError unless there is nothing at `final_path`, or a folder of nothing but what the writer makes:
  /// nobody's other files are lost.
  static void check_replaceable(const std::filesystem::path& final_path, const Owns&);

  const std::filesystem::path& path() const { return temporary_; }
  /// Flushes the disk and renames. Throws Failure with the system's reason.
  void commit();

 private:
  std::filesystem::path final_, temporary_;
  bool committed_ = false;
};

}  // namespace backlit
