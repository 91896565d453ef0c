#include "support/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include "support/paths.hpp"

namespace backlit::test {
namespace fs = std::filesystem;
namespace {

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void redirect(int descriptor, const fs::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(127);
  ::close(file);
}

/// Replaces this process by the program; never returns.
[[noreturn]] void become(const fs::path& folder, std::vector<std::string> words, const fs::path& log) {
  redirect(STDOUT_FILENO, log / "out");
  redirect(STDERR_FILENO, log / "err");
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (::chdir(folder.c_str()) != 0) ::_exit(127);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

/// True if the program catches SIGINT: it has begun, and a signal stops it in its own way.
bool catches_interrupts(pid_t child) {
  std::ifstream status("/proc/" + std::to_string(child) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("SigCgt:", 0) == 0) return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1U) != 0;
  return false;
}

bool has_ended(pid_t child) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == child;
}

/// Two signals, as `timeout` sends them: to a program and to its process group. On a machine so busy that the second
/// would come late, and count as a second wish, there is one.
void interrupt_after(pid_t child, int milliseconds) {
  while (!catches_interrupts(child) && !has_ended(child)) ::usleep(1000);
  ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
  const auto first = std::chrono::steady_clock::now();
  ::kill(child, SIGINT);
  ::usleep(5'000);
  if (std::chrono::steady_clock::now() - first < std::chrono::milliseconds(100)) ::kill(child, SIGINT);
}

}  // namespace

ProgramResult run_backlit(const fs::path& folder, const std::vector<std::string>& arguments, int interrupt_after_ms) {
  return run_program("backlit", folder, arguments, interrupt_after_ms);
}

ProgramResult run_program(const std::string& name, const fs::path& folder, const std::vector<std::string>& arguments,
                          int interrupt_after_ms) {
  std::vector<std::string> words{(program_dir() / name).string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const TemporaryFolder log;
  const auto handler = ::signal(SIGINT, SIG_DFL);  // Catch2's own, which a child has until it becomes the program
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become(folder, words, log.path());
  ::signal(SIGINT, handler);
  if (interrupt_after_ms > 0) interrupt_after(child, interrupt_after_ms);
  int status = 0;
  ::waitpid(child, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, slurp(log / "out"), slurp(log / "err")};
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "backlit-test-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace backlit::test
