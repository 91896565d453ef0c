// Objects of the HDF5 library, and the lock around its calls.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include <backlit/geometry/volume_grid.hpp>
#include <backlit/io/volumes/stack_writer.hpp>

namespace backlit::formats::hdf5 {

/// Debian's library is not thread safe: one call at a time. A child process has one thread and makes a new mutex in
/// place of the one that its parent holds.
inline std::unique_ptr<std::recursive_mutex>& library_mutex() {
  static auto mutex = std::make_unique<std::recursive_mutex>();
  return mutex;
}
inline std::recursive_mutex& library() { return *library_mutex(); }
/// For the time in which a thread uses the library, which then dumps no stack of errors on the terminal.
class Lock {
 public:
  explicit Lock(std::recursive_mutex& library) : lock_(library) { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

 private:
  std::lock_guard<std::recursive_mutex> lock_;
};

class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    const Lock lock(library());
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  bool good() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

/// Writes the data set "volume" with spacing_mm and center_mm.
std::unique_ptr<StackWriter> make_writer(const std::filesystem::path& path, const VolumeGrid& grid);

}  // namespace backlit::formats::hdf5
