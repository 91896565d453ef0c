// Zeiss's OLE2 files, by libgsf.
#include "fuzz/made_by_hand.hpp"

#if defined(BACKLIT_HAVE_GSF)
#include <gsf/gsf-outfile-msole.h>
#include <gsf/gsf-output-stdio.h>
#include <gsf/gsf-utils.h>

#include <cstdint>
#include <initializer_list>

namespace backlit::fuzz {
namespace fs = std::filesystem;
namespace {

template <class T>
void stream(GsfOutfile* folder, const char* name, std::initializer_list<T> values) {
  GsfOutput* const out = gsf_outfile_new_child(folder, name, FALSE);
  gsf_output_write(out, values.size() * sizeof(T), reinterpret_cast<const guint8*>(values.begin()));
  gsf_output_close(out);
  g_object_unref(out);
}

template <class Fill>
void storage(GsfOutfile* root, const char* name, Fill&& fill) {
  GsfOutput* const folder = gsf_outfile_new_child(root, name, TRUE);
  fill(GSF_OUTFILE(folder));
  gsf_output_close(folder);
  g_object_unref(folder);
}

/// Two images of 3 x 2 counts of a cone beam, with a flat field and shifts, along columns too where `across`.
void xrm(const fs::path& folder, bool across) {
  gsf_init();
  GsfOutput* const file = gsf_output_stdio_new((folder / "v.txrm").c_str(), nullptr);
  GsfOutfile* const root = gsf_outfile_msole_new(file);
  storage(root, "ImageInfo", [](GsfOutfile* info) {
    for (const auto& [name, value] : {std::pair("ImageWidth", 3),
                                      {"ImageHeight", 2},
                                      {"ImagesTaken", 2},
                                      {"NoOfImages", 2},
                                      {"DataType", 5},
                                      {"XrayGeometry", 1}})
      stream<std::int32_t>(info, name, {value});
    stream<float>(info, "PixelSize", {20});
    stream<float>(info, "Angles", {-90, 90});
    stream<float>(info, "StoRADistance", {-30, -30});
    stream<float>(info, "DtoRADistance", {20, 20});
    stream<float>(info, "Voltage", {80});
  });
  storage(root, "Alignment", [across](GsfOutfile* alignment) {
    if (across) stream<float>(alignment, "X-Shifts", {0.5f, -0.25f});
    stream<float>(alignment, "Y-Shifts", {0, 1});
  });
  storage(root, "ReferenceData", [](GsfOutfile* reference) {
    stream<std::int32_t>(reference, "DataType", {10});
    stream<float>(reference, "Image", {900, 901, 902, 903, 904, 905});
  });
  storage(root, "ImageData1", [](GsfOutfile* images) {
    stream<std::uint16_t>(images, "Image1", {1, 2, 3, 4, 5, 60000});
    stream<std::uint16_t>(images, "Image2", {11, 12, 13, 14, 15, 16});
  });
  gsf_output_close(GSF_OUTPUT(root));
  g_object_unref(root);
  g_object_unref(file);
}

}  // namespace

std::vector<HandMade> xrm_by_hand() {
  return {{"xrm", "v.txrm", [](const fs::path& folder) { xrm(folder, true); }},
          {"xrm", "v.txrm", [](const fs::path& folder) { xrm(folder, false); }, "rows-shifted"}};
}

}  // namespace backlit::fuzz
#else
namespace backlit::fuzz {

std::vector<HandMade> xrm_by_hand() { return {}; }

}  // namespace backlit::fuzz
#endif
