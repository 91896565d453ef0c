// The [corrections] table of a scan file.
#pragma once

#include <string>

#include <backlit/io/toml_reader.hpp>
#include <backlit/preprocess/corrections.hpp>

namespace backlit {

/// Keys are the names of the parameters.
CorrectionOptions read_corrections(const TomlTable&);
/// "[corrections]" with what differs from the defaults; empty where nothing does.
std::string corrections_toml(CorrectionOptions);

}  // namespace backlit
