// Replaces ole.cpp in a build without libgsf: such files are recognized, but not read.
#include <backlit/core/error.hpp>
#include "io/volumes/scanners/ole.hpp"

namespace backlit::formats {

struct OleFile::Impl {};

OleFile::OleFile(const std::filesystem::path& path) {
  throw Unsupported(path.string(), "this Backlit was built without OLE2 files (Zeiss)",
                    "build it with -DBACKLIT_OLE=ON (Debian: libgsf-1-dev)");
}
OleFile::~OleFile() = default;
std::optional<std::string> OleFile::stream(const std::string&) const { return {}; }
std::vector<std::pair<std::string, std::int64_t>> OleFile::streams(const std::string&) const { return {}; }

bool is_ole(const FileFront& front) { return front.bytes.starts_with("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"); }

}  // namespace backlit::formats
