// Volumes as HDF5.
#include <array>
#include <optional>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include "io/volumes/hdf5_handle.hpp"

namespace backlit::formats::hdf5 {
namespace {

class Hdf5Writer final : public StackWriter {
 public:
  Hdf5Writer(const std::filesystem::path& path, const VolumeGrid& grid)
      : StackWriter(path.string(), grid.size), out_(path) {
    const Lock lock(library());
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_sieve_buf_size(access, 0);  // it would write values that others have written meanwhile
    file_ = Handle(H5Fcreate(out_.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    const auto shape = images(grid.size[2]);
    const Handle space(H5Screate_simple(3, shape.data(), nullptr), H5Sclose);
    const Handle made(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(made, false);  // equal volumes give equal files
    H5Pset_alloc_time(made, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(made, H5D_FILL_TIME_NEVER);
    dataset_ = Handle(H5Dcreate2(file_, "volume", H5T_IEEE_F32LE, space, H5P_DEFAULT, made, H5P_DEFAULT), H5Dclose);
    if (!dataset_.good()) fail();
    const hsize_t three = 3;
    const Handle row(H5Screate_simple(1, &three, nullptr), H5Sclose);
    for (const auto& [name, v] : {std::pair{"spacing_mm", grid.spacing}, std::pair{"center_mm", grid.center}}) {
      const Handle attribute(H5Acreate2(dataset_, name, H5T_IEEE_F64LE, row, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
      if (H5Awrite(attribute, H5T_NATIVE_DOUBLE, &v.x) < 0) fail();
    }
  }

 private:
  /// The shape of `count` images.
  std::array<hsize_t, 3> images(std::int64_t count) const {
    return {static_cast<hsize_t>(count), static_cast<hsize_t>(size()[1]), static_cast<hsize_t>(size()[0])};
  }

  void put(std::int64_t first, std::int64_t count, std::span<const float> values) override {
    const Lock lock(library());
    const std::array<hsize_t, 3> shape = images(count), start{static_cast<hsize_t>(first), 0, 0};
    const Handle memory(H5Screate_simple(3, shape.data(), nullptr), H5Sclose), space(H5Dget_space(dataset_), H5Sclose);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr) < 0 ||
        H5Dwrite(dataset_, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values.data()) < 0)
      fail();
  }

  std::optional<Place> place() override {
    const Lock lock(library());
    const haddr_t offset = H5Dget_offset(dataset_);
    if (offset == HADDR_UNDEF || H5Fflush(file_, H5F_SCOPE_LOCAL) < 0) return std::nullopt;
    return Place{out_.path(), static_cast<std::int64_t>(offset)};
  }

  void finish() override {
    {
      const Lock lock(library());
      if (H5Fflush(file_, H5F_SCOPE_LOCAL) < 0) fail();
      dataset_ = Handle();
      file_ = Handle();
    }
    out_.commit();
  }

  [[noreturn]] void fail() const {
    throw Failure(where(), "could not be written", "make room on the disk or choose another place");
  }

  AtomicFile out_;
  Handle file_, dataset_;
};

}  // namespace

std::unique_ptr<StackWriter> make_writer(const std::filesystem::path& path, const VolumeGrid& grid) {
  return std::make_unique<Hdf5Writer>(path, grid);
}

}  // namespace backlit::formats::hdf5
