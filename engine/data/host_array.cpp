#include "data/host_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.hpp"

namespace backlit {

template <class T>
HostArray<T>::HostArray(std::int64_t count) {
  if (count <= 0) return;
  // calloc hands out zeroed pages lazily: a large volume costs nothing until it is written.
  void* memory = std::calloc(static_cast<std::size_t>(count), sizeof(T));
  if (!memory)
    throw Failure(
        "memory",
        fmt::format("no room for {} values ({:.1f} GiB)", count, static_cast<double>(count) * sizeof(T) / (1 << 30)),
        "ask for a smaller volume or fewer views");
  owner_.reset(memory, [](void* p) { std::free(p); });
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
