// Descriptors of file formats. Each kind of file has one table of formats; a program can add its own:
// register_volume_format(), register_scan_format(), register_geometry_format(), register_list_format(),
// register_scanner_format(). Opening, saving, help texts, error messages and file dialogs follow from the tables.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace backlit {

/// A file and its first bytes (up to 4096): enough to recognize most formats.
struct FileFront {
  std::filesystem::path path;
  std::string bytes;
};

/// Reads the first bytes; none of them when the path is no regular file.
FileFront file_front(const std::filesystem::path&);

/// The part that is common to all kinds. Formats are registered before other threads open or save files.
struct FileFormat {
  std::string name;   ///< one word, unique within its table: "mha"
  std::string title;  ///< as people call it: "MetaImage"
  /// How names of such files end, in lower case, the usual ending first: ".mha". A * matches any characters.
  std::vector<std::string> extensions;
  /// Those under which files can be saved; empty: it can only be read. No two formats of a table share one.
  std::vector<std::string> saved_as{};
  /// Whether the content is of this format. Empty: the name alone decides.
  std::function<bool(const FileFront&)> recognizes{};
  bool folders = false;  ///< a folder can be of this format: `recognizes` is asked about folders, too
  /// The files that saving under a name writes besides that one. Empty: none.
  std::function<std::vector<std::filesystem::path>(const std::filesystem::path&)> saved_beside{};
  std::string notes{};  ///< a phrase or two for the table of formats
};

/// Whether the name of a file ends as one of `extensions` says.
bool has_extension(const std::filesystem::path&, const std::vector<std::string>& extensions);

/// Whether the name of a file ends as those of volumes, scans, PET lists or scanners do; for file dialogs.
bool has_known_extension(const std::filesystem::path&);

/// "MetaImage (.mha, .mhd)"
std::string title_with(const FileFormat&, const std::vector<std::string>& extensions);

/// The extensions under which a table's formats are saved.
template <class Formats>
std::vector<std::string> saved_extensions(const Formats& formats) {
  std::vector<std::string> all;
  for (const auto& format : formats) all.insert(all.end(), format.saved_as.begin(), format.saved_as.end());
  return all;
}

/// The usual extension of every format of a table.
template <class Formats>
std::vector<std::string> usual_extensions(const Formats& formats) {
  std::vector<std::string> all;
  for (const auto& format : formats)
    if (!format.extensions.empty()) all.push_back(format.extensions.front());
  return all;
}

/// Every format of a table as title_with() writes it, by the extensions it is read by.
template <class Formats>
std::vector<std::string> readable_titles(const Formats& formats) {
  std::vector<std::string> all;
  for (const auto& format : formats) all.push_back(title_with(format, format.extensions));
  return all;
}

/// Those formats that can be saved, by the extensions they are saved under.
template <class Formats>
std::vector<std::string> savable_titles(const Formats& formats) {
  std::vector<std::string> all;
  for (const auto& format : formats)
    if (!format.saved_as.empty()) all.push_back(title_with(format, format.saved_as));
  return all;
}

}  // namespace backlit
