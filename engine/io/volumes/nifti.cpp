// NIfTI-1 in one file (.nii, .nii.gz). Its world is RAS: reading and writing change the sign of x and y.
//
// The 348 bytes are read here and not by libniftiio, which allocates memory without checking sizes.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/header_fields.hpp"
#include "io/text_fields.hpp"
#include "io/volumes/stacks/image_frame.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t nifti_header_bytes = 348;

/// Offsets of the fields in bytes.
namespace at {
constexpr std::size_t dim = 40, datatype = 70, bitpix = 72, pixdim = 76, vox_offset = 108, scl_slope = 112,
                      scl_inter = 116, xyzt_units = 123, descrip = 148, qform_code = 252, sform_code = 254,
                      quatern = 256, qoffset = 268, srow = 280, magic = 344;
}

class Fields {
 public:
  explicit Fields(std::string bytes) : bytes_(std::move(bytes)) {
    swapped_ = std::memcmp(bytes_.data(), "\0\0\x01\x5c", 4) == 0;
  }
  template <class T>
  T get(std::size_t offset) const {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes_.data() + offset, sizeof(T));
    if (swapped_) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
  }
  double real(std::size_t offset, int index = 0) const {
    return get<float>(offset + 4 * static_cast<std::size_t>(index));
  }
  int integer(std::size_t offset, int index = 0) const {
    return get<std::int16_t>(offset + 2 * static_cast<std::size_t>(index));
  }
  char byte(std::size_t offset) const { return bytes_[offset]; }
  bool big_endian() const { return swapped_; }

 private:
  std::string bytes_;
  bool swapped_;
};

SampleType parse_type(int code, const std::string& where) {
  switch (code) {
    case 2:
      return SampleType::u8;
    case 4:
      return SampleType::i16;
    case 8:
      return SampleType::i32;
    case 16:
      return SampleType::f32;
    case 64:
      return SampleType::f64;
    case 256:
      return SampleType::i8;
    case 512:
      return SampleType::u16;
    case 768:
      return SampleType::u32;
    case 1024:
      return SampleType::i64;
    case 1280:
      return SampleType::u64;
    default:
      throw InputError(where, fmt::format("datatype is {}", code), "real numbers, one a voxel, can be read");
  }
}

double millimetres(const Fields& fields) {
  switch (fields.byte(at::xyzt_units) & 7) {
    case 1:
      return 1000;
    case 3:
      return 0.001;
    default:
      return 1;
  }
}

/// Columns of the rotation matrix of the header's quaternion (NIfTI-1, method 2).
std::array<Vec3, 3> rotation(const Fields& fields) {
  const double b = fields.real(at::quatern, 0), c = fields.real(at::quatern, 1), d = fields.real(at::quatern, 2);
  const double a = std::sqrt(std::max(0.0, 1 - b * b - c * c - d * d));
  const double handed = fields.real(at::pixdim, 0) < 0 ? -1 : 1;
  return {Vec3(a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)),
          Vec3(2 * (b * c - a * d), a * a + c * c - b * b - d * d, 2 * (c * d + a * b)),
          handed * Vec3(2 * (b * d + a * c), 2 * (c * d - a * b), a * a + d * d - b * b - c * c)};
}

void set_geometry(const Fields& fields, RawLayout& layout, const std::string& where) {
  const double mm = millimetres(fields);
  std::array<Vec3, 3> steps;
  std::optional<Vec3> first;
  if (fields.integer(at::sform_code) > 0) {
    Vec3 origin;
    for (int row = 0; row < 3; ++row) {
      for (int axis = 0; axis < 3; ++axis)
        steps[static_cast<std::size_t>(axis)][row] = fields.real(at::srow, 4 * row + axis);
      origin[row] = fields.real(at::srow, 4 * row + 3);
    }
    first = origin;
  } else {
    const bool has_rotation = fields.integer(at::qform_code) > 0;
    steps = has_rotation ? rotation(fields) : std::array{Vec3(-1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, 1)};
    for (int axis = 0; axis < 3; ++axis) {
      const double spacing = fields.real(at::pixdim, axis + 1);
      // A single slice may have no thickness.
      const bool missing = spacing == 0 && axis == 2 && layout.info.images == 1;
      steps[static_cast<std::size_t>(axis)] *= missing ? 1.0 : std::abs(spacing);
    }
    if (has_rotation)
      first = Vec3(fields.real(at::qoffset, 0), fields.real(at::qoffset, 1), fields.real(at::qoffset, 2));
  }
  for (Vec3& step : steps) step = swap_lps_ras(step) * mm;
  if (first) first = swap_lps_ras(*first) * mm;
  set_frame(layout, steps, first, where);
}

void set_size(const Fields& fields, StackInfo& info, const std::string& where) {
  const int dimensions = fields.integer(at::dim);
  bool flat = dimensions >= 1 && dimensions <= 7;
  for (int d = 4; flat && d <= dimensions; ++d) flat = fields.integer(at::dim, d) == 1;
  if (!flat)
    throw InputError(where, fmt::format("dim[0] is {}", dimensions), "single images of 2 or 3 dimensions can be read");
  info.columns = fields.integer(at::dim, 1);
  info.rows = dimensions > 1 ? fields.integer(at::dim, 2) : 1;
  info.images = dimensions > 2 ? fields.integer(at::dim, 3) : 1;
}

bool is_nifti_header(const std::string& front) {
  return front.size() >= nifti_header_bytes && (front.compare(at::magic, 4, std::string_view("n+1\0", 4)) == 0 ||
                                                front.compare(at::magic, 4, std::string_view("ni1\0", 4)) == 0);
}

bool is_packed(const fs::path& path) { return read_front(path, 2) == "\x1f\x8b"; }

std::string front_of(const fs::path& path) {
  return is_packed(path) ? inflate_front(path, nifti_header_bytes) : read_front(path, nifti_header_bytes);
}

constexpr BinaryField nifti_fields[] = {
    {at::dim, BinaryField::Type::i16, {"dim", "dimensions and size", "px"}, 8},
    {at::datatype, BinaryField::Type::i16, {"datatype", "kind of values"}},
    {at::bitpix, BinaryField::Type::i16, {"bitpix", "bits a value"}},
    {at::pixdim, BinaryField::Type::f32, {"pixdim"}, 8},
    {at::vox_offset, BinaryField::Type::f32, {"vox_offset", "place of the values", "bytes"}},
    {at::scl_slope, BinaryField::Type::f32, {"scl_slope", "value of a step"}},
    {at::scl_inter, BinaryField::Type::f32, {"scl_inter", "value of 0"}},
    {124, BinaryField::Type::f32, {"cal_max"}},
    {128, BinaryField::Type::f32, {"cal_min"}},
    {at::descrip, BinaryField::Type::text, {"descrip"}, 80},
    {228, BinaryField::Type::text, {"aux_file"}, 24},
    {at::qform_code, BinaryField::Type::i16, {"qform_code", "frame of the quaternion"}},
    {at::sform_code, BinaryField::Type::i16, {"sform_code", "frame of the matrix"}},
    {at::qoffset, BinaryField::Type::f32, {"qoffset"}, 3},
    {at::srow, BinaryField::Type::f32, {"srow"}, 12},
};

void describe_nifti(const fs::path& path, FileInfo& info) {
  const std::string front = front_of(path);
  const bool big_endian = front.starts_with(std::string_view("\0\0\x01\x5c", 4));
  const BinaryFields header(front, path.string(), big_endian);
  HeaderFields fields = HeaderFields::of_binary(header, nifti_fields);
  constexpr std::string_view units[] = {"mm (no unit is stated)", "m", "mm", "um"};
  const auto unit = units[static_cast<unsigned char>(header.text(at::xyzt_units, 1)[0]) & 3];
  const KnownField lengths[] = {{"pixdim", "side of the axes, and spacing", unit},
                                {"qoffset", "first voxel by the quaternion", unit},
                                {"srow", "matrix to the frame", unit}};
  fields.note_known(lengths);
  fields.add_to(info);
}

std::unique_ptr<StackReader> open_nifti(const fs::path& path) {
  const std::string where = path.string(), front = front_of(path);
  const bool packed = is_packed(path);
  if (!is_nifti_header(front))
    throw InputError(where, "has no NIfTI-1 header", "NIfTI-1 in one file (.nii, .nii.gz) can be read");
  const Fields fields(front);
  if (fields.byte(at::magic + 1) == 'i')
    throw InputError(where, "keeps its data in another file (.hdr and .img)", "convert it to one .nii file");

  RawLayout layout;
  layout.samples = {parse_type(fields.integer(at::datatype), where), fields.big_endian()};
  layout.info.format = "nifti";
  set_size(fields, layout.info, where);
  const std::int64_t bytes = packed_bytes(layout.info, layout.samples.type, where);
  set_geometry(fields, layout, where);
  const double slope = fields.real(at::scl_slope), intercept = fields.real(at::scl_inter);
  if (slope != 0 && std::isfinite(slope) && std::isfinite(intercept)) {
    layout.samples.slope = slope;
    layout.samples.intercept = intercept;
  }
  const double offset = fields.real(at::vox_offset);
  if (!(offset >= static_cast<double>(nifti_header_bytes)) || offset > 1e9)
    throw InputError(where, fmt::format("vox_offset is {}", offset), "it is 352 or more in a good file");
  const auto start = static_cast<std::int64_t>(offset);
  if (packed) return make_raw_stack(open_inflated(path, 0, start, bytes), layout, where);
  layout.offset = start;
  return make_raw_stack(open_bytes(path), layout, where);
}

std::string make_header(const VolumeGrid& grid) {
  std::string header(nifti_header_bytes + 4, '\0');  // and four zero bytes: no extensions
  const auto put = [&](std::size_t offset, auto value) { std::memcpy(header.data() + offset, &value, sizeof value); };
  const auto real = [&](std::size_t offset, double value) { put(offset, static_cast<float>(value)); };
  const Vec3 first = swap_lps_ras(grid.first_voxel());
  put(0, std::int32_t{nifti_header_bytes});
  for (std::size_t i = 0; i < 8; ++i)
    put(at::dim + 2 * i, static_cast<std::int16_t>(i == 0 ? 3 : i < 4 ? grid.size[i - 1] : 1));
  put(at::datatype, std::int16_t{16});
  put(at::bitpix, std::int16_t{32});
  for (std::size_t i = 0; i < 8; ++i)
    real(at::pixdim + 4 * i, i >= 1 && i < 4 ? grid.spacing[static_cast<int>(i) - 1] : 1);
  real(at::vox_offset, nifti_header_bytes + 4);
  real(at::scl_slope, 1);
  header[at::xyzt_units] = 2;
  std::memcpy(header.data() + at::descrip, "Backlit", 7);
  put(at::qform_code, std::int16_t{1});
  put(at::sform_code, std::int16_t{1});
  real(at::quatern + 8, 1);  // half a turn about z: +x of the data is to the left, +y to the back
  for (int i = 0; i < 3; ++i) {
    real(at::qoffset + 4 * static_cast<std::size_t>(i), first[i]);
    real(at::srow + 20 * static_cast<std::size_t>(i), i < 2 ? -grid.spacing[i] : grid.spacing[i]);
    real(at::srow + 16 * static_cast<std::size_t>(i) + 12, first[i]);
  }
  std::memcpy(header.data() + at::magic, "n+1", 4);
  return header;
}

/// Writes a header and values, compressed.
class PackedWriter final : public StackWriter {
 public:
  PackedWriter(const fs::path& path, const Size3& size, const std::string& header)
      : StackWriter(path.string(), size), file_(path), stream_(::gzopen(file_.path().c_str(), "wb6"), &::gzclose) {
    if (!stream_) fail();
    pack(std::as_bytes(std::span(header)));
  }

 private:
  void put(std::int64_t, std::int64_t, std::span<const float> images) override { pack(std::as_bytes(images)); }
  void finish() override {
    if (::gzflush(stream_.get(), Z_FINISH) != Z_OK) fail();
    file_.commit();
  }
  void pack(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const auto piece = bytes.first(std::min<std::size_t>(bytes.size(), 1 << 24));
      if (::gzwrite(stream_.get(), piece.data(), static_cast<unsigned>(piece.size())) <= 0) fail();
      bytes = bytes.subspan(piece.size());
    }
  }
  [[noreturn]] void fail() const {
    throw Failure(where(), fmt::format("could not be written: {}", std::strerror(errno)),
                  "make room on the disk or choose another place");
  }

  AtomicFile file_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> stream_;
};

std::unique_ptr<StackWriter> create_nifti(const fs::path& path, const VolumeGrid& grid) {
  for (const std::int64_t n : grid.size)
    if (n > 32767)
      throw InputError(path.string(), fmt::format("{} voxels along an axis do not fit NIfTI-1", n),
                       "write .mha, .nrrd or .h5");
  const std::string header = make_header(grid);
  if (file_extension(path.string()) == ".nii.gz") return std::make_unique<PackedWriter>(path, grid.size, header);
  return std::make_unique<RawWriter>(path, grid.size, header);
}

}  // namespace

VolumeFormat nifti_format() {
  VolumeFormat f;
  f.name = "nifti";
  f.title = "NIfTI-1";
  f.extensions = f.saved_as = {".nii", ".nii.gz"};
  f.recognizes = [](const FileFront& front) {
    const bool packed = front.bytes.starts_with("\x1f\x8b");
    return is_nifti_header(packed ? inflate_front(front.path, nifti_header_bytes) : front.bytes);
  };
  f.open = [](const fs::path& path, const std::string&) { return open_nifti(path); };
  f.describe = describe_nifti;
  f.create = create_nifti;
  f.keeps_grid = true;
  f.notes = "its world (RAS) becomes ours (LPS); scl_slope and scl_inter are applied";
  return f;
}

}  // namespace backlit::formats
