// The table of formats for stacks of images.
#include <backlit/io/volumes/volume_format.hpp>

#include "io/volumes/volume_format_list.hpp"

/// One line a format, in the order of help texts. Each is defined by NAME_format() in a file of this folder.
#define BACKLIT_FORMATS(FORMAT) \
  FORMAT(mha)                   \
  FORMAT(nrrd)                  \
  FORMAT(nifti)                 \
  FORMAT(tiff)                  \
  FORMAT(hdf5)                  \
  FORMAT(mat)                   \
  FORMAT(zarr)                  \
  FORMAT(npy)                   \
  FORMAT(npz)                   \
  FORMAT(pfm)                   \
  FORMAT(edf)                   \
  FORMAT(his)                   \
  FORMAT(hnd)                   \
  FORMAT(xim)                   \
  FORMAT(mrc)                   \
  FORMAT(dicom)                 \
  FORMAT(xrm)                   \
  FORMAT(phoenix_volume)        \
  FORMAT(rabbitct_volume)       \
  FORMAT(rabbitct)

namespace backlit {
namespace formats {
#define BACKLIT_DECLARE(name) VolumeFormat name##_format();
BACKLIT_FORMATS(BACKLIT_DECLARE)
#undef BACKLIT_DECLARE
}  // namespace formats

FormatList<VolumeFormat>& volume_format_list() {
#define BACKLIT_ENTRY(name) formats::name##_format(),
  static FormatList<VolumeFormat> list({BACKLIT_FORMATS(BACKLIT_ENTRY)});
#undef BACKLIT_ENTRY
#undef BACKLIT_FORMATS
  return list;
}

const std::list<VolumeFormat>& volume_formats() { return volume_format_list().all(); }

void register_volume_format(VolumeFormat format) { volume_format_list().add(std::move(format)); }

}  // namespace backlit
