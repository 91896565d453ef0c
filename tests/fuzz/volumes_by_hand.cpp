#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>

#include "fuzz/made_by_hand.hpp"
#include "support/io/detector_bytes.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/mat_sample.hpp"
#include "support/io/npz_sample.hpp"
#include "support/io/slice_file.hpp"
#ifdef BACKLIT_BLOSC
#include <blosc.h>
#endif
#ifdef BACKLIT_ZSTD
#include <zstd.h>
#endif

namespace backlit::fuzz {
namespace fs = std::filesystem;
using test::packed;
using test::write_bytes;

std::string rabbitct_bytes() {
  std::string bytes = packed<std::uint32_t>({2, 2, 1, 2}, false) + packed<float>({2.5, 1024}, false);
  for (int i = 0; i < 2; ++i)
    bytes +=
        packed<double>({-166.5, -1, -0.9994803, 0, -1536, 0, -1531.4, 0.03, 0.0322, -117056.5, -1011.9, -1000}, false) +
        packed<float>({1, 2}, false);
  return bytes;
}

HandMade one_file(const std::string& format, const std::string& file, const std::string& bytes,
                  const std::string& variant) {
  return {format, file, [=](const fs::path& folder) { write_bytes(folder / file, bytes); }, variant};
}

namespace {

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  write_bytes(file, text);
}

void slices(const fs::path& folder) {
  fs::create_directories(folder / "v");
  for (int k = 0; k < 2; ++k)
    write_bytes(folder / "v" / fmt::format("{}.dcm", k),
                test::SliceFile{.z = 2.0 * k, .number = k, .with_types = k == 0, .is_signed = k == 0}.bytes());
}

/// An array of Zarr 2 whose chunks a codec packed.
void zarr2(const fs::path& folder, const std::string& codec, const std::string& chunk) {
  put(folder / "v.zarr/.zgroup", R"({"zarr_format": 2})");
  put(folder / "v.zarr/.zattrs", R"({"multiscales": [{"version": "0.4", "axes": [{"name": "c", "type": "channel"},
{"name": "z", "type": "space", "unit": "micrometer"}, {"name": "y", "type": "space"}, {"name": "x", "type": "space"}],
"datasets": [{"path": "f", "coordinateTransformations": [{"type": "scale", "scale": [1, 300, 200, 100]}]}],
"coordinateTransformations": [{"type": "translation", "translation": [0, 3000, 2000, 1000]}]}]})");
  put(folder / "v.zarr/f/.zarray", R"({"zarr_format": 2, "shape": [1, 1, 2, 3], "chunks": [1, 1, 2, 2], "dtype": ">u2",
"compressor": {"id": ")" + codec + R"("}, "fill_value": 7, "order": "C", "filters": null})");
  put(folder / "v.zarr/f/0.0.0.0", chunk);
}

void zarr3(const fs::path& folder) {
  put(folder / "v.zarr/zarr.json", R"({"zarr_format": 3, "node_type": "group", "attributes": {"ome": {"version": "0.5",
"multiscales": [{"axes": [{"name": "y", "type": "space", "unit": "millimeter"}, {"name": "x", "type": "space"}],
"datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [2, 3]}]}]}]}}})");
  put(folder / "v.zarr/0/zarr.json",
      R"({"zarr_format": 3, "node_type": "array", "shape": [2, 2], "data_type": "float64",
"chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 2]}},
"chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "fill_value": "NaN",
"codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]})");
  put(folder / "v.zarr/0/c/0/0", packed<double>({1.5, -2, 3, 4}, false));
}

std::vector<HandMade> zarrs() {
  const std::string plain = packed<std::uint16_t>({1, 2, 3, 65535}, true);
  std::vector<HandMade> all{{"zarr", "v.zarr", zarr3, "3"}};
  const auto add = [&](const char* codec, std::string chunk) {
    all.push_back({"zarr", "v.zarr", [=](const fs::path& folder) { zarr2(folder, codec, chunk); }, codec});
  };
  std::string chunk(128, '\0');
  uLongf size = chunk.size();
  ::compress(reinterpret_cast<Bytef*>(chunk.data()), &size, reinterpret_cast<const Bytef*>(plain.data()), plain.size());
  add("zlib", chunk.substr(0, size));
#ifdef BACKLIT_BLOSC
  const int blosc = ::blosc_compress_ctx(5, 1, 2, plain.size(), plain.data(), chunk.data(), chunk.size(), "lz4", 0, 1);
  add("blosc", chunk.substr(0, static_cast<std::size_t>(std::max(blosc, 0))));
#endif
#ifdef BACKLIT_ZSTD
  add("zstd", chunk.substr(0, ::ZSTD_compress(chunk.data(), chunk.size(), plain.data(), plain.size(), 1)));
#endif
  return all;
}

}  // namespace

std::vector<HandMade> volumes_by_hand() {
  const auto image = test::uneven_image(12, 9);
  const std::vector<std::pair<std::string, double>> fields{{"PixelWidth", 0.0388}, {"PixelHeight", 0.0776}};
  std::vector<HandMade> all{
      one_file("pfm", "v.pfm", "Pf\n2 1\n-1.0\n" + packed<float>({1, 2}, false)),
      one_file("edf", "v.edf", test::edf_bytes(2)),
      one_file("his", "v.his", test::his_bytes()),
      one_file("hnd", "v.hnd", test::hnd_bytes(image)),
      one_file("hnd", "v.hnc", test::hnc_bytes(), "hnc"),
      one_file("xim", "v.xim", test::xim_bytes(image, 12, true, fields)),
      one_file("xim", "v.xim", test::xim_bytes(image, 12, false, fields), "plain"),
      one_file("mat", "v.mat", test::mat_bytes(false)),
      one_file("mat", "v.mat", test::mat_bytes(true), "packed"),
      one_file("npz", "v.npz", test::npz_bytes(false)),
      one_file("npz", "v.npz", test::npz_bytes(true), "packed"),
      one_file("npz", "v.npz", test::zip_bytes({{"v.npy", test::counting_npy({2, 2}), true}}, true), "large"),
      one_file("mrc", "v.mrc", test::mrc_header(1) + test::rising_counts(24, 1000)),
      one_file("vol", "v.vol", test::rising_counts(8, 1)),
      {"pcr", "v.pcr",
       [](const fs::path& folder) {
         write_bytes(folder / "v.pcr", test::phoenix_volume_text());
         write_bytes(folder / "v.vol", test::rising_counts(24, 1));
       }},
      one_file("rabbitct", "v.rct", rabbitct_bytes()),
      {"dicom", "v", slices, "others"},
  };
  for (HandMade& zarr : zarrs()) all.push_back(std::move(zarr));
  return all;
}

}  // namespace backlit::fuzz
