#include "ranks/save_slabs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <vector>

#include <backlit/io/output_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>

namespace backlit::cli {
namespace {

/// A file that another process made.
class OthersFile {
 public:
  /// Does not throw where the file is not seen here: shareable() says so.
  explicit OthersFile(const std::string& path) : file_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)) {}
  ~OthersFile() {
    if (file_ >= 0) ::close(file_);
  }

  OthersFile(const OthersFile&) = delete;
  OthersFile& operator=(const OthersFile&) = delete;

  /// Whether several machines may write neighbouring bytes at once. Network file systems that cache pages on each
  /// machine write them back whole, over what others have written.
  bool shareable() const {
    constexpr long fuse = 0x65735546, cifs = 0xff534d42, smb2 = 0xfe534d42;
    constexpr long caching[] = {NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, AFS_SUPER_MAGIC, V9FS_MAGIC, fuse, cifs, smb2};
    struct statfs system {};
    return file_ >= 0 && ::fstatfs(file_, &system) == 0 &&
           std::ranges::find(caching, static_cast<long>(system.f_type)) == std::end(caching);
  }
  /// Fails as an output file does; `where` names the file.
  void write(std::span<const std::byte> bytes, std::int64_t at, const std::string& where) const {
    while (!bytes.empty()) {
      const ssize_t written = ::pwrite(file_, bytes.data(), bytes.size(), at);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) refuse_unwritten(where);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
      at += written;
    }
  }
  void sync(const std::string& where) const {
    if (::fsync(file_) != 0) refuse_unwritten(where);
  }

 private:
  int file_;
};

/// What rank 0 says of its file: the offset of the images and the temporary name; empty where it alone can write.
std::string told_place(Ranks& ranks, StackWriter* writer) {
  const auto place = writer ? writer->place() : std::nullopt;
  return ranks.from_first(place ? fmt::format("{} {}", place->offset, place->file.string()) : "");
}

/// Every rank writes its slab at its place. Returns false, with nothing written, where not all ranks can.
bool write_in_place(Ranks& ranks, const VolumeGrid& own, const SlicesToSave& slices, StackWriter* writer,
                    const std::string& where, const std::vector<double>& counts, const Watch& watch) {
  const std::string told = told_place(ranks, writer);
  if (told.empty()) return false;
  const std::size_t space = told.find(' ');
  const OthersFile file(told.substr(space + 1));
  if (ranks.minimum(file.shareable()) == 0) return false;
  std::int64_t offset = 0, first = 0;
  std::from_chars(told.data(), told.data() + space, offset);
  for (int r = 0; r < ranks.rank(); ++r) first += static_cast<std::int64_t>(counts[static_cast<std::size_t>(r)]);
  const std::int64_t slice = own.size[0] * own.size[1];
  const auto take = [&](std::int64_t begin, std::span<const float> values) {
    if (writer) return writer->write(values);
    const std::int64_t at = offset + (first + begin) * slice * static_cast<std::int64_t>(sizeof(float));
    file.write(std::as_bytes(values), at, where);
  };
  slices.give(take, watch, true);
  if (!writer) file.sync(where);
  const double all = ranks.sum(static_cast<double>(own.size[2]));  // all have written
  if (writer) writer->leave_out(static_cast<std::int64_t>(all) - own.size[2]);
  return true;
}

/// Rank 0 takes the slabs in order. Ranks give their slices in equal batches, so each knows what the others send.
void collect(Ranks& ranks, const VolumeGrid& own, const SlicesToSave& slices, StackWriter* writer,
             const std::vector<double>& counts, const Watch& watch) {
  slices.compute();
  const std::int64_t slice = own.size[0] * own.size[1];
  std::vector<float> room;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (r == static_cast<std::size_t>(ranks.rank())) {
      const auto send = [&](std::int64_t, std::span<const float> values) {
        if (writer) return writer->write(values);
        Ranks::Out out(counts.size());
        Ranks::In in(counts.size());
        out[0] = std::as_bytes(values);
        ranks.exchange(out, in);
      };
      slices.give(send, watch, false);  // MPI knows one thread
    } else {
      in_batches(watch, "write", static_cast<std::int64_t>(counts[r]), slice, "slices",
                 [&](std::int64_t, std::int64_t count) {
                   Ranks::Out out(counts.size());
                   Ranks::In in(counts.size());
                   if (writer) {
                     room.resize(static_cast<std::size_t>(count * slice));
                     in[r] = std::as_writable_bytes(std::span(room));
                   }
                   ranks.exchange(out, in);
                   if (writer) writer->write(room);
                 });
    }
  }
}

}  // namespace

void save_slabs(Ranks& ranks, const VolumeGrid& own, const SlicesToSave& slices, const VolumeGrid& whole,
                const std::filesystem::path& path, const Watch& watch) {
  std::unique_ptr<StackWriter> writer;
  if (ranks.rank() == 0) writer = create_volume(path, whole);
  const double held = static_cast<double>(own.size[2]);
  const std::vector<double> counts = ranks.gather({&held, 1});
  if (!write_in_place(ranks, own, slices, writer.get(), path.string(), counts, watch))
    collect(ranks, own, slices, writer.get(), counts, watch);
  if (writer) writer->commit();
  ranks.sum(0);  // the file is there
}

}  // namespace backlit::cli
