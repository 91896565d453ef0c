// libFuzzer's entry points: the target is named by the environment variable BACKLIT_FUZZ. scripts/fuzz.sh runs it.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/sample.hpp"

namespace {

namespace fs = std::filesystem;

fs::path folder;
std::vector<backlit::fuzz::Sample> samples;
std::vector<backlit::fuzz::Target> targets;
const backlit::fuzz::Target* target = nullptr;

void remove_folder() {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

}  // namespace

// libgsf, on GLib, loses what it has read of a folder that turns out to be damaged.
extern "C" const char* __lsan_default_suppressions() { return "leak:libglib-2.0\n"; }

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* wanted = std::getenv("BACKLIT_FUZZ");
  const fs::path parent = fs::is_directory("/dev/shm") ? "/dev/shm" : fs::temp_directory_path();
  folder = parent / ("backlit-fuzz-" + std::to_string(::getpid()));
  std::atexit(remove_folder);
  samples = backlit::fuzz::samples();
  if (wanted)  // of other samples, no files are made
    std::erase_if(samples, [&](const auto& sample) { return !std::string(wanted).starts_with(sample.name); });
  targets = backlit::fuzz::targets(samples, folder);
  for (const auto& t : targets)
    if (wanted && t.name == wanted) target = &t;
  if (target) return 0;
  std::fprintf(stderr, "Set BACKLIT_FUZZ to one of these:\n");
  for (const auto& t : targets) std::printf("%s\n", t.name.c_str());
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  backlit::fuzz::read_damaged(*target, folder, std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
