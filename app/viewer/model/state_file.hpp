// The viewer's state as text, and the list of recent files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <backlit/core/parameter.hpp>
#include <backlit/io/toml_reader.hpp>
#include "model/state.hpp"
#include "stream/address.hpp"

namespace backlit::viewer {

/// TOML: one table for each section of describe(); [[clip]], [[keyframe]] and [[measurement]] for the lists. Default
/// values are left out.
std::string to_toml(const ViewState&);
/// Reads the text; missing values keep their defaults. Throws InputError(name:line).
ViewState state_from_toml(const std::string& text, const std::string& name);

/// One line a parameter: name = value.
std::string toml_lines(const Parameters&);
/// Takes the values that the table has. Throws InputError for a key that is neither a parameter's nor in `others`, and
/// for a value that does not fit.
void read_parameters(const TomlTable&, Parameters, std::vector<std::string_view> others = {});
/// [[named_layout]] of sessions and preferences.
std::string layout_toml(const NamedLayout&);
NamedLayout read_layout(const TomlTable&);

void save_state(const ViewState&, const std::filesystem::path&);
/// Paths in the file are relative to its folder.
ViewState load_state(const std::filesystem::path&);

using stream::config_folder;

/// The files opened last, newest first, kept in config_folder()/recent.txt. Reading and writing never throw: such
/// errors are not important.
class RecentFiles {
 public:
  explicit RecentFiles(std::filesystem::path file = config_folder() / "recent.txt");
  const std::vector<std::string>& files() const { return files_; }
  void add(const std::string& path);
  static constexpr std::size_t most = 12;

 private:
  std::filesystem::path file_;
  std::vector<std::string> files_;
};

}  // namespace backlit::viewer
