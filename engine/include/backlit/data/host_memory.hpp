// A limit on the host memory of arrays, and files for arrays beyond it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

namespace backlit {

struct HostMemory {
  std::int64_t bytes = 0;          ///< of all arrays together; 0: three quarters of the machine's memory
  std::filesystem::path folder{};  ///< of the files that larger arrays are mapped to; empty: the system's temporary one
};

/// For arrays made from now on. Not while other threads make some.
void set_host_memory(HostMemory);

/// Bytes that arrays may still take before they go to files.
std::int64_t memory_left();

/// `bytes` of zeros: in memory while all such fit, else a file without a name mapped into memory, which the system
/// writes out and reads back as it sees fit, and which is gone with the last user. Throws Failure, naming the folder,
/// when there is room in neither. `in_file` (may be null) receives which.
std::shared_ptr<void> zeroed_memory(std::int64_t bytes, bool* in_file = nullptr);

/// Gives the file that zeroed_memory() mapped to `memory` a name that no file has yet, so that values which lie in it
/// need not be written once more. False when `memory` is no such file's, has not just these `bytes`, or the file system
/// cannot. Later writes to the memory change the file.
bool name_mapped_file(const void* memory, std::int64_t bytes, const std::filesystem::path&);

}  // namespace backlit
