// The table of formats for PET scanners.
#include <backlit/io/lists/scanner_format.hpp>

#include "io/lists/scanner_format_list.hpp"

/// One line a format, in the order of help texts. Each file beside this one defines NAME_format().
#define BACKLIT_FORMATS(FORMAT) \
  FORMAT(scanner_toml)          \
  FORMAT(castor_scanner)        \
  FORMAT(crystal_map)

namespace backlit {
namespace formats {
#define BACKLIT_DECLARE(name) ScannerFormat name##_format();
BACKLIT_FORMATS(BACKLIT_DECLARE)
#undef BACKLIT_DECLARE
}  // namespace formats

FormatList<ScannerFormat>& scanner_format_list() {
#define BACKLIT_ENTRY(name) formats::name##_format(),
  static FormatList<ScannerFormat> list({BACKLIT_FORMATS(BACKLIT_ENTRY)});
#undef BACKLIT_ENTRY
#undef BACKLIT_FORMATS
  return list;
}

const std::list<ScannerFormat>& scanner_formats() { return scanner_format_list().all(); }

void register_scanner_format(ScannerFormat format) { scanner_format_list().add(std::move(format)); }

}  // namespace backlit
