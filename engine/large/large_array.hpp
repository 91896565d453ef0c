// Arrays in parts along their last axis. A part lies on the device, or in host memory and is copied to the device for
// each use.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <backlit/device/backend.hpp>

namespace backlit {

/// Limit on the bytes on the device between calls; 0: no limit.
class Budget {
 public:
  explicit Budget(std::int64_t limit) : limit_(limit) {}
  bool take(std::int64_t bytes) {
    if (limit_ > 0 && used_ + bytes > limit_) return false;
    used_ += bytes;
    return true;
  }
  void give_back(std::int64_t bytes) { used_ -= bytes; }
  std::int64_t limit() const { return limit_; }
  void set_limit(std::int64_t bytes) { limit_ = bytes; }

 private:
  std::int64_t limit_, used_ = 0;
};

/// Keeps a few device arrays for parts that lie in host memory.
class Staging {
 public:
  explicit Staging(Backend& device) : device_(device) {}

  Backend& device() const { return device_; }
  /// An array of the shape, valid until two other shapes have been requested in this slot.
  DeviceArray& slot(std::size_t which, const ArrayShape& shape);

 private:
  Backend& device_;
  std::vector<ArrayPtr> slots_[3];  ///< the last one used is first
};

enum class Access { read, write, update };

/// Rows [first, first + shape.n2) of an array. Either `device` is set, or `host` holds the values, n0 fastest.
struct ArrayPart {
  std::int64_t first = 0;
  ArrayShape shape{};
  DeviceArray* device = nullptr;
  std::span<float> host{};
  std::shared_ptr<Staging> staging{};
  std::shared_ptr<void> owner{};  ///< owner of the values

  std::int64_t count() const { return shape.n2; }
  /// Calls f(array on the device). Operands of one operation use different slots.
  template <class F>
  void use(Access access, std::size_t slot, F&& f) const {
    if (device) return f(*device);
    DeviceArray& visitor = staging->slot(slot, shape);
    if (access != Access::write) staging->device().upload(host, visitor);
    f(visitor);
    if (access != Access::read) staging->device().download(visitor, host);
  }
};

class LargeArray final : public DeviceArray {
 public:
  /// Zeroed, in parts of `rows` rows. Parts that exceed the budget lie in host memory.
  LargeArray(const ArrayShape& shape, std::int64_t rows, std::shared_ptr<Staging> staging,
             std::shared_ptr<Budget> budget);
  /// An array of parts that belong to other arrays.
  LargeArray(const ArrayShape& shape, std::vector<ArrayPart> parts, const LargeArray& like);

  const std::vector<ArrayPart>& parts() const { return parts_; }
  bool pages() const override { return true; }
  /// Whether some parts lie in host memory.
  bool paged() const;
  /// A zeroed array in the same parts.
  ArrayPtr make_like() const;
  /// Rows [first, first + count) along n2 in the same memory; null where the device's arrays cannot be divided there.
  ArrayPtr rows(std::int64_t first, std::int64_t count) const;
  void upload(std::span<const float> host);
  void download(std::span<float> host) const;
  /// Rows from `first` on, as many as `host` has room for; false where the device does not download some alone.
  bool download_rows(std::int64_t first, std::span<float> host) const;

 private:
  void add_part(std::int64_t first, std::int64_t count);

  std::vector<ArrayPart> parts_;
  std::shared_ptr<Staging> staging_;
  std::shared_ptr<Budget> budget_;
};

/// The parts of a LargeArray, or any other array as one part.
std::vector<ArrayPart> parts_of(const DeviceArray&);

}  // namespace backlit
