#include <backlit/core/input_file.hpp>

#include <unistd.h>

#include <csignal>
#include <cstring>

#include <backlit/core/error.hpp>

namespace backlit {
namespace fs = std::filesystem;

namespace {

const char* program_name = "";

extern "C" void on_cut_file(int) {
  constexpr const char* text =
      ": a file in use was cut, or its disk failed; wait until it is complete, and start again\n";
  for (const char* part : {program_name, text})  // a signal handler may call write(), not streams
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  ::_exit(1);
}

}  // namespace

void exit_when_mapped_file_is_cut(const char* program) {
  program_name = program;
  std::signal(SIGBUS, on_cut_file);
}

void require_regular_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw InputError(path.string(), "a folder, not a file", "name a file");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw InputError(path.string(), "a pipe or a device, not a file", "name a file");
}

std::ifstream open_input(const fs::path& path) {
  require_regular_file(path);
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path.empty() ? "''" : path.string(), "no such file, or it cannot be read");
  return in;
}

}  // namespace backlit
