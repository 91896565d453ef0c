// What several formats of scans have to say to the user.
#pragma once

namespace backlit {

/// Of counts without flats (see correct_counts()).
constexpr const char* no_flats =
    "there are no flats: the brightest one per cent of each view stands in for the open beam";

}  // namespace backlit
