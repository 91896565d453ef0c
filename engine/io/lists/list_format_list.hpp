// The table of formats that load_list_mode() and create_list_mode() use.
#pragma once

#include <backlit/io/lists/list_format.hpp>
#include "io/format_list.hpp"

namespace backlit {

FormatList<ListFormat>& list_format_list();

}  // namespace backlit
