#include <backlit/data/host_array.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/data/host_memory.hpp>

namespace backlit {

template <class T>
HostArray<T>::HostArray(std::int64_t count) {
  if (count <= 0) return;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(count, static_cast<std::int64_t>(sizeof(T)), &bytes))
    throw Failure("memory", fmt::format("no room for {} values", count), "ask for a smaller volume or fewer views");
  owner_ = zeroed_memory(bytes);
  void* memory = owner_.get();
  values_ = {static_cast<T*>(memory), static_cast<std::size_t>(count)};
}

template <class T>
HostArray<T> HostArray<T>::clone() const {
  HostArray copy(size());
  std::copy(begin(), end(), copy.begin());
  return copy;
}

template class HostArray<float>;

}  // namespace backlit
