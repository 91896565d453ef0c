#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <hdf5.h>
#include <tiffio.h>
#include <zlib.h>

#include <cstring>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "io/volumes/rabbitct.hpp"
#include "support/io/damage.hpp"
#include "support/io/deflate.hpp"
#include "support/io/io_samples.hpp"
#include "support/scratch.hpp"
#include "support/skip.hpp"

using namespace backlit;
using test::counting;
using test::packed;
using test::read_stack;
using test::write_bytes;

namespace {

std::vector<float> floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

/// One stored type: how each format calls it, and values at both ends of what it and a float hold exactly.
struct Type {
  const char *name, *npy, *mha, *nrrd;
  int nifti;
  std::vector<double> values;
  std::string (*pack)(const std::vector<double>&, bool);
};

const std::vector<Type>& types() {
  static const std::vector<Type> all{
      {"u8", "u1", "MET_UCHAR", "uchar", 2, {0, 1, 2, 100, 254, 255}, packed<std::uint8_t>},
      {"i8", "i1", "MET_CHAR", "int8", 256, {-128, -1, 0, 1, 2, 127}, packed<std::int8_t>},
      {"u16", "u2", "MET_USHORT", "ushort", 512, {0, 1, 258, 4095, 32768, 65535}, packed<std::uint16_t>},
      {"i16", "i2", "MET_SHORT", "short", 4, {-32768, -1024, -1, 0, 258, 32767}, packed<std::int16_t>},
      {"u32",
       "u4",
       "MET_UINT",
       "uint",
       768,
       {0, 1, 65536, 16777215, 2147483648.0, 4294901760.0},
       packed<std::uint32_t>},
      {"i32", "i4", "MET_INT", "int", 8, {-2147483648.0, -16777215, -1, 0, 65537, 16777215}, packed<std::int32_t>},
      {"f32", "f4", "MET_FLOAT", "float", 16, {-1e30f, -0.1f, 0, 0.1f, 3.5, 1e-30f}, packed<float>},
      {"f64", "f8", "MET_DOUBLE", "double", 64, {-1e30, -0.1, 0, 0.1, 3.5, 1e-30}, packed<double>}};
  return all;
}

std::string gzipped(const std::string& bytes) { return test::deflated(bytes, 31); }
std::string zlibbed(const std::string& bytes) { return test::deflated(bytes, 15); }

std::string npy_header(const std::string& type, const std::string& shape, const std::string& order = "False") {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type, order, shape);
  text.resize(117, ' ');
  text += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + std::string("\x76\x00", 2) + text;
}

std::string mha_header(const std::string& more, const std::string& file = "LOCAL", const std::string& size = "3 2 1") {
  return fmt::format("ObjectType = Image\nNDims = 3\nDimSize = {}\n{}ElementDataFile = {}\n", size, more, file);
}

std::string nrrd_header(const std::string& more, const std::string& size = "3 2 1") {
  return fmt::format("NRRD0004\n# made by a test\ndimension: 3\nsizes: {}\n{}\n", size, more);
}

template <class T>
void put(std::string& header, std::size_t at, T value, bool big_endian) {
  std::string bytes(reinterpret_cast<const char*>(&value), sizeof(T));
  if (big_endian) std::reverse(bytes.begin(), bytes.end());
  std::copy(bytes.begin(), bytes.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
}

/// 3 x 2 x 1, 352 bytes, RAS with positive steps of 2, 3, 4 mm from (10, 20, 30).
std::string nifti_header(int type, bool big, float slope = 0, float intercept = 0) {
  std::string header(352, '\0');
  put<std::int32_t>(header, 0, 348, big);
  const std::int16_t dim[] = {3, 3, 2, 1, 1, 1, 1, 1};
  for (std::size_t i = 0; i < 8; ++i) put<std::int16_t>(header, 40 + 2 * i, dim[i], big);
  put<std::int16_t>(header, 70, static_cast<std::int16_t>(type), big);
  const float pixdim[] = {1, 2, 3, 4};
  for (std::size_t i = 0; i < 4; ++i) put<float>(header, 76 + 4 * i, pixdim[i], big);
  put<float>(header, 108, 352, big);
  put<float>(header, 112, slope, big);
  put<float>(header, 116, intercept, big);
  header[123] = 2;
  put<std::int16_t>(header, 254, 1, big);
  const float srow[] = {2, 0, 0, 10, 0, 3, 0, 20, 0, 0, 4, 30};
  for (std::size_t i = 0; i < 12; ++i) put<float>(header, 280 + 4 * i, srow[i], big);
  header.replace(344, 4, std::string("n+1\0", 4));
  return header;
}

}  // namespace

TEST_CASE("every type in either byte order, compressed or not, in every format of samples") {
  const test::Scratch folder;
  for (const Type& type : types())
    for (const bool big : {false, true}) {
      INFO(type.name << (big ? " big endian" : " little endian"));
      const std::string bytes = type.pack(type.values, big);
      const std::vector<float> expected = floats(type.values);
      const auto check = [&](const std::string& name, const std::string& content, const std::vector<float>& values) {
        INFO(name);
        write_bytes(folder / name, content);
        CHECK(read_stack(folder / name) == values);
        const auto stack = open_stack((folder / name).string());
        CHECK(stack->info().type == type.name);
        // Unsigned numbers of up to 16 bits can be had as they are.
        std::vector<std::uint16_t> counts(values.size());
        const bool unsigned16 = type.name == std::string("u8") || type.name == std::string("u16");
        CHECK(stack->read_counts(0, 0, {}) == unsigned16);
        CHECK(stack->read_counts(0, 1, counts) == unsigned16);
        if (unsigned16) CHECK(std::vector<float>(counts.begin(), counts.end()) == values);
      };
      check("a.npy", npy_header(std::string(big ? ">" : "<") + type.npy, "(1, 2, 3)") + bytes, expected);
      const std::string mha =
          fmt::format("ElementType = {}\nElementByteOrderMSB = {}\n", type.mha, big ? "True" : "False");
      check("a.mha", mha_header(mha) + bytes, expected);
      check("b.mha", mha_header(mha + "HeaderSize = -1\n") + "padding" + bytes, expected);
      const std::string packed_bytes = zlibbed(bytes);
      check("c.mha",
            mha_header(mha + fmt::format("CompressedData = True\nCompressedDataSize = {}\n", packed_bytes.size())) +
                packed_bytes,
            expected);
      write_bytes(folder / "d.raw", "12345" + bytes);
      check("d.mhd", mha_header(mha + "HeaderSize = 5\n", "d.raw"), expected);
      const std::string nrrd = fmt::format("type: {}\nendian: {}\n", type.nrrd, big ? "big" : "little");
      check("a.nrrd", nrrd_header(nrrd + "encoding: raw\n") + bytes, expected);
      check("b.nrrd", nrrd_header(nrrd + "encoding: gzip\n") + gzipped(bytes), expected);
      write_bytes(folder / "c.raw", "abc" + bytes);
      check("c.nhdr", nrrd_header(nrrd + "encoding: raw\nbyte skip: 3\ndata file: c.raw\n"), expected);
      // NIfTI in RAS runs against our x and y: both are reversed.
      const std::vector<float> turned(expected.rbegin(), expected.rend());
      check("a.nii", nifti_header(type.nifti, big) + bytes, turned);
      check("a.nii.gz", gzipped(nifti_header(type.nifti, big) + bytes), turned);
    }
}

TEST_CASE("NIfTI's scale and offset are part of its values, its world is turned into ours") {
  const test::Scratch folder;
  write_bytes(folder / "a.nii", nifti_header(4, false, 2, -1) + packed<std::int16_t>(counting(6), false));
  CHECK(read_stack(folder / "a.nii") == std::vector<float>{9, 7, 5, 3, 1, -1});
  write_bytes(folder / "b.nii", nifti_header(512, false, 2, -1) + packed<std::uint16_t>(counting(6), false));
  CHECK_FALSE(open_stack((folder / "b.nii").string())->read_counts(0, 0, {}));
  const StackInfo info = open_stack((folder / "a.nii").string())->info();
  CHECK(*info.spacing == Vec3(2, 3, 4));
  CHECK(*info.center == Vec3(-12, -21.5, 30));  // voxel 0 at RAS (10,20,30); the middle 2 and 1.5 mm on
}

TEST_CASE("axes that run backwards are turned round, oblique ones are refused") {
  const test::Scratch folder;
  const std::string type = "ElementType = MET_UCHAR\n", bytes = packed<std::uint8_t>(counting(12), false);
  write_bytes(folder / "a.mha",
              mha_header(type + "TransformMatrix = -1 0 0 0 1 0 0 0 -1\nOffset = 10 20 30\nElementSpacing = 2 3 4\n",
                         "LOCAL", "3 2 2") +
                  bytes);
  CHECK(read_stack(folder / "a.mha") == std::vector<float>{8, 7, 6, 11, 10, 9, 2, 1, 0, 5, 4, 3});
  CHECK(*open_stack((folder / "a.mha").string())->info().center == Vec3(8, 21.5, 28));

  write_bytes(folder / "b.mha",
              mha_header(type + "TransformMatrix = 0.8 0.6 0 -0.6 0.8 0 0 0 1\n", "LOCAL", "3 2 2") + bytes);
  CHECK_THROWS_WITH(open_stack((folder / "b.mha").string()),
                    Catch::Contains("b.mha: its x axis runs along (0.8, 0.6, 0); only grids along the axes"));
  write_bytes(folder / "c.nrrd", nrrd_header("type: uchar\nencoding: raw\nspace: right-anterior-superior\n"
                                             "space directions: (2,0,0) (0,3,0) (0,0,4)\nspace origin: (10,20,30)\n",
                                             "3 2 2") +
                                     bytes);
  CHECK(read_stack(folder / "c.nrrd") == std::vector<float>{5, 4, 3, 2, 1, 0, 11, 10, 9, 8, 7, 6});
  CHECK(*open_stack((folder / "c.nrrd").string())->info().center == Vec3(-12, -21.5, 32));
  write_bytes(folder / "d.nrrd",
              nrrd_header("type: uchar\nencoding: raw\nspace directions: (0,1,0) (1,0,0) (0,0,1)\n", "3 2 2") + bytes);
  CHECK_THROWS_WITH(open_stack((folder / "d.nrrd").string()), Catch::Contains("its x axis runs along (0, 1, 0)"));
}

TEST_CASE("headers that ask for what is not there are refused in words") {
  const test::Scratch folder;
  const auto refuse = [&](const std::string& name, const std::string& bytes, const std::string& message) {
    INFO(name);
    write_bytes(folder / name, bytes);
    CHECK_THROWS_WITH(open_stack((folder / name).string()), Catch::Contains(name + ": " + message));
  };
  refuse("a.npy", npy_header("<f4", "(1000000, 1000000, 3)") + "1234",
         "holds 132 bytes where its header asks for 3 x 1000000 x 1000000 of f32 from byte 128; the file is cut off");
  refuse("b.npy", npy_header("<f4", "(4611686018427387904, 4, 4)"), "its size is");
  refuse("c.npy", npy_header("<c8", "(1, 1, 1)") + "12345678", "its type (descr) is '<c8'");
  refuse("d.npy", npy_header("<f4", "(1, 1, 1)", "True") + "1234", "is in Fortran order; save numpy.ascontiguousarray");
  refuse("e.npy", npy_header("<f4", "(1, 1, 1, 1)") + "1234", "has 4 dimensions");
  refuse("a.mha", mha_header("ElementType = MET_FLOAT_ARRAY\n"), "ElementType is 'MET_FLOAT_ARRAY'");
  refuse("b.mha", mha_header("ElementType = MET_FLOAT\n", "LOCAL", "3 x 1"),
         "DimSize is 'x'; an integer must stand there");
  refuse("c.mha", mha_header("ElementType = MET_FLOAT\nElementSpacing = 1 nan 1\n"), "ElementSpacing is 'nan'");
  refuse("d.mha", mha_header("ElementType = MET_FLOAT\nCompressedData = True\n", "LOCAL", "90000 90000 90000") + "x",
         "1 compressed bytes cannot hold the 2916000000000000");
  refuse("e.mhd", mha_header("ElementType = MET_FLOAT\n", "LIST"), "ElementDataFile is 'LIST'");
  refuse("a.nrrd", nrrd_header("type: block\nencoding: raw\n"), "type is 'block'");
  refuse("b.nrrd", nrrd_header("type: short\nencoding: raw\n"), "endian is ''; it must say little or big");
  refuse("c.nrrd", nrrd_header("type: uchar\nencoding: bzip2\n"), "encoding is 'bzip2'; raw and gzip can be read");
  refuse("d.nrrd", nrrd_header("type: uchar\nencoding: gzip\nbyte skip: 9223372036854775807\n") + "x",
         "1 compressed bytes cannot hold the 6 its header asks for after 9223372036854775807 to skip");
  refuse("a.nii", nifti_header(32, false), "datatype is 32");
  refuse("gone.mhd", mha_header("ElementType = MET_UCHAR\n", "gone.raw"), "ElementDataFile: there is no file");
  refuse("a.tif", std::string("II*\0", 4) + "\xff\xff\xff\x7f", "cannot be opened");
  refuse("a.h5", "\x89HDF\r\n\x1a\n", "cannot be opened as HDF5");
  refuse("a.vol", "12345", "its 5 bytes are not a cube");
}

TEST_CASE("compressed data that break off or fail their check sum are refused") {
  const test::Scratch folder;
  std::string stream = gzipped(nifti_header(16, false) + packed<float>(counting(6), false));
  stream[stream.size() - 6] ^= 1;  // in the check sum
  write_bytes(folder / "a.nii.gz", stream);
  CHECK_THROWS_WITH(read_stack(folder / "a.nii.gz"), Catch::Contains("incorrect data check"));
  write_bytes(folder / "b.nii.gz", stream.substr(0, stream.size() - 30));
  CHECK_THROWS_AS(read_stack(folder / "b.nii.gz"), InputError);
}

TEST_CASE("globs come in natural order and form one stack") {
  const test::Scratch folder;
  for (const int view : {1, 2, 10, 9}) {
    const float value = static_cast<float>(view);
    const std::string image = packed<float>(std::vector<double>(6, value), false);
    write_bytes(folder / fmt::format("view_{}.npy", view), npy_header("<f4", "(2, 3)") + image);
  }
  const std::string pattern = (folder / "view_*.npy").string();
  const auto names = natural_glob(pattern);
  REQUIRE(names.size() == 4);
  CHECK(names[1].filename() == "view_2.npy");
  CHECK(names[3].filename() == "view_10.npy");
  const auto stack = open_stack(pattern);
  CHECK(stack->info().images == 4);
  std::vector<float> values(18);
  stack->read(1, 3, values);
  CHECK(values[0] == 2);
  CHECK(values[6] == 9);
  CHECK(values[17] == 10);
  CHECK(natural_glob((folder / "none*").string()).empty());
  CHECK_THROWS_WITH(open_stack((folder / "none*").string()), Catch::Contains("no file matches this pattern"));
  write_bytes(folder / "view_3.npy", npy_header("<f4", "(3, 2)") + std::string(24, '\0'));
  CHECK_THROWS_WITH(open_stack(pattern), Catch::Contains("view_3.npy: is 2 x 3 where"));
}

TEST_CASE("TIFF pages of every type, tiled and compressed") {
  const test::Scratch folder;
  const int columns = 19, rows = 17, pages = 3;
  for (const bool tiled : {false, true})
    for (const char* mode : {"w", "wb", "w8"})
      for (const int bits : {8, 16, 32, 64})
        for (const int format : {SAMPLEFORMAT_UINT, SAMPLEFORMAT_INT, SAMPLEFORMAT_IEEEFP}) {
          if (format == SAMPLEFORMAT_IEEEFP && bits < 32) continue;
          INFO(mode << " " << bits << " bits of format " << format << (tiled ? " in tiles" : " in strips"));
          const std::string file = (folder / "a.tif").string();
          TIFF* tiff = TIFFOpen(file.c_str(), mode);
          for (int page = 0; page < pages; ++page) {
            TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, columns);
            TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, rows);
            TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
            TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format);
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
            TIFFSetField(tiff, TIFFTAG_COMPRESSION, page == 1 ? COMPRESSION_LZW : COMPRESSION_ADOBE_DEFLATE);
            if (tiled) {
              TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
              TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
            } else {
              TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 5);
            }
            const auto bytes_of = [&](int row, int begin, int count) {
              std::string bytes;
              for (int c = begin; c < begin + count; ++c) {
                const double value = (row * columns + c + page) % 100 - (format == SAMPLEFORMAT_UINT ? 0 : 50);
                if (format == SAMPLEFORMAT_IEEEFP)
                  bytes += bits == 32 ? packed<float>({value}, false) : packed<double>({value}, false);
                else
                  bytes += packed<std::int64_t>({value}, false).substr(0, static_cast<std::size_t>(bits / 8));
              }
              return bytes;
            };
            if (tiled) {
              for (int y = 0; y < rows; y += 16)
                for (int x = 0; x < columns; x += 16) {
                  std::string tile;
                  for (int r = y; r < y + 16; ++r) tile += bytes_of(r, x, 16);
                  TIFFWriteTile(tiff, tile.data(), static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0, 0);
                }
            } else {
              for (int r = 0; r < rows; ++r) {
                std::string row = bytes_of(r, 0, columns);
                TIFFWriteScanline(tiff, row.data(), static_cast<std::uint32_t>(r), 0);
              }
            }
            TIFFWriteDirectory(tiff);
          }
          TIFFClose(tiff);
          const std::vector<float> values = read_stack(file);
          REQUIRE(values.size() == columns * rows * pages);
          bool same = true;
          for (int i = 0; i < columns * rows * pages; ++i) {
            const int page = i / (columns * rows), pixel = i % (columns * rows);
            same = same && values[static_cast<std::size_t>(i)] ==
                               static_cast<float>((pixel + page) % 100 - (format == SAMPLEFORMAT_UINT ? 0 : 50));
          }
          CHECK(same);
        }
}

TEST_CASE("TIFF images whose smallest value is called white are refused") {
  const test::Scratch folder;
  const std::string file = (folder / "a.tif").string();
  TIFF* tiff = TIFFOpen(file.c_str(), "w");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 3);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE);
  std::string row = "abc";
  TIFFWriteScanline(tiff, row.data(), 0, 0);
  TIFFClose(tiff);
  CHECK_THROWS_WITH(open_stack(file),
                    file +
                        ": page 0: calls its smallest value white (photometric interpretation MINISWHITE); convert "
                        "it to MINISBLACK, so that larger values mean what they say");
}

TEST_CASE("The resolution of a TIFF is shown as not used") {
  const test::Scratch folder;
  const std::string file = (folder / "a.tif").string();
  TIFF* tiff = TIFFOpen(file.c_str(), "w");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 3);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 300.0);
  TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 150.0);
  TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
  std::string row = "abc";
  TIFFWriteScanline(tiff, row.data(), 0, 0);
  TIFFClose(tiff);
  const FileInfo info = describe_file(file);
  CHECK_FALSE(info.spacing_mm);
  CHECK(info.unused ==
        std::vector<std::string>{"resolution = 300 x 150 pixels per inch; the size of pixels comes from a scan file"});
}

TEST_CASE("HDF5 data sets by path, by convention, compressed, and lists of numbers") {
  const test::Scratch folder;
  const std::string file = (folder / "scan.h5").string();
  const hsize_t shape[] = {4, 3, 5}, chunk[] = {1, 3, 5}, four = 4;
  std::vector<double> values = counting(60), angles{0, 45, 90, 135.5};
  const hid_t h5 = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(h5, "exchange", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, shape, nullptr), line = H5Screate_simple(1, &four, nullptr);
  const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 3, chunk);
  H5Pset_deflate(plist, 6);
  const hid_t data = H5Dcreate2(group, "data", H5T_STD_U16BE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  const hid_t white = H5Dcreate2(group, "data_white", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t theta = H5Dcreate2(group, "theta", H5T_IEEE_F32LE, line, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dwrite(white, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dwrite(theta, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, angles.data());
  for (const hid_t dataset : {data, white, theta}) H5Dclose(dataset);
  H5Pclose(plist), H5Sclose(space), H5Sclose(line), H5Gclose(group), H5Fclose(h5);

  for (const std::string& spec :
       std::vector<std::string>{file + ":/exchange/data", file, file + ":/exchange/data_white"}) {
    INFO(spec);
    const auto stack = open_stack(spec);
    CHECK(stack->info().images == 4);
    CHECK(stack->info().rows == 3);
    CHECK(stack->info().columns == 5);
    std::vector<float> two(30);
    stack->read(1, 2, two);
    CHECK(two == floats(counting(30, 15)));
    std::vector<std::uint16_t> counts(30);
    const bool integers = stack->info().type == "u16";
    CHECK(integers == !spec.ends_with("white"));
    REQUIRE(stack->read_counts(1, 2, counts) == integers);
    if (!integers) continue;
    CHECK(std::vector<float>(counts.begin(), counts.end()) == two);
    CHECK_THROWS_WITH(stack->read_counts(3, 2, counts), Catch::Contains("images 3 to 4 were asked for of 4"));
  }
  CHECK(open_stack(file)->info().type == "u16");
  CHECK(read_numbers(file + ":/exchange/theta") == angles);
  CHECK_THROWS_WITH(open_stack(file + ":/exchange/dat"),
                    Catch::Contains("has no data set /exchange/dat; it holds /exchange/data, /exchange/data_white"));
  CHECK_THROWS_WITH(open_stack(file + ":/exchange/theta"), Catch::Contains("has 1 dimensions"));
  CHECK_THROWS_WITH(read_numbers(file + ":/exchange/data"), Catch::Contains("a list of numbers has one"));
  CHECK(describe_file(file + ":/exchange/data").kind == "projections");
  CHECK(is_scan(file));
  CHECK_FALSE(load_scan(file).pixel_size_known);  // pictures say px
  const FileInfo scan = describe_file(file);
  CHECK(scan.kind == "scan");
  CHECK(*scan.views == 4);
  CHECK(scan.more.at("angles_deg") == "0 to 135.5");

  const auto victim = folder / "victim.h5";
  CHECK(test::read_damaged(
            file, victim, [](const std::filesystem::path& path) { read_stack(path); }, 200, 4096) > 30);
}

TEST_CASE("A row or a column of HDF5 is a list of numbers, as MATLAB writes it") {
  const test::Scratch folder;
  const std::string file = (folder / "list.h5").string();
  const std::vector<double> angles{0, 45, 90, 135.5};
  const hid_t h5 = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const auto write = [&](const char* name, hsize_t rows, hsize_t columns) {
    const hsize_t shape[] = {rows, columns};
    const hid_t space = H5Screate_simple(2, shape, nullptr);
    const hid_t set = H5Dcreate2(h5, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, angles.data());
    H5Dclose(set), H5Sclose(space);
  };
  write("row", 1, 4), write("column", 4, 1), write("image", 2, 2);
  H5Fclose(h5);
  CHECK(read_numbers(file + ":/row") == angles);
  CHECK(read_numbers(file + ":/column") == angles);
  CHECK_THROWS_WITH(read_numbers(file + ":/image"), Catch::Contains("has 2 dimensions"));
}

TEST_CASE("lists of numbers from text and NPY") {
  const test::Scratch folder;
  write_bytes(folder / "angles.txt", "# degrees\n0\n 1.5, -2e1\n\n+3 # last\n");
  CHECK(read_numbers((folder / "angles.txt").string()) == std::vector<double>{0, 1.5, -20, 3});
  write_bytes(folder / "bad.txt", "0\n1\n2x\n");
  CHECK_THROWS_WITH(read_numbers((folder / "bad.txt").string()), Catch::Contains("bad.txt: line 3 is '2x'"));
  write_bytes(folder / "none.txt", "# nothing\n");
  CHECK_THROWS_WITH(read_numbers((folder / "none.txt").string()), Catch::Contains("holds no numbers"));
  write_bytes(folder / "a.npy", npy_header(">f8", "(3,)") + packed<double>({0.1, 0.2, 0.3}, true));
  CHECK(read_numbers((folder / "a.npy").string()) == std::vector<double>{0.1, 0.2, 0.3});
}

TEST_CASE("RabbitCT data sets of both versions, with their matrices, and the reference volumes") {
  const test::Scratch folder;
  const std::uint32_t columns = 5, rows = 3, images = 4;
  for (const bool second : {false, true}) {
    std::string bytes = second ? packed<std::uint32_t>({2}, false) : "";
    bytes += packed<std::uint32_t>({columns, rows, images}, false) + packed<float>({2.5, 1024}, false);
    for (std::uint32_t i = 0; i < images; ++i)
      bytes += packed<double>(counting(12, 100.0 * i), false) + packed<float>(counting(15, i), false);
    write_bytes(folder / "a.rct", bytes);
    const RabbitCt data = open_rabbitct(folder / "a.rct");
    REQUIRE(data.matrices.size() == images);
    CHECK(data.hu_scale == 2.5);
    CHECK(data.matrices[2][0] == Vec3(200, 201, 202));  // columns first
    CHECK(data.matrices[2][3] == Vec3(209, 210, 211));
    CHECK(data.images->info().columns == columns);
    std::vector<float> two(30);
    data.images->read(2, 2, two);
    CHECK(two[0] == 2);
    CHECK(two[29] == 17);
    const FileInfo info = describe_file((folder / "a.rct").string());
    CHECK(is_scan(folder / "a.rct"));
    CHECK(info.kind == "projections");
    CHECK(*info.views == images);
    CHECK(*info.max == 17);
    const int refused = test::read_damaged(
        folder / "a.rct", folder / "victim.rct",
        [](const std::filesystem::path& path) {
          open_rabbitct(path);
          read_stack(path);
        },
        80, 120);
    CHECK(refused > 20);
    write_bytes(folder / "cut.rct", bytes.substr(0, bytes.size() - 1));
    CHECK_THROWS_WITH(open_rabbitct(folder / "cut.rct"), Catch::Contains("does not agree with a RabbitCT header"));
  }
  write_bytes(folder / "ref.vol", packed<std::uint16_t>(counting(64), false));
  const Volume volume = load_volume(folder / "ref.vol");
  CHECK(volume.grid.size == Size3{4, 4, 4});
  CHECK(volume.grid.spacing == Vec3(64));
  CHECK(volume.at(3, 3, 3) == 63);
}

TEST_CASE("a stack larger than memory is read where it is asked for") {
  const test::Scratch folder;
  const std::int64_t images = 100000, pixels = 512 * 512;
  write_bytes(folder / "a.npy", npy_header("<f4", fmt::format("({}, 512, 512)", images)));
  std::error_code error;
  std::filesystem::resize_file(folder / "a.npy", static_cast<std::uintmax_t>(128 + 4 * images * pixels), error);
  if (error) BACKLIT_SKIP("no sparse file of 100 GB here: " + error.message());
  {
    std::fstream out(folder / "a.npy", std::ios::binary | std::ios::in | std::ios::out);
    out.seekp(128 + 4 * (images * pixels - 1));
    out << packed<float>({42}, false);
  }
  const auto stack = open_stack((folder / "a.npy").string());
  std::vector<float> image(static_cast<std::size_t>(pixels));
  stack->read(images - 1, 1, image);
  CHECK(image.front() == 0);
  CHECK(image.back() == 42);
  const HostArray<float> all = stack->read_all();  // mapped, being larger than memory: costs nothing
  CHECK(all.size() == images * pixels);
  CHECK(all[images * pixels - 1] == 42);
}

TEST_CASE("describing a file measures its values") {
  const test::Scratch folder;
  save_volume(test::odd_volume(), folder / "a.mha");
  const FileInfo info = describe_file((folder / "a.mha").string());
  CHECK_FALSE(is_scan(folder / "a.mha"));
  CHECK(info.kind == "volume");
  CHECK(info.format == "mha");
  CHECK(info.type == "f32");
  CHECK(info.size == Size3{7, 5, 3});
  CHECK(*info.spacing_mm == Vec3(0.5, 0.75, 1.25));
  CHECK(*info.center_mm == Vec3(10.5, -20.25, 3.125));
  CHECK(*info.min == -3.5);
  CHECK(*info.max == 22.5);
  CHECK(*info.mean == Approx(9.5));
  write_bytes(folder / "b.npy", npy_header("<f4", "(1, 1, 2)") + packed<float>({1, 0}, false).substr(0, 4) +
                                    std::string("\0\0\xc0\x7f", 4));
  const FileInfo stack = describe_file((folder / "b.npy").string());
  CHECK(stack.kind == "stack");
  CHECK(stack.not_finite == 1);
  CHECK(*stack.mean == 1);
}

TEST_CASE("damaged files of other software's variants are refused or read, and never worse") {
  const test::Scratch folder;
  const std::string bytes = packed<std::int16_t>(counting(6), true);
  write_bytes(
      folder / "a.mha",
      mha_header("ElementType = MET_SHORT\nElementByteOrderMSB = True\nCompressedData = True\n") + zlibbed(bytes));
  write_bytes(folder / "a.nrrd", nrrd_header("type: short\nendian: big\nencoding: gzip\nspace: LPS\nspace directions: "
                                             "(2,0,0) (0,3,0) (0,0,4)\nspace origin: (10,20,30)\n") +
                                     gzipped(bytes));
  write_bytes(folder / "a.nii", nifti_header(4, true) + bytes);
  write_bytes(folder / "a.nii.gz", gzipped(nifti_header(4, true) + bytes));
  write_bytes(folder / "a.npy", npy_header(">i2", "(1, 2, 3)") + bytes);
  write_bytes(folder / "a.txt", "0 1 2\n3.5\n4\n");
  for (const char* name : {"a.mha", "a.nrrd", "a.nii", "a.nii.gz", "a.npy"}) {
    INFO(name);
    const int refused = test::read_damaged(
        folder / name, folder / (std::string("victim_") + name),
        [](const std::filesystem::path& path) { describe_file(path.string()); }, 160);
    CHECK(refused > 30);
  }
  test::read_damaged(
      folder / "a.txt", folder / "victim.txt", [](const std::filesystem::path& path) { read_numbers(path.string()); },
      160);
}
