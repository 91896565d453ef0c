// NCCL, where the machine has it: loaded when ranks need it, so that programs start without it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace backlit::cuda {

/// The functions in use, with the types of NCCL 2's ABI (docs.nvidia.com/deeplearning/nccl, "Types" and "API"), version
/// 2.14 or later.
struct Nccl {
  using Communicator = void*;
  struct Id {
    char bytes[128];
  };
  /// ncclConfig_t of version 2.14: later versions take what it lacks as not given.
  struct Config {
    std::size_t size = sizeof(Config);
    unsigned magic = 0xcafebeef, version = 21400;
    int blocking = 0;  ///< 0: calls return at once, and CommGetAsyncError() tells when they are done
  };
  static constexpr int float32 = 7;      ///< ncclFloat32
  static constexpr int in_progress = 7;  ///< ncclInProgress

  int (*GetUniqueId)(Id*) = nullptr;
  int (*CommInitRankConfig)(Communicator*, int ranks, Id, int rank, Config*) = nullptr;
  int (*CommGetAsyncError)(Communicator, int* state) = nullptr;
  int (*CommFinalize)(Communicator) = nullptr;
  int (*CommDestroy)(Communicator) = nullptr;
  int (*CommAbort)(Communicator) = nullptr;
  int (*GroupStart)() = nullptr;
  int (*GroupEnd)() = nullptr;
  int (*Send)(const void*, std::size_t, int type, int to, Communicator, cudaStream_t) = nullptr;
  int (*Recv)(void*, std::size_t, int type, int from, Communicator, cudaStream_t) = nullptr;
  const char* (*GetErrorString)(int) = nullptr;

  /// Throws Failure where `result` is an error, which in_progress is not.
  void check(int result, const char* what) const;
};

/// Null where libnccl.so.2 is not found, or lacks a function (before 2.14).
const Nccl* find_nccl();

}  // namespace backlit::cuda
