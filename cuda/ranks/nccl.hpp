// NCCL, where the machine has it: loaded when ranks need it, so that programs start without it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace backlit::cuda {

/// The functions in use, with the types of NCCL 2's ABI (docs.nvidia.com/deeplearning/nccl, "Types" and "API").
struct Nccl {
  using Communicator = void*;
  struct Id {
    char bytes[128];
  };
  static constexpr int float32 = 7;  ///< ncclFloat32

  int (*GetUniqueId)(Id*) = nullptr;
  int (*CommInitRank)(Communicator*, int ranks, Id, int rank) = nullptr;
  int (*CommDestroy)(Communicator) = nullptr;
  int (*CommAbort)(Communicator) = nullptr;
  int (*GroupStart)() = nullptr;
  int (*GroupEnd)() = nullptr;
  int (*Send)(const void*, std::size_t, int type, int to, Communicator, cudaStream_t) = nullptr;
  int (*Recv)(void*, std::size_t, int type, int from, Communicator, cudaStream_t) = nullptr;
  const char* (*GetErrorString)(int) = nullptr;

  /// Throws Failure where `result` is an error.
  void check(int result, const char* what) const;
};

/// Null where libnccl.so.2 is not found, or lacks a function.
const Nccl* find_nccl();

}  // namespace backlit::cuda
