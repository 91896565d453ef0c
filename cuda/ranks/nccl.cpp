#include "cuda/ranks/nccl.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <optional>

#include <backlit/core/error.hpp>

namespace backlit::cuda {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

std::optional<Nccl> load() {
  void* const library = ::dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) return std::nullopt;
  Nccl n;
  if (find(library, "ncclGetUniqueId", n.GetUniqueId) &&
      find(library, "ncclCommInitRankConfig", n.CommInitRankConfig) &&
      find(library, "ncclCommGetAsyncError", n.CommGetAsyncError) &&
      find(library, "ncclCommFinalize", n.CommFinalize) && find(library, "ncclCommDestroy", n.CommDestroy) &&
      find(library, "ncclCommAbort", n.CommAbort) && find(library, "ncclGroupStart", n.GroupStart) &&
      find(library, "ncclGroupEnd", n.GroupEnd) && find(library, "ncclSend", n.Send) &&
      find(library, "ncclRecv", n.Recv) && find(library, "ncclGetErrorString", n.GetErrorString))
    return n;
  return std::nullopt;
}

}  // namespace

void Nccl::check(int result, const char* what) const {
  if (result != 0 && result != in_progress)
    throw Failure("NCCL", fmt::format("{}: {}", what, GetErrorString(result)),
                  "set BACKLIT_LINK=host to pass values through host memory");
}

const Nccl* find_nccl() {
  static const std::optional<Nccl> found = load();
  return found ? &*found : nullptr;
}

}  // namespace backlit::cuda
