#include "io/volumes/numpy/zip_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <backlit/core/error.hpp>
#include "io/binary_fields.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t end_bytes = 22, locator_bytes = 20, end64_bytes = 56;
constexpr std::size_t entry_bytes = 46, local_bytes = 30;
constexpr std::uint32_t elsewhere = 0xffffffff;  ///< the number is in the field for larger archives

[[noreturn]] void damaged(const std::string& where, const std::string& problem) {
  throw InputError(where, problem, "the file is cut off or damaged: copy it again");
}

std::string read_text(ByteSource& file, std::int64_t at, std::int64_t size, const std::string& where) {
  if (at < 0 || size < 0 || at > file.size() - size) damaged(where, "its list of files points outside the file");
  std::string text(static_cast<std::size_t>(size), '\0');
  file.read(at, std::as_writable_bytes(std::span(text)));
  return text;
}

/// Where the list of files is.
struct Directory {
  std::int64_t at = 0, bytes = 0;
};

/// That of an archive beyond 4 GiB or 65535 files, whose end is at `end`.
Directory large_directory(ByteSource& file, std::int64_t end, const std::string& where) {
  const std::string locator = read_text(file, end - locator_bytes, locator_bytes, where);
  if (!locator.starts_with("PK\6\7")) damaged(where, "the end of its list of files is missing");
  const auto at = BinaryFields(locator, where).get<std::int64_t>(8);
  const std::string record = read_text(file, at, end64_bytes, where);
  if (!record.starts_with("PK\6\6")) damaged(where, "the end of its list of files is missing");
  const BinaryFields fields(record, where);
  return {fields.get<std::int64_t>(48), fields.get<std::int64_t>(40)};
}

Directory find_directory(ByteSource& file, const std::string& where) {
  constexpr std::int64_t longest_comment = 65535;
  const std::int64_t size = file.size(), tail = std::min(size, end_bytes + longest_comment);
  const std::string text = read_text(file, size - tail, tail, where);
  const std::size_t last = text.rfind("PK\5\6");
  if (last == std::string::npos) damaged(where, "has no list of files, which a zip archive ends with");
  const BinaryFields fields(std::string_view(text).substr(last), where);
  const auto bytes = fields.get<std::uint32_t>(12), at = fields.get<std::uint32_t>(16);
  if (bytes == elsewhere || at == elsewhere || fields.get<std::uint16_t>(10) == 0xffff)
    return large_directory(file, size - tail + static_cast<std::int64_t>(last), where);
  return {at, bytes};
}

/// Takes sizes and the offset from the extra field of large archives, in this order, where the entry has no room.
void take_large(ZipEntry& entry, std::string_view extra, const std::string& where) {
  const BinaryFields fields(extra, where);
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const auto kind = fields.get<std::uint16_t>(at);
    std::size_t next = at + 4;
    at = next + fields.get<std::uint16_t>(at + 2);
    if (kind != 1) continue;
    for (std::int64_t* const number : {&entry.size, &entry.stored_size, &entry.begin})
      if (*number == elsewhere) *number = fields.get<std::int64_t>(std::exchange(next, next + 8));
  }
}

/// `begin` is where the entry's own header is.
ZipEntry entry_of(const BinaryFields& fields, std::size_t at, std::size_t extra_bytes, const std::string& where) {
  ZipEntry entry;
  const std::size_t letters = fields.get<std::uint16_t>(at + 28);
  entry.name = fields.text(at + entry_bytes, letters);
  const auto flags = fields.get<std::uint16_t>(at + 8), method = fields.get<std::uint16_t>(at + 10);
  if (flags & 1) throw InputError(where, fmt::format("{} is encrypted", entry.name), "save it without a password");
  if (method != 0 && method != 8)
    throw InputError(where, fmt::format("{} is packed by method {} of zip", entry.name, method),
                     "save it stored or deflated, as numpy.savez and numpy.savez_compressed do");
  entry.deflated = method == 8;
  entry.checksum = fields.get<std::uint32_t>(at + 16);
  entry.stored_size = fields.get<std::uint32_t>(at + 20);
  entry.size = fields.get<std::uint32_t>(at + 24);
  entry.begin = fields.get<std::uint32_t>(at + 42);
  take_large(entry, fields.text(at + entry_bytes + letters, extra_bytes), where);
  return entry;
}

/// Moves `begin` behind the entry's own header, whose length may differ from the list's.
void skip_header(ZipEntry& entry, ByteSource& file, const std::string& where) {
  const std::string header = read_text(file, entry.begin, local_bytes, where);
  if (!header.starts_with("PK\3\4")) damaged(where, fmt::format("{} is not where its list says", entry.name));
  const BinaryFields fields(header, where);
  entry.begin += static_cast<std::int64_t>(local_bytes) + fields.get<std::uint16_t>(26) + fields.get<std::uint16_t>(28);
  const bool fits = entry.stored_size >= 0 && entry.begin <= file.size() - entry.stored_size;
  if (!fits || entry.size < 0 || (!entry.deflated && entry.size != entry.stored_size))
    damaged(where, fmt::format("{} has no valid size", entry.name));
}

}  // namespace

std::vector<ZipEntry> zip_entries(const fs::path& path) {
  const std::string where = path.string();
  const auto file = open_bytes(path);
  const Directory directory = find_directory(*file, where);
  constexpr std::int64_t longest = 1 << 26;
  if (directory.bytes > longest) damaged(where, fmt::format("its list of files has {} bytes", directory.bytes));
  const std::string list = read_text(*file, directory.at, directory.bytes, where);
  const BinaryFields fields(list, where);
  std::vector<ZipEntry> entries;
  for (std::size_t at = 0; at < list.size();) {
    if (fields.text(at, 4) != "PK\1\2") damaged(where, "its list of files breaks off");
    const std::size_t extra = fields.get<std::uint16_t>(at + 30), letters = fields.get<std::uint16_t>(at + 28);
    entries.push_back(entry_of(fields, at, extra, where));
    skip_header(entries.back(), *file, where);
    at += entry_bytes + letters + extra + fields.get<std::uint16_t>(at + 32);
  }
  return entries;
}

std::string zip_front(const fs::path& path, const ZipEntry& entry, std::size_t size) {
  if (entry.deflated) return deflated_front(path, {entry.begin, entry.stored_size}, size);
  std::string front(std::min(size, static_cast<std::size_t>(entry.size)), '\0');
  open_bytes(path)->read(entry.begin, std::as_writable_bytes(std::span(front)));
  return front;
}

std::unique_ptr<ByteSource> open_deflated(const fs::path& path, const ZipEntry& entry) {
  return open_deflated(path, {entry.begin, entry.stored_size}, entry.size, entry.checksum);
}

}  // namespace backlit
