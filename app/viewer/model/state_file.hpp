// The state of the viewer as text, and the files that were opened last.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/state.hpp"
#include "stream/address.hpp"

namespace backlit::viewer {

/// TOML: one table a section of describe(), [[clip]], [[keyframe]] and [[measurement]] for the lists. Values that are
/// as they come are left out.
std::string to_toml(const ViewState&);
/// Reads it back; what is not there is as it comes. Throws InputError(name:line).
ViewState state_from_toml(const std::string& text, const std::string& name);

void save_state(const ViewState&, const std::filesystem::path&);
/// Paths in the file are relative to its folder.
ViewState load_state(const std::filesystem::path&);

using stream::config_folder;

/// The last files opened, the newest first; kept in config_folder()/recent.txt. Reading and writing never throw: a list
/// of recent files is not worth an error.
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
