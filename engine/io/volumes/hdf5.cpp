// HDF5: any data set of two or three dimensions. Our own volumes are /volume with spacing_mm and center_mm (x, y, z). A
// child process reads each file, because the library crashes on some damaged files.
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>
#include <backlit/data/reads_rows.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/child_process.hpp"
#include "io/header_fields.hpp"
#include "io/volumes/hdf5.hpp"
#include "io/volumes/hdf5_handle.hpp"
#include "io/volumes/stacks/raw_stack.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;
using hdf5::Handle;
using hdf5::library;
using hdf5::library_mutex;
using hdf5::Lock;

/// Switches off the library's work at the program's end. After a full disk it would crash there on the file that it
/// could not close. Everything is closed and checked here already. This must be the first call of the library.
[[maybe_unused]] const herr_t no_work_at_exit = H5dont_atexit();

constexpr int most_names = 1000;

/// Marks of a writer in the file's superblock, since version 3. They stay after a crash of the writer.
enum WriterMark : unsigned { is_written = 1, by_swmr = 4 };

unsigned writer_marks(const fs::path& path) {
  const std::string front = read_front(path, 12);
  return front.size() == 12 && front[8] >= 3 ? static_cast<unsigned char>(front[11]) : 0;
}

Handle open_file(const fs::path& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // no dump of the library's stack on the terminal
  if (!fs::is_regular_file(path)) throw InputError(path.string(), "is not a file", "name a file");
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access, false, true);  // read-only and network file systems have no locks
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (file.good()) return file;
  const unsigned marks = writer_marks(path);
  if (marks & by_swmr) file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose);
  if (file.good()) return file;
  if (marks & is_written)
    throw InputError(path.string(), "is open for writing",
                     "wait until it is closed, or write it in SWMR mode; if its writer crashed: h5clear -s");
  throw InputError(path.string(), "cannot be opened as HDF5", "the file is damaged or not HDF5");
}

std::vector<hsize_t> shape_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = space.good() ? H5Sget_simple_extent_ndims(space) : -1;
  std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(rank, 0)));
  if (rank > 0) H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

struct Content {
  std::vector<std::string> images;  ///< data sets of three dimensions
  std::vector<std::string> planes;  ///< ... of two, both longer than 1
  bool complete = true;             ///< the library could read every object
};

Content content_of(hid_t file) {
  Content content;
  const auto visit = [](hid_t root, const char* name, const H5O_info_t* info, void* user) -> herr_t {
    if (info->type != H5O_TYPE_DATASET) return 0;
    Content& found = *static_cast<Content*>(user);
    const Handle dataset(H5Dopen2(root, name, H5P_DEFAULT), H5Dclose);
    if (!dataset.good()) found.complete = false;
    const std::vector<hsize_t> shape = dataset.good() ? shape_of(dataset) : std::vector<hsize_t>{};
    if (shape.size() == 3) found.images.push_back(fmt::format("/{}", name));
    if (shape.size() == 2 && shape[0] > 1 && shape[1] > 1) found.planes.push_back(fmt::format("/{}", name));
    return 0;
  };
  if (H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &content, H5O_INFO_BASIC) < 0) content.complete = false;
  return content;
}

std::string text_of(const Content& content) {
  std::string text =
      content.images.empty() ? "no three-dimensional data set" : fmt::format("{}", fmt::join(content.images, ", "));
  if (content.complete) return text;
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return text + fmt::format(", and objects that HDF5 {}.{}.{} cannot read: damaged, or of a newer version", major,
                            minor, release);
}

std::string choose_dataset(hid_t file, const std::string& where) {
  const Content content = content_of(file);
  const std::vector<std::string>& names = content.images;
  for (const char* known : {"/volume", "/exchange/data"})
    if (std::find(names.begin(), names.end(), known) != names.end()) return known;
  if (names.size() == 1) return names[0];
  if (names.empty() && content.planes.size() == 1) return content.planes[0];
  throw InputError(where, fmt::format("holds {}", text_of(content)), "name one as file.h5:/path");
}

std::string type_name(hid_t dataset, const std::string& where) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const H5T_class_t kind = type.good() ? H5Tget_class(type) : H5T_NO_CLASS;
  const auto bits = 8 * (type.good() ? H5Tget_size(type) : 0);
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || bits < 8 || bits > 128)
    throw InputError(where, "holds no plain numbers", "integers and floats can be read");
  if (kind == H5T_FLOAT) return fmt::format("f{}", bits);
  return fmt::format("{}{}", H5Tget_sign(type) == H5T_SGN_NONE ? 'u' : 'i', bits);
}

[[noreturn]] void refuse_size(const std::string& where, const std::string& problem) {
  throw InputError(where, problem, "the file is cut off, damaged or still being written");
}

/// Throws InputError when a source file of a virtual data set is missing: the library would read zeros.
void check_sources(hid_t plist, const fs::path& folder, const std::string& where) {
  std::size_t parts = 0;
  H5Pget_virtual_count(plist, &parts);
  for (std::size_t i = 0; i < parts; ++i) {
    const ssize_t length = H5Pget_virtual_filename(plist, i, nullptr, 0);
    std::string name(static_cast<std::size_t>(std::max<ssize_t>(length, 0)), '\0');
    H5Pget_virtual_filename(plist, i, name.data(), name.size() + 1);
    const bool pattern = name.find('%') != std::string::npos;  // a series: the library finds the number of files
    if (name != "." && !pattern && !fs::exists(name) && !fs::exists(folder / name))
      throw InputError(where, fmt::format("is made of parts, and {} does not exist", name), "put it beside this file");
  }
}

/// Checks the chunks of a data set. Chunks may be missing, or compressed by any filter. So the number of chunks is
/// compared; and bytes, if deflate is the strongest filter.
void check_chunks(hid_t dataset, hid_t plist, std::int64_t values, std::int64_t size, std::int64_t file_bytes,
                  const std::string& where) {
  constexpr std::int64_t expansion = 1032;  // largest ratio of deflate
  const std::vector<hsize_t> shape = shape_of(dataset);
  hsize_t chunk[H5S_MAX_RANK], written = 0;
  const int rank = H5Pget_chunk(plist, H5S_MAX_RANK, chunk);
  if (rank < 1 || static_cast<std::size_t>(rank) != shape.size()) refuse_size(where, "has no proper chunks");
  double bytes = static_cast<double>(size), wanted = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    bytes *= static_cast<double>(chunk[d]);
    wanted *= std::ceil(static_cast<double>(shape[d]) / static_cast<double>(chunk[d]));
  }
  // The last chunks may extend beyond the data in every dimension.
  if (!(bytes <= 1e6 + 8 * static_cast<double>(values) * static_cast<double>(size)))
    refuse_size(where, fmt::format("its chunks of {:.0f} bytes are much larger than its {} values", bytes, values));
  if (values / expansion <= file_bytes / size) return;
  const Handle space(H5Dget_space(dataset), H5Sclose);
  if (H5Dget_num_chunks(dataset, space, &written) < 0 || static_cast<double>(written) < wanted)
    refuse_size(
        where, fmt::format("{} of its {:.0f} chunks were written, in a file of {} bytes", written, wanted, file_bytes));
}

/// Refuses external files that are pipes or devices: the library would wait for ever.
void check_external(hid_t plist, int files, const fs::path& folder) {
  for (int i = 0; i < files; ++i) {
    std::array<char, 4096> name{};
    if (H5Pget_external(plist, static_cast<unsigned>(i), name.size() - 1, name.data(), nullptr, nullptr) < 0) continue;
    require_regular_file(name.data());
    require_regular_file(folder / name.data());
  }
}

/// The file of a data set. A link may lead to another file than the opened one.
fs::path file_of(hid_t dataset, const fs::path& opened) {
  const ssize_t length = H5Fget_name(dataset, nullptr, 0);
  std::string name(static_cast<std::size_t>(std::max<ssize_t>(length, 0)), '\0');
  H5Fget_name(dataset, name.data(), name.size() + 1);
  return fs::is_regular_file(name) ? fs::path(name) : opened;
}

/// A damaged header may claim any size. Compares it with the bytes that the file has for the data set. Data in other
/// files (virtual data sets, external storage) cannot be compared.
void check_storage(hid_t dataset, std::int64_t values, const fs::path& opened, const std::string& where) {
  const fs::path path = file_of(dataset, opened);
  const Handle plist(H5Dget_create_plist(dataset), H5Pclose);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const auto size = static_cast<std::int64_t>(H5Tget_size(type));
  const H5D_layout_t layout = plist.good() ? H5Pget_layout(plist) : H5D_LAYOUT_ERROR;
  if (layout == H5D_LAYOUT_ERROR) refuse_size(where, "its layout cannot be read");
  if (layout == H5D_VIRTUAL) return check_sources(plist, path.parent_path(), where);
  if (const int files = H5Pget_external_count(plist); files > 0)
    return check_external(plist, files, path.parent_path());
  const auto file_bytes = static_cast<std::int64_t>(fs::file_size(path));
  if (layout == H5D_CHUNKED) return check_chunks(dataset, plist, values, size, file_bytes, where);
  if (H5Dget_storage_size(dataset) == 0) throw InputError(where, "was never written", "write its values first");
  if (values > file_bytes / size)
    refuse_size(where,
                fmt::format("the {} bytes of the file cannot hold {} values of {} bytes", file_bytes, values, size));
}

std::optional<Vec3> vector_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  double values[3];
  if (!attribute.good() || !space.good() || H5Sget_simple_extent_npoints(space) != 3 ||
      H5Aread(attribute, H5T_NATIVE_DOUBLE, values) < 0)
    return {};
  return Vec3(values[0], values[1], values[2]);
}

/// A data set of a file, in the child process.
class Images {
 public:
  Images(const fs::path& path, std::string name) : where_(path.string()), file_(open_file(path)) {
    if (name.empty()) name = choose_dataset(file_, where_);
    if (name[0] != '/') name = "/" + name;
    dataset_ = Handle(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset_.good())
      throw InputError(where_, fmt::format("has no data set {}", name),
                       fmt::format("it holds {}", text_of(content_of(file_))));
    where_ += ":" + name;
    set_info();
    check_storage(dataset_, info_.images * info_.pixels(), path, where_);
  }
  const StackInfo& info() const { return info_; }

  /// Rows that read() gives from then on.
  void look_at_rows(const IndexRange& rows) { rows_ = rows; }

  std::vector<std::byte> read(std::int64_t first, std::int64_t count) const {
    const Handle space(H5Dget_space(dataset_), H5Sclose);
    const auto size = [](std::int64_t n) { return static_cast<hsize_t>(n); };
    const std::size_t drop = flat_ ? 1 : 0;
    const hsize_t start[] = {size(first), size(rows_.first), 0},
                  extent[] = {size(count), size(rows_.count), size(info_.columns)};
    const Handle memory(H5Screate_simple(3, extent, nullptr), H5Sclose);
    std::vector<std::byte> values(static_cast<std::size_t>(count * rows_.count * info_.columns) * sizeof(float));
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start + drop, nullptr, extent + drop, nullptr) < 0 ||
        H5Dread(dataset_, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values.data()) < 0)
      throw InputError(fmt::format("{}: images {} to {}", where_, first, first + count - 1), "cannot be decoded",
                       "the file is damaged, or its compression is not built in");
    return values;
  }

 private:
  void set_info() {
    const std::vector<hsize_t> shape = shape_of(dataset_);
    if (shape.size() != 2 && shape.size() != 3)
      throw InputError(where_, fmt::format("has {} dimensions", shape.size()),
                       "images have two (row, column) or three (view, row, column)");
    const auto length = [&](std::size_t d) {
      return static_cast<std::int64_t>(std::min<hsize_t>(shape[d], hsize_t{1} << 62));
    };
    flat_ = shape.size() == 2;
    info_ = {length(shape.size() - 1), length(shape.size() - 2), flat_ ? 1 : length(0), type_name(dataset_, where_),
             "hdf5"};
    packed_bytes(info_, SampleType::f64, where_);
    info_.dimensions.assign(shape.begin(), shape.end());
    rows_ = {0, info_.rows};
    info_.spacing = vector_attribute(dataset_, "spacing_mm");
    info_.center = vector_attribute(dataset_, "center_mm");
    for (int a = 0; a < 3; ++a)
      if ((info_.spacing && !((*info_.spacing)[a] > 0 && std::isfinite((*info_.spacing)[a]))) ||
          (info_.center && !std::isfinite((*info_.center)[a])))
        throw InputError(where_, "spacing_mm or center_mm is not finite, or not positive", "the file is damaged");
    if (info_.spacing) info_.pixel_mm = glm::dvec2(*info_.spacing);
    if (info_.center) info_.middle_mm = glm::dvec2(*info_.center);
  }

  std::string where_;
  Handle file_, dataset_;
  StackInfo info_;
  IndexRange rows_;    ///< that are looked at
  bool flat_ = false;  ///< two dimensions: a single image
};

/// A child process's description of a data set, sent as bytes.
struct Description {
  std::int64_t columns, rows, images, dimensions;
  std::array<char, 8> type;
  bool has_spacing, has_center;
  Vec3 spacing, center;

  explicit Description(const StackInfo& info)
      : columns(info.columns),
        rows(info.rows),
        images(info.images),
        dimensions(std::ssize(info.dimensions)),
        type{},
        has_spacing(info.spacing.has_value()),
        has_center(info.center.has_value()),
        spacing(info.spacing.value_or(Vec3(1))),
        center(info.center.value_or(Vec3(0))) {
    info.type.copy(type.data(), type.size() - 1);
  }
  explicit Description(std::span<const std::byte> bytes) { std::memcpy(this, bytes.data(), sizeof *this); }

  StackInfo info() const {
    StackInfo info{columns, rows, images, type.data(), "hdf5"};
    info.dimensions = {images, rows, columns};
    if (dimensions == 2) info.dimensions.erase(info.dimensions.begin());
    if (has_spacing) info.spacing = spacing, info.pixel_mm = glm::dvec2(spacing);
    if (has_center) info.center = center, info.middle_mm = glm::dvec2(center);
    return info;
  }
};

template <class T>
std::vector<std::byte> as_vector(std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

/// Makes a child process that reads one file. Holds the lock, so that no other thread is in the library meanwhile.
std::unique_ptr<ChildProcess> make_child(const fs::path& path, ChildProcess::Answer answer) {
  const Lock lock(library());
  return std::make_unique<ChildProcess>(
      path.string(), [answer = std::move(answer), fresh = true](std::int64_t first, std::int64_t count) mutable {
        if (std::exchange(fresh, false)) library_mutex().release(), library_mutex().reset(new std::recursive_mutex);
        return answer(first, count);
      });
}

class Hdf5Stack final : public StackReader, public ReadsRows {
 public:
  Hdf5Stack(const fs::path& path, const std::string& name) : where_(path.string()) {
    require_regular_file(path);
    child_ = make_child(path,
                        [path, name, images = std::shared_ptr<Images>()](
                            std::int64_t first, std::int64_t count) mutable -> std::vector<std::byte> {
                          if (images && first < 0) {  // rows, not images
                            images->look_at_rows({-1 - first, count});
                            return {};
                          }
                          if (images) return images->read(first, count);
                          images = std::make_shared<Images>(path, name);
                          const Description description(images->info());
                          return as_vector(std::span(&description, 1));
                        });
    info_ = Description(child_->ask(0, 0)).info();
    if (read_front(path, 10) == "MATLAB 7.3") {  // whose size() counts from the other end
      std::ranges::reverse(info_.dimensions);
      info_.first_fastest = true;
    }
    rows_ = {0, info_.rows};
  }
  const StackInfo& info() const override { return info_; }

  void look_at_rows(const IndexRange& rows) override {
    const std::scoped_lock lock(mutex_);
    child_->ask(-1 - rows.first, rows.count);
    rows_ = rows;
  }

  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    check_read(info_, first, count, out.size(), where_);
    if (count == 0) return;
    const std::scoped_lock lock(mutex_);
    const auto pixels = static_cast<std::size_t>(info_.pixels()), row = static_cast<std::size_t>(info_.columns),
               skip = static_cast<std::size_t>(rows_.first) * row, part = static_cast<std::size_t>(rows_.count) * row;
    if (part == pixels)
      return child_->ask(first, count, std::as_writable_bytes(out.first(static_cast<std::size_t>(count) * pixels)));
    std::vector<float> rows(static_cast<std::size_t>(count) * part);
    child_->ask(first, count, std::as_writable_bytes(std::span(rows)));
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(i * part), part,
                  out.begin() + static_cast<std::ptrdiff_t>(i * pixels + skip));
  }

 private:
  std::string where_;
  StackInfo info_;
  IndexRange rows_;  ///< that are looked at
  std::mutex mutex_;
  std::unique_ptr<ChildProcess> child_;
};

/// The only string that `read` reads, at most 4096 bytes of it; empty where that is not possible.
template <class Read>
std::string only_string(hid_t type, Read&& read) {
  constexpr std::size_t most = 4096;
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    if (read(&text) < 0 || !text) return {};
    std::string copy(text, ::strnlen(text, most));
    H5free_memory(text);
    return copy;
  }
  std::string text(std::min(H5Tget_size(type), most), '\0');
  if (H5Tget_size(type) > text.size() || read(text.data()) < 0) return {};
  return text.c_str();
}

/// The attribute "units" of the object of this name in `place`.
std::string units_of(hid_t place, const char* name) {
  if (H5Aexists_by_name(place, name, "units", H5P_DEFAULT) <= 0) return {};
  const Handle attribute(H5Aopen_by_name(place, name, "units", H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Handle type(attribute.good() ? H5Aget_type(attribute) : -1, H5Tclose);
  const Handle space(attribute.good() ? H5Aget_space(attribute) : -1, H5Sclose);
  if (!type.good() || !space.good() || H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1)
    return {};
  return only_string(type, [&](void* to) { return H5Aread(attribute, type, to); });
}

/// The only value of a data set: a number with its unit, or a string. Empty where it is neither.
std::string only_value(hid_t set, const fs::path& path) {
  const Handle type(H5Dget_type(set), H5Tclose);
  if (!type.good()) return {};
  check_storage(set, 1, path, "");
  const auto read = [&](hid_t as, void* to) { return H5Dread(set, as, H5S_ALL, H5S_ALL, H5P_DEFAULT, to); };
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_STRING) return only_string(type, [&](void* to) { return read(type, to); });
  double number = 0;
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM) || read(H5T_NATIVE_DOUBLE, &number) < 0) return {};
  return with_unit(number, units_of(set, "."));
}

/// Names of the objects in the root, each ended by a zero.
std::string roots_of(const fs::path& path) {
  const Handle file = open_file(path);
  struct Names {
    std::string text{};
    int count = 0;
  } names;
  const auto note = [](hid_t, const char* name, const H5L_info_t*, void* user) -> herr_t {
    auto& all = *static_cast<Names*>(user);
    all.text.append(name).push_back('\0');
    return ++all.count < most_names ? 0 : 1;
  };
  H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &names);
  return names.text;
}

/// Of each of the file's own data sets its name, its number of values and, if asked for, its only value. Each ends by a
/// zero.
std::string sets_of(const fs::path& path, bool with_value) {
  const Handle file = open_file(path);
  struct Sets {
    const fs::path& path;
    bool with_value;
    std::string text{};
    int count = 0;
  } sets{path, with_value};
  const auto note = [](hid_t group, const char* name, const H5L_info_t* link, void* user) -> herr_t {
    auto& all = *static_cast<Sets*>(user);
    if (link->type != H5L_TYPE_HARD) return 0;
    const Handle set(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose);
    const Handle space(set.good() ? H5Dget_space(set) : -1, H5Sclose);
    if (!space.good()) return 0;
    const hssize_t values = H5Sget_simple_extent_npoints(space);
    std::string value;
    try {
      if (all.with_value && values == 1) value = only_value(set, all.path);
    } catch (const std::exception&) {  // damaged, or never written
    }
    for (const std::string& part : {fmt::format("/{}", name), fmt::format("{}", values), value})
      all.text.append(part).push_back('\0');
    return ++all.count < most_names ? 0 : 1;
  };
  H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, note, &sets);
  return sets.text;
}

std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin < names.size(); begin += all.back().size() + 1)
    all.emplace_back(names.c_str() + begin);
  return all;
}

/// Calls `text` in a child process and returns its result.
template <class Text>
std::string in_child(const fs::path& path, Text&& text) {
  const auto child = make_child(path, [&](std::int64_t, std::int64_t) {
    const std::string made = text();
    return as_vector(std::span<const char>(made));
  });
  const std::vector<std::byte> bytes = child->ask(0, 0);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

bool hdf5_has(const fs::path& path, const std::string& dataset) {
  return !in_child(path, [&] {
            const Handle file = open_file(path);
            const Handle found(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose);
            return std::string(found.good() ? "yes" : "");
          }).empty();
}

std::vector<std::string> hdf5_roots(const fs::path& path) {
  return split(in_child(path, [&] { return roots_of(path); }));
}

std::vector<Hdf5Set> hdf5_sets(const fs::path& path) {
  std::string text;
  try {
    text = in_child(path, [&] { return sets_of(path, true); });
  } catch (const InputError&) {  // a damaged value can end the child
    text = in_child(path, [&] { return sets_of(path, false); });
  }
  const std::vector<std::string> parts = split(text);
  std::vector<Hdf5Set> sets;
  for (std::size_t i = 0; i + 2 < parts.size(); i += 3)
    sets.push_back({parts[i], std::stoll(parts[i + 1]), parts[i + 2]});
  return sets;
}

std::string hdf5_units(const fs::path& path, const std::string& dataset) {
  return in_child(path, [&] { return units_of(open_file(path), dataset.c_str()); });
}

namespace {

std::vector<double> numbers_of(const fs::path& path, const std::string& name) {
  const std::string where = path.string() + ":" + name;
  const Handle file = open_file(path);
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.good())
    throw InputError(path.string(), fmt::format("has no data set {}", name), "name one as file.h5:/path");
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (!type.good() || H5Tget_class(type) != H5T_ENUM) type_name(dataset, where);  // h5py writes true and false so
  const std::vector<hsize_t> shape = shape_of(dataset);
  // A single number is a list too, and so is what has one row or one column, as MATLAB writes lists.
  hsize_t count = 1, sides = 0;
  for (const hsize_t side : shape) {
    if (side == 1) continue;
    count = side;
    ++sides;
  }
  if (sides > 1 || count > 1u << 30)
    throw InputError(where, fmt::format("has {} dimensions", sides > 1 ? sides : shape.size()),
                     "a list of numbers has one");
  check_storage(dataset, static_cast<std::int64_t>(count), path, where);
  std::vector<double> numbers(count);
  if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0)
    throw InputError(where, "cannot be decoded", "the file is damaged");
  return numbers;
}

std::vector<double> hdf5_numbers(const fs::path& path, const std::string& name) {
  if (name.empty()) throw InputError(path.string(), "is HDF5", "name the list of numbers as file.h5:/path");
  const auto child = make_child(
      path, [&](std::int64_t, std::int64_t) { return as_vector(std::span<const double>(numbers_of(path, name))); });
  const std::vector<std::byte> bytes = child->ask(0, 0);
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

}  // namespace

VolumeFormat hdf5_format() {
  VolumeFormat f;
  f.name = "hdf5";
  f.title = "HDF5";
  f.extensions = {".h5", ".hdf5", ".nxs", ".hdf", ".he5"};
  f.saved_as = {".h5", ".hdf5"};
  f.recognizes = is_hdf5;
  f.open = [](const fs::path& path, const std::string& data_set) {
    return std::make_unique<Hdf5Stack>(path, data_set);
  };
  f.create = [](const fs::path& path, const VolumeGrid& grid) { return hdf5::make_writer(path, grid); };
  f.keeps_grid = f.has_data_sets = true;
  f.numbers = hdf5_numbers;
  f.notes = "any data set of 2 or 3 dimensions (`scan.h5:/exchange/data`); attributes spacing_mm and center_mm";
  return f;
}

}  // namespace backlit::formats
