// A table of formats: looked up by content, by name, and by the name to save under.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/io/file_format.hpp>

namespace backlit {

template <class Format>
class FormatList {
 public:
  explicit FormatList(std::vector<Format> formats) {
    for (Format& format : formats) add(std::move(format));
  }

  const std::list<Format>& all() const { return formats_; }

  /// Throws InputError when the format has no name or no extension, or another one has its name or saves under one of
  /// its extensions.
  void add(Format format) {
    const auto refuse = [&](const std::string& problem, const char* remedy) {
      throw InputError(fmt::format("file format '{}'", format.name), problem, remedy);
    };
    if (format.name.empty() || format.extensions.empty()) refuse("it has no name or no extension", "give both");
    for (const Format& other : formats_) {
      if (other.name == format.name) refuse("another format has this name", "give it a name of its own");
      for (const std::string& extension : format.saved_as)
        if (std::ranges::count(other.saved_as, extension) > 0)
          refuse(fmt::format("{} saves under {} already", other.name, extension), "choose another extension");
    }
    formats_.push_back(std::move(format));
  }
  void remove(const std::string& name) {
    formats_.remove_if([&](const Format& format) { return format.name == name; });
  }

  /// The first format that recognizes the content; else, for files, the first without such a check that the name is of;
  /// else null.
  const Format* recognized(const FileFront& front) const {
    std::error_code error;
    const bool folder = std::filesystem::is_directory(front.path, error);
    for (const Format& format : formats_)
      if (format.recognizes && (format.folders || !folder) && format.recognizes(front)) return &format;
    if (folder) return nullptr;
    return named(front.path, [](const Format& format) { return !format.recognizes; });
  }
  /// The same, and then any format that the name is of: its reader says best what is wrong.
  const Format* find(const FileFront& front) const {
    if (const Format* format = recognized(front)) return format;
    return named(front.path, [](const Format&) { return true; });
  }
  /// The format that files of this name are saved in; null when there is none.
  const Format* saved_as(const std::filesystem::path& path) const {
    for (const Format& format : formats_)
      if (has_extension(path, format.saved_as)) return &format;
    return nullptr;
  }

  /// All files that saving under this name writes.
  std::vector<std::filesystem::path> files_saved(const std::filesystem::path& path) const {
    std::vector<std::filesystem::path> files{path};
    const Format* format = saved_as(path);
    if (format && format->saved_beside)
      for (auto& beside : format->saved_beside(path)) files.push_back(std::move(beside));
    return files;
  }

 private:
  template <class Accept>
  const Format* named(const std::filesystem::path& path, Accept&& accept) const {
    for (const Format& format : formats_)
      if (accept(format) && has_extension(path, format.extensions)) return &format;
    return nullptr;
  }

  std::list<Format> formats_;  ///< a format stays where it is when others come
};

}  // namespace backlit
