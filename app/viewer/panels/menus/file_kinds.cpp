#include "panels/menus/file_kinds.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <backlit/io/file_format.hpp>
#include <backlit/io/lists/scanner_format.hpp>
#include <backlit/io/mesh_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/io/volumes/volume_format.hpp>

namespace backlit::viewer {
namespace {

template <class Formats>
bool readable(const Formats& formats, const std::string& name) {
  return std::ranges::any_of(formats, [&](const FileFormat& f) { return has_extension(name, f.extensions); });
}

/// What an export writes; the tables are the rest.
std::vector<std::string> written_by(const std::string& action) {
  static const std::vector<std::string> pictures{".png", ".apng", ".mp4", ".webm", ".gif"},
      slices{".png", ".tif", ".tiff"};
  const std::map<std::string, std::vector<std::string>> known{{"export surface", mesh_extensions()},
                                                              {"export turntable", pictures},
                                                              {"export path", pictures},
                                                              {"export report", {".json"}},
                                                              {"export slice", slices},
                                                              {"export axial", slices},
                                                              {"export coronal", slices},
                                                              {"export sagittal", slices},
                                                              {"export oblique", slices},
                                                              {"export volume", volume_extensions()},
                                                              {"export pinned", volume_extensions()}};
  const auto found = known.find(action);
  return found == known.end() ? std::vector<std::string>{".csv"} : found->second;
}

}  // namespace

bool suits(const Action& a, const std::string& name) {
  if (a.name == "save session")
    return has_extension(name, {".toml"}) && !has_extension(name, {".scan.toml", ".phantom.toml", ".scanner.toml"});
  if (a.name.starts_with("export ")) return has_extension(name, written_by(a.name));
  const std::string parameter = a.name == "file" && !a.arguments.empty() ? a.arguments[0] : a.name;
  if (parameter == "scanner") return readable(scanner_formats(), name);
  if (parameter == "attenuation") return readable(volume_formats(), name) || has_extension(name, {".phantom.toml"});
  if (parameter == "pin file" || parameter == "initial" || parameter == "mask") return readable(volume_formats(), name);
  if (parameter == "checkpoint" || parameter == "resume") return has_extension(name, {".checkpoint"});
  return a.name == "file" || has_known_extension(name);
}

}  // namespace backlit::viewer
