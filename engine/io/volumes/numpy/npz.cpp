// NumPy's archives of arrays (numpy.savez, numpy.savez_compressed), read only: the only stack, or an array by its name.
// A stored array is read in place, so by rows too; a deflated one is inflated whole.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/volumes/numpy/npy_header.hpp"
#include "io/volumes/numpy/zip_file.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".npy";

std::string key_of(const ZipEntry& entry) {
  return fmt::format("/{}", std::string_view(entry.name).substr(0, entry.name.size() - ending.size()));
}

std::vector<ZipEntry> arrays_of(const fs::path& path) {
  std::vector<ZipEntry> entries = zip_entries(path);
  std::erase_if(entries, [](const ZipEntry& entry) { return !entry.name.ends_with(ending); });
  if (entries.empty()) throw InputError(path.string(), "holds no arrays", "write it with numpy.savez");
  return entries;
}

std::string text_of(const std::vector<ZipEntry>& entries) {
  constexpr std::size_t most = 20;
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < std::min(most, entries.size()); ++i) keys.push_back(key_of(entries[i]));
  return fmt::format("{}{}", fmt::join(keys, ", "),
                     entries.size() > most ? fmt::format(" and {} more", entries.size() - most) : "");
}

NpyHeader header_of(const fs::path& path, const ZipEntry& entry) {
  return read_npy_header(zip_front(path, entry, npy_header_bytes), fmt::format("{}:{}", path.string(), key_of(entry)));
}

/// The number of dimensions; 0 where an array cannot be read.
std::size_t rank_of(const fs::path& path, const ZipEntry& entry) {
  try {
    return header_of(path, entry).shape.size();
  } catch (const InputError&) {
    return 0;
  }
}

/// The array of that name; without one the only array, else the only one with the first of these numbers of dimensions
/// that any has.
ZipEntry choose_array(const fs::path& path, const std::string& wanted, std::initializer_list<std::size_t> ranks) {
  const std::vector<ZipEntry> all = arrays_of(path);
  if (!wanted.empty()) {
    const auto found = std::ranges::find_if(
        all, [&](const ZipEntry& e) { return key_of(e) == wanted || key_of(e).substr(1) == wanted; });
    if (found != all.end()) return *found;
    throw InputError(path.string(), fmt::format("holds no {}", wanted), fmt::format("it holds {}", text_of(all)));
  }
  if (all.size() == 1) return all.front();
  for (const std::size_t rank : ranks) {
    std::vector<ZipEntry> found;
    std::ranges::copy_if(all, std::back_inserter(found),
                         [&](const ZipEntry& entry) { return rank_of(path, entry) == rank; });
    if (found.size() == 1) return found.front();
    if (!found.empty()) break;
  }
  throw InputError(path.string(), fmt::format("holds {}", text_of(all)), "name one as file.npz:/name");
}

/// An array whose samples lie in `source`, which is the archive where it is stored.
struct Opened {
  std::unique_ptr<ByteSource> source;
  NpyHeader header;
  std::string where;
};

Opened open_array(const fs::path& path, const ZipEntry& entry) {
  Opened opened{nullptr, header_of(path, entry), fmt::format("{}:{}", path.string(), key_of(entry))};
  double samples = static_cast<double>(sample_bytes(opened.header.samples.type));
  for (const std::int64_t n : opened.header.shape) samples *= static_cast<double>(n);
  if (const double needed = samples + static_cast<double>(opened.header.offset);
      needed > static_cast<double>(entry.size))
    throw InputError(opened.where, fmt::format("has {} bytes where its header asks for {:.0f}", entry.size, needed),
                     "the file is damaged");
  opened.source = entry.deflated ? open_deflated(path, entry) : open_bytes(path);
  if (!entry.deflated) opened.header.offset += entry.begin;
  return opened;
}

std::unique_ptr<StackReader> open_npz(const fs::path& path, const std::string& data_set) {
  Opened opened = open_array(path, choose_array(path, data_set, {3, 2}));
  RawLayout layout = npy_images(opened.header, opened.where);
  layout.info.format = "npz";
  return make_raw_stack(std::move(opened.source), std::move(layout), opened.where);
}

std::vector<double> npz_numbers(const fs::path& path, const std::string& data_set) {
  Opened opened = open_array(path, choose_array(path, data_set, {1}));
  return npy_numbers(std::move(opened.source), opened.header, opened.where);
}

/// A zip archive whose first file is an array.
bool begins_with_array(std::string_view bytes) {
  constexpr std::size_t name_at = 30;
  if (!bytes.starts_with("PK\3\4") || bytes.size() < name_at) return false;
  const std::size_t letters = static_cast<unsigned char>(bytes[26]) + 256u * static_cast<unsigned char>(bytes[27]);
  return bytes.substr(name_at, letters).ends_with(ending);
}

}  // namespace

VolumeFormat npz_format() {
  VolumeFormat f;
  f.name = "npz";
  f.title = "NumPy archive";
  f.extensions = {".npz"};
  f.recognizes = [](const FileFront& front) {
    return begins_with_array(front.bytes) || has_extension(front.path, {".npz"});
  };
  f.open = open_npz;
  f.has_data_sets = true;
  f.numbers = npz_numbers;
  f.notes = "stored or compressed: the only stack, or an array by name (`scan.npz:/views`); axes as of .npy";
  return f;
}

}  // namespace backlit::formats
