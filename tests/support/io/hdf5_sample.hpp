// HDF5 files as beamlines write them.
#pragma once

#include <hdf5.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace backlit::test {

/// Data sets of numbers, with their groups.
class Hdf5Sample {
 public:
  explicit Hdf5Sample(const std::filesystem::path& path, bool latest = false) : links_(H5Pcreate(H5P_LINK_CREATE)) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    H5Pset_create_intermediate_group(links_, 1);
  }
  ~Hdf5Sample() {
    H5Pclose(links_);
    H5Fclose(file_);
  }
  void add(const std::string& name, const std::vector<hsize_t>& shape, const std::vector<double>& values,
           const char* units = nullptr) {
    const hid_t space =
        shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t type = shape.size() == 3 ? H5T_STD_U16LE : H5T_IEEE_F64LE;
    const hid_t data = H5Dcreate2(file_, name.c_str(), type, space, links_, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    if (units) {
      const hid_t text = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
      H5Tset_size(text, std::strlen(units) + 1);
      const hid_t attribute = H5Acreate2(data, "units", text, one, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(attribute, text, units);
      H5Aclose(attribute);
      H5Sclose(one);
      H5Tclose(text);
    }
    H5Dclose(data);
    H5Sclose(space);
  }
  /// A string; of variable length, or of fixed.
  void add_text(const std::string& name, const char* value, bool variable) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, variable ? H5T_VARIABLE : std::strlen(value));
    const hid_t data = H5Dcreate2(file_, name.c_str(), type, space, links_, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, variable ? static_cast<const void*>(&value) : value);
    H5Dclose(data);
    H5Sclose(space);
    H5Tclose(type);
  }
  /// A data set without values that may grow in its first dimension.
  void add_growing(const std::string& name, const std::vector<hsize_t>& shape) {
    std::vector<hsize_t> most = shape, chunk = shape;
    most[0] = H5S_UNLIMITED;
    chunk[0] = 1;
    const int rank = static_cast<int>(shape.size());
    const hid_t space = H5Screate_simple(rank, shape.data(), most.data()), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, rank, chunk.data());
    H5Dclose(H5Dcreate2(file_, name.c_str(), H5T_STD_U16LE, space, links_, plist, H5P_DEFAULT));
    H5Pclose(plist);
    H5Sclose(space);
  }
  /// True or false as h5py writes it.
  void add_flag(const std::string& name, bool value) {
    const hid_t type = H5Tenum_create(H5T_STD_I8LE), space = H5Screate(H5S_SCALAR);
    for (const signed char number : {0, 1}) H5Tenum_insert(type, number ? "TRUE" : "FALSE", &number);
    const hid_t data = H5Dcreate2(file_, name.c_str(), type, space, links_, H5P_DEFAULT, H5P_DEFAULT);
    const signed char number = value;
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &number);
    H5Dclose(data);
    H5Sclose(space);
    H5Tclose(type);
  }

 private:
  hid_t file_ = -1, links_;
};

/// A dark, two flats, five projections of which one aligns, an invalid frame; each frame holds its number.
inline void write_nxtomo(const std::filesystem::path& path, std::size_t keys_written = 9) {
  const std::vector<double> keys{2, 1, 1, 0, 0, 0, 3, 0, 0}, control{2, 1, 1, 0, 0, 0, 3, 0, -1},
      angles{0, 0, 0, 0, 45, 90, 100, 135, 0};
  const auto first = [&](std::vector<double> list) {
    list.resize(keys_written);
    return list;
  };
  std::vector<double> frames;
  for (int i = 0; i < 9; ++i) frames.insert(frames.end(), 6 * 4, 100 * i + 7);
  Hdf5Sample file(path);
  const std::string detector = "/entry0000/instrument/detector/";
  file.add(detector + "data", {9, 4, 6}, frames);
  file.add(detector + "image_key", {keys_written}, first(keys));
  file.add(detector + "image_key_control", {keys_written}, first(control));
  file.add(detector + "x_rotation_axis_pixel_position", {}, {0.75});
  file.add_flag(detector + "x_flipped", true);
  file.add("/entry0000/sample/y_translation", {2}, {0, 1e-3}, "m");
  file.add("/entry0000/sample/rotation_angle", {9}, angles, "degree");
  file.add("/entry0000/sample/x_pixel_size", {}, {6.5e-6}, "m");
  file.add("/entry0000/sample/y_pixel_size", {}, {6.5}, "um");
}

/// An NXtomo file that another process is writing: a dark, a flat and two projections, of 4 x 6 pixels that hold the
/// number of their frame. The process lives as long as this object.
class GrowingNxtomo {
 public:
  GrowingNxtomo(const std::filesystem::path& path, bool swmr) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, channel_.data()) != 0) return;
    writer_ = fork();
    if (writer_ == 0) {
      close(channel_[0]);
      write(path, swmr);
      _exit(0);
    }
    close(channel_[1]);
    wait_for_writer();
  }
  ~GrowingNxtomo() {
    close(channel_[0]);
    if (writer_ > 0) waitpid(writer_, nullptr, 0);
  }
  GrowingNxtomo(const GrowingNxtomo&) = delete;
  GrowingNxtomo& operator=(const GrowingNxtomo&) = delete;

  /// Writes one more projection.
  void add_view() {
    if (::write(channel_[0], "+", 1) == 1) wait_for_writer();
  }

 private:
  static constexpr const char *frames_ = "/entry/instrument/detector/data",
                              *keys_ = "/entry/instrument/detector/image_key";

  void wait_for_writer() {
    char ready = 0;
    if (read(channel_[0], &ready, 1) != 1) writer_ = -1;
  }
  void write(const std::filesystem::path& path, bool swmr) const {
    {
      Hdf5Sample small(path, true);
      small.add("/entry/sample/rotation_angle", {6}, {0, 0, 0, 45, 90, 135}, "degree");
      small.add_growing(frames_, {0, 4, 6});
      small.add_growing(keys_, {0});
    }
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR | (swmr ? H5F_ACC_SWMR_WRITE : 0u), access);
    char order = 0;
    for (hsize_t frame = 0; frame < 4 || read(channel_[1], &order, 1) == 1; ++frame) {
      append(file, frames_, frame, std::vector<double>(4 * 6, static_cast<double>(100 * frame + 7)));
      append(file, keys_, frame, {frame == 0 ? 2.0 : frame == 1 ? 1.0 : 0.0});
      H5Fflush(file, H5F_SCOPE_GLOBAL);
      if (frame >= 3 && ::write(channel_[1], "!", 1) != 1) return;
    }
  }
  static void append(hid_t file, const char* name, hsize_t frame, const std::vector<double>& values) {
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    const hsize_t rank = values.size() > 1 ? 3 : 1, extent[] = {frame + 1, 4, 6}, start[] = {frame, 0, 0},
                  count[] = {1, 4, 6};
    H5Dset_extent(data, extent);
    const hid_t place = H5Dget_space(data), memory = H5Screate_simple(static_cast<int>(rank), count, nullptr);
    H5Sselect_hyperslab(place, H5S_SELECT_SET, start, nullptr, count, nullptr);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, values.data());
    H5Sclose(place), H5Sclose(memory), H5Dclose(data);
  }

  std::array<int, 2> channel_{-1, -1};
  pid_t writer_ = -1;
};

/// Data Exchange: four big-endian images, packed and with check sums, as many flats, and angles.
inline void write_data_exchange(const std::filesystem::path& file) {
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
}

}  // namespace backlit::test
