// Host memory with an owner: a vector, a mapped file, a pinned buffer. Arrays of the engine only see the span.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace backlit {

/// Move-only array of T; its owner (memory, a memory map) frees it.
template <class T>
class HostArray {
 public:
  HostArray() = default;
  /// `count` values set to zero. Throws Failure when there is no memory.
  explicit HostArray(std::int64_t count);
  /// Refers to memory that `owner` keeps alive.
  HostArray(T* data, std::int64_t count, std::shared_ptr<void> owner)
      : values_(data, static_cast<std::size_t>(count)), owner_(std::move(owner)) {}
  HostArray(HostArray&&) noexcept = default;
  HostArray& operator=(HostArray&&) noexcept = default;

  std::int64_t size() const { return static_cast<std::int64_t>(values_.size()); }
  bool empty() const { return values_.empty(); }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  T& operator[](std::int64_t i) { return values_[static_cast<std::size_t>(i)]; }
  const T& operator[](std::int64_t i) const { return values_[static_cast<std::size_t>(i)]; }
  T* begin() { return data(); }
  T* end() { return data() + values_.size(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + values_.size(); }
  std::span<T> span() { return values_; }
  std::span<const T> span() const { return values_; }
  HostArray clone() const;

 private:
  std::span<T> values_;
  std::shared_ptr<void> owner_;
};

extern template class HostArray<float>;

}  // namespace backlit
