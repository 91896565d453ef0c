// Formats of PET list mode. One file each in engine/io/lists.
#pragma once

#include <list>

#include <backlit/io/file_format.hpp>
#include <backlit/io/lists/list_mode_file.hpp>

namespace backlit {

struct ListFormat : FileFormat {
  /// Opens a list and finds its scanner. Checks sizes against the header; events are checked when they are read. Throws
  /// InputError. Required.
  std::function<ListModeFile(const std::filesystem::path&, const ListModeOptions&)> open;
  /// Creates a list under one of saved_as. Empty when saved_as is empty.
  std::function<std::unique_ptr<ListModeWriter>(const std::filesystem::path&, const Scanner&, const ListModeInfo&)>
      create{};
};

/// The table, in the order in which help names the formats.
const std::list<ListFormat>& list_formats();

/// Adds a format to the end of the table, for load_list_mode(), is_list_mode() and create_list_mode(). Throws
/// InputError when its name or an extension under which it saves is taken.
void register_list_format(ListFormat);

}  // namespace backlit
