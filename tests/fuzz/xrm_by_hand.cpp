// Zeiss's OLE2 files, by libgsf.
#include "fuzz/made_by_hand.hpp"

#if defined(BACKLIT_HAVE_GSF)
#include "support/io/ole_sample.hpp"

namespace backlit::fuzz {
namespace fs = std::filesystem;
namespace {

/// Two images of 3 x 2 counts of a cone beam, with a flat field and shifts, along columns too where `across`.
void xrm(const fs::path& folder, bool across) {
  const test::OleSample file(folder / "v.txrm");
  {
    const test::OleFolder info = file.folder("ImageInfo");
    for (const auto& [name, value] : {std::pair("ImageWidth", 3),
                                      {"ImageHeight", 2},
                                      {"ImagesTaken", 2},
                                      {"NoOfImages", 2},
                                      {"DataType", 5},
                                      {"XrayGeometry", 1}})
      info.add<std::int32_t>(name, {value});
    info.add<float>("PixelSize", {20});
    info.add<float>("Angles", {-90, 90});
    info.add<float>("StoRADistance", {-30, -30});
    info.add<float>("DtoRADistance", {20, 20});
    info.add<float>("Voltage", {80});
  }
  {
    const test::OleFolder alignment = file.folder("Alignment");
    if (across) alignment.add<float>("X-Shifts", {0.5f, -0.25f});
    alignment.add<float>("Y-Shifts", {0, 1});
  }
  {
    const test::OleFolder reference = file.folder("ReferenceData");
    reference.add<std::int32_t>("DataType", {10});
    reference.add<float>("Image", {900, 901, 902, 903, 904, 905});
  }
  const test::OleFolder images = file.folder("ImageData1");
  images.add<std::uint16_t>("Image1", {1, 2, 3, 4, 5, 60000});
  images.add<std::uint16_t>("Image2", {11, 12, 13, 14, 15, 16});
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
