#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include <backlit/core/assets.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include "fuzz/made_by_hand.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/small_scanner.hpp"

namespace backlit::fuzz {
namespace fs = std::filesystem;
using test::write_bytes;
namespace {

/// Integers of which not all fit a double.
template <class T>
std::string raw(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

void siemens(const fs::path& folder) {
  write_bytes(
      folder / "v.hdr",
      "!INTERFILE:=\nname of data file := list.l\ndata format:=CoincidenceList\nnumber of rings:=3\n"
      "distance between rings (cm):=0.4\ngantry crystal radius (cm):=5\n%LM event and tag words format (bits):=32\n"
      "%axial compression:=1\n%maximum ring difference:=2\n%number of projections:=8\n%number of views:=8\n");
  write_bytes(folder / "list.l", raw<std::uint32_t>({1u << 31 | 3, 1u << 30 | 4, 7, 0xb0000000u, 1u << 30 | 99}));
}

void stir(const fs::path& folder) {
  write_bytes(
      folder / "v.hs",
      "!INTERFILE:=\nname of data file := counts.s\nimagedata byte order := LITTLEENDIAN\n!number format := unsigned "
      "integer\n!number of bytes per pixel := 2\nnumber of dimensions := 4\nmatrix axis label [4] := segment\n"
      "!matrix size [4] := 2\nmatrix axis label [3] := view\n!matrix size [3] := 4\nmatrix axis label [2] := axial "
      "coordinate\n!matrix size [2] := {3,1}\nmatrix axis label [1] := tangential coordinate\n!matrix size [1] := 3\n"
      "minimum ring difference per segment := {-1,1}\nmaximum ring difference per segment := {1,1}\nnumber of rings "
      ":= 2\nnumber of detectors per ring := 8\ninner ring diameter (cm) := 10\ndistance between rings (cm) := 0.5\n");
  write_bytes(folder / "counts.s", test::packed<std::uint16_t>(std::vector<double>(3 * 4 * (3 + 1), 1), false));
}

void safir(const fs::path& folder) {
  std::string bytes = "SAFIR CListModeData";
  bytes.resize(32, '\0');
  const auto event = [](std::uint64_t a, std::uint64_t b) { return std::uint64_t{1} << 8 | a << 16 | b << 32; };
  write_bytes(folder / "v.safir",
              bytes + raw<std::uint64_t>({std::uint64_t{1} << 63 | 7, event(2, 3), event(0, 1), event(3, 1)}));
  std::string map = "#ring det layer x y z\n";
  for (int ring = 0; ring < 2; ++ring)
    for (int det = 0; det < 4; ++det)
      map += fmt::format("{} {} 0 {:.4} {:.4} {}\n", ring, det, std::cos(det * 1.6) * 70, std::sin(det * 1.6) * 70,
                         10 * ring);
  write_bytes(folder / "crystal_map.txt", map);
}

/// GATE's table with its scanner beside it. The photons lie in the middle of crystals.
void gate(const fs::path& folder) {
  const Scanner scanner = test::small_scanner();
  save_scanner(scanner, folder / "s.hscan");
  std::string text =
      "# made by hand\nrunID,eventID1,eventID2,time1,time2,globalPosX1,globalPosY1,globalPosZ1,globalPosX2,globalPosY2,"
      "globalPosZ2,comptonPhantom1,comptonPhantom2,energy1\n";
  for (std::size_t i = 0; i < 4; ++i) {
    const auto &a = scanner.position[3 * i], &b = scanner.position[8 + 5 * i];
    text += fmt::format("0,5,{},{},{:e},{},{},{},{},{},{},{},0,0.511\n", i % 3 ? 5 : 6, 0.25 + 1e-3 * double(i),
                        0.25 + 1.5e-10, a.x, a.y, a.z, b.x, b.y, b.z, i % 2);
  }
  write_bytes(folder / "v.csv", text);
}

/// A file that PETSIRD's own package of this version wrote.
HandMade petsird(const std::string& version) {
  return {"petsird", "v.petsird",
          [=](const fs::path& folder) {
            fs::copy_file(fs::path(BACKLIT_SAMPLES) / fmt::format("petsird-{}.petsird", version), folder / "v.petsird");
          },
          version};
}

}  // namespace

std::vector<HandMade> lists_by_hand() {
  return {{"siemens", "v.hdr", siemens},
          {"stir", "v.hs", stir},
          {"safir", "v.safir", safir},
          {"gate csv", "v.csv", gate},
          petsird("0.7.2"),
          petsird("0.8.0"),
          petsird("0.9.1"),
          petsird("0.12.0"),
          petsird("later"),
          petsird("moves")};
}

std::vector<HandMade> scanners_by_hand() {
  return {{"scanner.toml", "v.scanner.toml",
           [](const fs::path& folder) {
             fs::copy_file(asset_folder("scanners") / "mmr.scanner.toml", folder / "v.scanner.toml");
           }},
          one_file("crystal map", "v.txt", "0 0 0 70 0 0\n0 1 0 -70 0 0\n1 0 0 70 0 10\n")};
}

}  // namespace backlit::fuzz
