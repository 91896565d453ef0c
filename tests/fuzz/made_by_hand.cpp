#include "fuzz/made_by_hand.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <vector>

#include <backlit/core/assets.hpp>
#if defined(BACKLIT_HAVE_HDF5)
#include <hdf5.h>
#endif

namespace backlit::fuzz {
namespace fs = std::filesystem;
namespace {

void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

template <class T>
std::string packed(std::initializer_list<T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

void pfm(const fs::path& file) { write(file, "Pf\n2 1\n-1.0\n" + packed({1.0f, 2.0f})); }

void rabbitct(const fs::path& file) {
  std::string bytes = packed<std::uint32_t>({2, 2, 1, 2}) + packed({2.5f, 1024.0f});
  for (int i = 0; i < 2; ++i)
    bytes += packed({-166.5, -1.0, -0.9994803, 0.0, -1536.0, 0.0, -1531.4, 0.03, 0.0322, -117056.5, -1011.9, -1000.0}) +
             packed({1.0f, 2.0f});
  write(file, bytes);
}

void rabbitct_volume(const fs::path& file) { write(file, packed<std::uint16_t>({0, 1, 2, 3, 4, 5, 6, 7})); }

void plastimatch(const fs::path& file) {
  write(file,
        "3.15e+01 2.35e+01\n0.16 0 0 0\n0 0 -0.16 0\n0 6.66666667e-04 0 0.666666667\n1000\n1500\n0 1 0\n"
        "Extrinsic\n1.0 0.0 -0.0 0.0\nIntrinsic\n1 2 3 4\n");
}

void siemens(const fs::path& file) {
  write(file,
        "!INTERFILE:=\nname of data file := list.l\ndata format:=CoincidenceList\nnumber of rings:=3\n"
        "distance between rings (cm):=0.4\ngantry crystal radius (cm):=5\n%LM event and tag words format (bits):=32\n"
        "%axial compression:=1\n%maximum ring difference:=2\n%number of projections:=8\n%number of views:=8\n");
  write(file.parent_path() / "list.l",
        packed<std::uint32_t>({1u << 31 | 3, 1u << 30 | 4, 7, 0xb0000000u, 1u << 30 | 99}));
}

void stir(const fs::path& file) {
  write(
      file,
      "!INTERFILE:=\nname of data file := counts.s\nimagedata byte order := LITTLEENDIAN\n!number format := unsigned "
      "integer\n!number of bytes per pixel := 2\nnumber of dimensions := 4\nmatrix axis label [4] := segment\n"
      "!matrix size [4] := 2\nmatrix axis label [3] := view\n!matrix size [3] := 4\nmatrix axis label [2] := axial "
      "coordinate\n!matrix size [2] := {3,1}\nmatrix axis label [1] := tangential coordinate\n!matrix size [1] := 3\n"
      "minimum ring difference per segment := {-1,1}\nmaximum ring difference per segment := {1,1}\nnumber of rings "
      ":= 2\nnumber of detectors per ring := 8\ninner ring diameter (cm) := 10\ndistance between rings (cm) := 0.5\n");
  std::vector<std::uint16_t> counts(3 * 4 * (3 + 1), 1);
  write(file.parent_path() / "counts.s",
        std::string(reinterpret_cast<const char*>(counts.data()), sizeof(std::uint16_t) * counts.size()));
}

void safir(const fs::path& file) {
  std::string bytes = "SAFIR CListModeData";
  bytes.resize(32, '\0');
  const auto event = [](std::uint64_t a, std::uint64_t b) { return std::uint64_t{1} << 8 | a << 16 | b << 32; };
  write(file, bytes + packed<std::uint64_t>({std::uint64_t{1} << 63 | 7, event(2, 3), event(0, 1), event(3, 1)}));
  std::string map = "#ring det layer x y z\n";
  for (int ring = 0; ring < 2; ++ring)
    for (int det = 0; det < 4; ++det)
      map += fmt::format("{} {} 0 {:.4} {:.4} {}\n", ring, det, std::cos(det * 1.6) * 70, std::sin(det * 1.6) * 70,
                         10 * ring);
  write(file.parent_path() / "crystal_map.txt", map);
}

void data_exchange(const fs::path& file) {
#if defined(BACKLIT_HAVE_HDF5)
  const hsize_t shape[] = {4, 3, 5}, chunk[] = {1, 3, 5}, four = 4;
  const std::vector<double> values(60, 1.0), angles{0, 45, 90, 135.5};
  const hid_t h5 = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(h5, "exchange", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, shape, nullptr), line = H5Screate_simple(1, &four, nullptr);
  const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 3, chunk);
  H5Pset_shuffle(plist);
  H5Pset_deflate(plist, 6);
  H5Pset_fletcher32(plist);
  const hid_t data = H5Dcreate2(group, "data", H5T_STD_U16BE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  const hid_t white = H5Dcreate2(group, "data_white", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t theta = H5Dcreate2(group, "theta", H5T_IEEE_F32LE, line, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dwrite(white, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dwrite(theta, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, angles.data());
  for (const hid_t dataset : {data, white, theta}) H5Dclose(dataset);
  H5Pclose(plist), H5Sclose(space), H5Sclose(line), H5Gclose(group), H5Fclose(h5);
#else
  write(file, "\x89HDF\r\n\x1a\n");
#endif
}

void scanner_toml(const fs::path& file) { fs::copy_file(asset_folder("scanners") / "mmr.scanner.toml", file); }

void crystal_map(const fs::path& file) { write(file, "0 0 0 70 0 0\n0 1 0 -70 0 0\n1 0 0 70 0 10\n"); }

}  // namespace

std::function<void(const fs::path&)> made_by_hand(const std::string& table, const std::string& name) {
  static const std::map<std::pair<std::string, std::string>, std::function<void(const fs::path&)>> all{
      {{"volume", "pfm"}, pfm},
      {{"volume", "rabbitct"}, rabbitct},
      {{"volume", "vol"}, rabbitct_volume},
      {{"scan", "rabbitct"}, rabbitct},
      {{"scan", "data exchange"}, data_exchange},
      {{"geometry", "plastimatch"}, plastimatch},
      {{"list", "siemens"}, siemens},
      {{"list", "stir"}, stir},
      {{"list", "safir"}, safir},
      {{"scanner", "scanner.toml"}, scanner_toml},
      {{"scanner", "crystal map"}, crystal_map},
  };
  const auto found = all.find({table, name});
  return found == all.end() ? std::function<void(const fs::path&)>() : found->second;
}

}  // namespace backlit::fuzz
