#include "io/other_files.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include <backlit/core/error.hpp>
#include "io/lists/list_format_list.hpp"
#include "io/lists/scanner_format_list.hpp"
#include "io/text_fields.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

bool is_nrecon_log(const FileFront& front) {
  return has_extension(front.path, {"_rec.log"}) &&
         lower_case(front.bytes).find("object to source (mm)") != std::string::npos;
}

/// A header beside the file that names it; empty where there is none.
std::string list_header_of(const fs::path& data) {
  constexpr int most = 1000;  // files of the folder that are looked at
  const std::string name = data.filename().string();
  const fs::path folder = data.has_parent_path() ? data.parent_path() : fs::path(".");
  int seen = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (++seen > most) break;
    if (!entry.is_regular_file(error) || entry.path().filename() == name) continue;
    try {
      const FileFront front = file_front(entry.path());
      if (front.bytes.find(name) != std::string::npos && list_format_list().recognized(front))
        return entry.path().filename().string();
    } catch (const InputError&) {  // another file than the one that was asked about
    }
  }
  return {};
}

/// The scan beside a file that holds a part of its geometry; empty where there is none.
std::string scan_of(const fs::path& part) {
  static const std::pair<std::string, std::vector<const char*>> scans_by_ending[] = {
      {"_ctdata.txt", {".xtekct"}},
      {".ang", {".xtekct"}},
      {"_projtable.txt", {".config"}},
      {".tlt", {".mrc", ".st", ".ali"}},
      {".rawtlt", {".mrc", ".st", ".ali"}}};
  const std::string path = part.string();
  std::error_code error;
  for (const auto& [ending, extensions] : scans_by_ending)
    for (const char* extension : extensions)
      if (has_extension(part, {ending}))
        if (const fs::path scan = path.substr(0, path.size() - ending.size()) + extension;
            fs::is_regular_file(scan, error))
          return scan.filename().string();
  return {};
}

}  // namespace

void refuse_other_file(const FileFront& front) {
  const std::string where = front.path.string();
  if (is_nrecon_log(front)) {
    const std::string name = front.path.filename().string();
    throw InputError(where, "is NRecon's log of a reconstruction",
                     fmt::format("name the scan's log, {}.log", name.substr(0, name.size() - 8)));
  }
  if (const std::string scan = scan_of(front.path); !scan.empty())
    throw InputError(where, "holds a part of a scan's geometry", fmt::format("name the scan, {}", scan));
  const ScannerFormat* scanner = scanner_format_list().recognized(front);
  if (scanner && has_extension(front.path, scanner->extensions))
    throw InputError(where, "is a scanner of PET", "name a list of its events");
  if (const std::string header = list_header_of(front.path); !header.empty())
    throw InputError(where, "is the bare data of a PET list", fmt::format("name its header, {}", header));
}

}  // namespace backlit
