// The writer of the format in castor.cpp.
#pragma once

#include <backlit/io/lists/list_mode_file.hpp>

namespace backlit::formats {

/// NAME.cdh, NAME.cdf, NAME.hscan and NAME.lut for `NAME.cdh`, all or none.
std::unique_ptr<ListModeWriter> create_castor(const std::filesystem::path& cdh, const Scanner&, const ListModeInfo&);

}  // namespace backlit::formats
