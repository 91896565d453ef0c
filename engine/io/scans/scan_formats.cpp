// The table of formats for scans.
#include <backlit/io/scans/scan_format.hpp>

#include "io/scans/scan_format_list.hpp"

/// One line a format, in the order of help texts. Each file beside this one defines NAME_format().
#define BACKLIT_FORMATS(FORMAT) \
  FORMAT(scan_toml)             \
  FORMAT(nikon)                 \
  FORMAT(skyscan)               \
  FORMAT(xrm_scan)              \
  FORMAT(phoenix)               \
  FORMAT(yxlon)                 \
  FORMAT(diondo)                \
  FORMAT(truebeam)              \
  FORMAT(obi)                   \
  FORMAT(elekta)                \
  FORMAT(ct_pd)                 \
  FORMAT(nxtomo)                \
  FORMAT(data_exchange)         \
  FORMAT(tilt_series)           \
  FORMAT(cera)                  \
  FORMAT(leap)                  \
  FORMAT(image_table)           \
  FORMAT(rabbitct_scan)

namespace backlit {
namespace formats {
#define BACKLIT_DECLARE(name) ScanFormat name##_format();
BACKLIT_FORMATS(BACKLIT_DECLARE)
#undef BACKLIT_DECLARE
}  // namespace formats

FormatList<ScanFormat>& scan_format_list() {
#define BACKLIT_ENTRY(name) formats::name##_format(),
  static FormatList<ScanFormat> list({BACKLIT_FORMATS(BACKLIT_ENTRY)});
#undef BACKLIT_ENTRY
#undef BACKLIT_FORMATS
  return list;
}

const std::list<ScanFormat>& scan_formats() { return scan_format_list().all(); }

void register_scan_format(ScanFormat format) { scan_format_list().add(std::move(format)); }

}  // namespace backlit
