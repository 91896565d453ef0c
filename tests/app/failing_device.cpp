// Loaded into a program by LD_PRELOAD: stands in for a device that fails at the N-th call (FAILING_CALL) to its driver.
// FAILING_HOW says how: "room", that call alone finds no memory; "lost", the device is lost from that call on.
// Where FAILING_CALL is 0 nothing fails; at its end the program writes into the file FAILING_COUNT how many calls it
// made.
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr unsigned gl_out_of_memory = 0x0505, gl_context_lost = 0x0507;
constexpr int cuda_out_of_memory = 2, cuda_launch_failure = 719;

bool lost() {
  static const char* how = std::getenv("FAILING_HOW");
  return how && std::strcmp(how, "lost") == 0;
}

struct Calls {
  int made = 0;
  ~Calls() {
    const char* file = std::getenv("FAILING_COUNT");
    std::FILE* to = file ? std::fopen(file, "w") : nullptr;
    if (!to) return;
    std::fprintf(to, "%d", made);
    std::fclose(to);
  }
};

/// Counts a call; whether it is to fail.
bool fails() {
  static const char* wanted = std::getenv("FAILING_CALL");
  static const int first = wanted ? std::atoi(wanted) : 0;
  static Calls calls;
  ++calls.made;
  return first > 0 && (lost() ? calls.made >= first : calls.made == first);
}

template <class F>
F original(const char* name) {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

template <class... Arguments>
int cuda(const char* name, Arguments... arguments) {
  if (fails()) return lost() ? cuda_launch_failure : cuda_out_of_memory;
  return original<int (*)(Arguments...)>(name)(arguments...);
}

}  // namespace

extern "C" {

unsigned glGetError() {
  if (fails()) return lost() ? gl_context_lost : gl_out_of_memory;
  return original<unsigned (*)()>("glGetError")();
}

// Of CUDA's calls, those that allocate fail for want of room, and others only when the device is lost.
int cudaMalloc(void** to, std::size_t bytes) { return cuda("cudaMalloc", to, bytes); }
int cudaMallocAsync(void** to, std::size_t bytes, void* stream) { return cuda("cudaMallocAsync", to, bytes, stream); }
int cudaStreamSynchronize(void* stream) {
  if (lost()) return cuda("cudaStreamSynchronize", stream);
  return original<int (*)(void*)>("cudaStreamSynchronize")(stream);
}
int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void* stream) {
  if (lost()) return cuda("cudaMemcpyAsync", to, from, bytes, kind, stream);
  return original<int (*)(void*, const void*, std::size_t, int, void*)>("cudaMemcpyAsync")(to, from, bytes, kind,
                                                                                           stream);
}

}  // extern "C"
