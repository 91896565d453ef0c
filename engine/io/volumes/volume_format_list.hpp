// The table of formats that open_stack(), load_volume() and save_volume() use.
#pragma once

#include <backlit/io/volumes/volume_format.hpp>
#include "io/format_list.hpp"

namespace backlit {

FormatList<VolumeFormat>& volume_format_list();

}  // namespace backlit
