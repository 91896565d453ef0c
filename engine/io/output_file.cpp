#include <backlit/io/output_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include <backlit/core/error.hpp>

namespace backlit {
void refuse_unwritten(const std::string& where) {
  throw Failure(where, fmt::format("could not be written: {}", std::strerror(errno)),
                "make room on the disk or choose another place");
}

OutputFile::OutputFile(const std::filesystem::path& final_path)
    : where_(final_path.string()), file_(final_path), stream_(std::fopen(file_.path().c_str(), "wbe"), &std::fclose) {
  if (!stream_) refuse_unwritten(where_);
}

void OutputFile::write(std::span<const std::byte> bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream_.get()) != bytes.size()) refuse_unwritten(where_);
  begin_flush(static_cast<std::int64_t>(bytes.size()));
}

/// The disk writes what is there while the rest is made: close() then has little to wait for.
void OutputFile::begin_flush(std::int64_t bytes) {
  constexpr std::int64_t worth_it = std::int64_t{8} << 20;
  written_ += bytes;
  if (written_ - flushing_ < worth_it) return;
  ::sync_file_range(::fileno(stream_.get()), flushing_, written_ - flushing_, SYNC_FILE_RANGE_WRITE);
  flushing_ = written_;
}

void OutputFile::flush() {
  if (std::fflush(stream_.get()) != 0) refuse_unwritten(where_);
}

void OutputFile::close() {
  if (std::fclose(stream_.release()) != 0) refuse_unwritten(where_);
  file_.sync();
}

void OutputFile::commit() {
  if (stream_) close();
  file_.commit();
}

}  // namespace backlit
