// A file being written that appears complete or not at all.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string_view>

#include <backlit/core/atomic_file.hpp>

namespace backlit {

class OutputFile {
 public:
  /// Throws InputError when the place cannot be written to.
  explicit OutputFile(const std::filesystem::path& final_path);
  void write(std::span<const std::byte>);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void write(std::span<const float> values) { write(std::as_bytes(values)); }
  /// Other processes see what was written. Throws Failure with the system's reason.
  void flush();
  /// Flushes everything to the disk, still under the temporary name. Throws Failure with the system's reason.
  void close();
  /// Gives the file its final name, after close() where that was not called. Throws Failure with the system's reason.
  void commit();
  /// The temporary name.
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  void begin_flush(std::int64_t bytes);

  std::string where_;
  AtomicFile file_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream_;
  std::int64_t written_ = 0, flushing_ = 0;  ///< bytes; those before `flushing_` are on their way to the disk
};

/// Throws Failure: the file could not be written, for the system's reason (errno).
[[noreturn]] void refuse_unwritten(const std::string& where);

}  // namespace backlit
