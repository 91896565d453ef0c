// The table of formats for PET lists.
#include <backlit/io/lists/list_format.hpp>

#include "io/lists/list_format_list.hpp"

/// One line a format, in the order of help texts. Each file beside this one defines NAME_format().
#define BACKLIT_FORMATS(FORMAT) \
  FORMAT(castor)                \
  FORMAT(siemens)               \
  FORMAT(stir_sinogram)         \
  FORMAT(safir)                 \
  FORMAT(petsird)               \
  FORMAT(gate_csv)

namespace backlit {
namespace formats {
#define BACKLIT_DECLARE(name) ListFormat name##_format();
BACKLIT_FORMATS(BACKLIT_DECLARE)
#undef BACKLIT_DECLARE
}  // namespace formats

FormatList<ListFormat>& list_format_list() {
#define BACKLIT_ENTRY(name) formats::name##_format(),
  static FormatList<ListFormat> list({BACKLIT_FORMATS(BACKLIT_ENTRY)});
#undef BACKLIT_ENTRY
#undef BACKLIT_FORMATS
  return list;
}

const std::list<ListFormat>& list_formats() { return list_format_list().all(); }

void register_list_format(ListFormat format) { list_format_list().add(std::move(format)); }

}  // namespace backlit
