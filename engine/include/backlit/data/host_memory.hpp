// A limit on the host memory of arrays, and files for arrays beyond it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

namespace backlit {

struct HostMemory {
  std::int64_t bytes = 0;          ///< limit for all arrays together; 0: three quarters of the machine's memory
  std::filesystem::path folder{};  ///< folder of the files for arrays beyond it; empty: the system's temporary one
};

/// Sets the limit for arrays made from now on. Do not call it while other threads make arrays.
void set_host_memory(HostMemory);

/// Bytes of memory left for arrays. Arrays beyond them go to files.
std::int64_t memory_left();

/// `bytes` of zeros, in memory while all arrays fit. Otherwise they lie in an unnamed file mapped into memory, which
/// the last owner removes. Throws Failure, naming the folder, when neither memory nor disk has room. `in_file` (may be
/// null) is set to whether they lie in a file.
std::shared_ptr<void> zeroed_memory(std::int64_t bytes, bool* in_file = nullptr);

/// Gives the file that zeroed_memory() mapped to `memory` a name, so that its values need not be written again. No file
/// may have that name yet. Returns false when `memory` is not in such a file, has another number of `bytes`, or the
/// file system cannot name it. Later writes to the memory change the file.
bool name_mapped_file(const void* memory, std::int64_t bytes, const std::filesystem::path&);

}  // namespace backlit
