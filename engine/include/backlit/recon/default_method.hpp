// The method for a scan where none is named.
#pragma once

#include <string>

#include <backlit/geometry/view.hpp>
#include <backlit/preprocess/fdk_filter.hpp>

namespace backlit {

struct DefaultMethod {
  std::string name = "fdk";
  std::string from{};  ///< why it is another one than fdk; else empty
};

/// hfdk for a helix that it takes and that fdk refuses; else fdk. `filter`: as the user wants it, since fdk takes every
/// trajectory with `force`, and views that are filtered already.
DefaultMethod default_method(const Scan&, const FilterOptions& filter = {});

}  // namespace backlit
