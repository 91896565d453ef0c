// The table of formats for geometries.
#include <backlit/io/scans/geometry_format.hpp>

#include "io/scans/geometries/geometry_format_list.hpp"

/// One line a format, in the order of help texts. Each file beside this one defines NAME_format().
#define BACKLIT_FORMATS(FORMAT) \
  FORMAT(rtk_xml)               \
  FORMAT(astra)                 \
  FORMAT(matrices)              \
  FORMAT(plastimatch)

namespace backlit {
namespace formats {
#define BACKLIT_DECLARE(name) GeometryFormat name##_format();
BACKLIT_FORMATS(BACKLIT_DECLARE)
#undef BACKLIT_DECLARE
}  // namespace formats

FormatList<GeometryFormat>& geometry_format_list() {
#define BACKLIT_ENTRY(name) formats::name##_format(),
  static FormatList<GeometryFormat> list({BACKLIT_FORMATS(BACKLIT_ENTRY)});
#undef BACKLIT_ENTRY
#undef BACKLIT_FORMATS
  return list;
}

const std::list<GeometryFormat>& geometry_formats() { return geometry_format_list().all(); }

void register_geometry_format(GeometryFormat format) { geometry_format_list().add(std::move(format)); }

}  // namespace backlit
