#include "io/dicom/ct_pd.hpp"

#include <backlit/core/error.hpp>

namespace backlit::dicom {

bool is_ct_pd(const std::filesystem::path& file) {
  try {
    const DataSet set(file);
    return set.has(ct_pd::angle) && set.has(ct_pd::distance);
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace backlit::dicom
