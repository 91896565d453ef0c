// Arrays in tiles: boxes that lie on the device, or in host memory and visit the device when something is done to them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <backlit/device/backend.hpp>
#include <backlit/device/box.hpp>

namespace backlit {

/// What may lie on the device between calls. A limit of 0 is none.
class Budget {
 public:
  explicit Budget(std::int64_t limit) : limit_(limit) {}
  bool take(std::int64_t bytes) {
    if (limit_ > 0 && used_ + bytes > limit_) return false;
    used_ += bytes;
    return true;
  }
  /// What is there whether it fits or not: it leaves less to take.
  void hold(std::int64_t bytes) { used_ += bytes; }
  void give_back(std::int64_t bytes) { used_ -= bytes; }
  std::int64_t limit() const { return limit_; }

 private:
  std::int64_t limit_, used_ = 0;
};

/// Makes device arrays as an operator wants them, and keeps a few for tiles that visit the device.
class Staging {
 public:
  using Maker = std::function<ArrayPtr(const ArrayShape&)>;
  Staging(Backend& device, Maker make) : device_(device), make_(std::move(make)) {}

  Backend& device() const { return device_; }
  ArrayPtr make(const ArrayShape& shape) const { return make_(shape); }
  /// An array to use for a while: valid until two other shapes have been asked for in this slot.
  DeviceArray& slot(std::size_t which, const ArrayShape& shape);

 private:
  Backend& device_;
  Maker make_;
  std::vector<ArrayPtr> slots_[3];  ///< last used first
};

enum class Access { read, write, update };

/// One box of an array. Either `device` is set or `host` is its values, n0 fastest.
struct Tile {
  Box box;
  DeviceArray* device = nullptr;
  std::span<float> host{};
  std::shared_ptr<Staging> staging{};
  std::shared_ptr<void> owner{};  ///< of whatever holds the values

  /// Calls f(array on the device). Operands of one operation use different slots.
  template <class F>
  void use(Access access, std::size_t slot, F&& f) const {
    if (device) return f(*device);
    DeviceArray& visitor = staging->slot(slot, box.shape());
    if (access != Access::write) staging->device().upload(host, visitor);
    f(visitor);
    if (access != Access::read) staging->device().download(visitor, host);
  }
};

class TiledArray final : public DeviceArray {
 public:
  /// Zeroed; tiles that the budget has no room for lie in host memory.
  TiledArray(const ArrayShape& shape, const std::vector<Box>& boxes, std::shared_ptr<Staging> staging,
             std::shared_ptr<Budget> budget);
  /// Of tiles that belong to others.
  TiledArray(const ArrayShape& shape, std::vector<Tile> tiles, const TiledArray& like);

  const std::vector<Tile>& tiles() const { return tiles_; }
  /// Zeroed, in the same boxes.
  ArrayPtr make_like() const;
  /// Rows [first, first + count) along n2 with the same memory; null where boxes or device arrays cannot be cut so.
  ArrayPtr rows(std::int64_t first, std::int64_t count) const;
  void upload(std::span<const float> host);
  void download(std::span<float> host) const;

 private:
  std::vector<Tile> tiles_;
  std::shared_ptr<Staging> staging_;
  std::shared_ptr<Budget> budget_;
};

/// The tiles of a TiledArray, or any other array as one tile.
std::vector<Tile> tiles_of(const DeviceArray&);

}  // namespace backlit
