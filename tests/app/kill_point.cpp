// Loaded into a program by LD_PRELOAD: kills it at the N-th call (KILL_POINT) that changes what a folder holds or what
// is surely on the disk, before the call is made.
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace {

void count() {
  static const char* wanted = std::getenv("KILL_POINT");
  static int left = wanted ? std::atoi(wanted) : 0;
  if (left > 0 && --left == 0) ::raise(SIGKILL);
}

template <class F>
F original(const char* name) {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int rename(const char* from, const char* to) noexcept {
  count();
  return original<int (*)(const char*, const char*)>("rename")(from, to);
}
int link(const char* from, const char* to) noexcept {
  count();
  return original<int (*)(const char*, const char*)>("link")(from, to);
}
int unlink(const char* path) noexcept {
  count();
  return original<int (*)(const char*)>("unlink")(path);
}
int remove(const char* path) noexcept {
  count();
  return original<int (*)(const char*)>("remove")(path);
}
int fsync(int file) {
  count();
  return original<int (*)(int)>("fsync")(file);
}

}  // extern "C"
