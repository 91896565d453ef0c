#include "stream/address.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <backlit/core/error.hpp>
#if defined(BACKLIT_HAVE_ZMQ)
#include <zmq.h>
#endif

namespace backlit::stream {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view tcp = "tcp://", ipc = "ipc://";
constexpr std::size_t key_length = 40;

#if defined(BACKLIT_HAVE_ZMQ)
std::string new_key() {
  std::array<char, key_length + 1> open{}, secret{};
  if (zmq_curve_keypair(open.data(), secret.data()) != 0)
    throw Failure("stream key", "this ZeroMQ was built without encryption", "use tcp://127.0.0.1:PORT");
  return secret.data();
}
#else
std::string new_key() { return {}; }
#endif

void write_new_key(const fs::path& file) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  const std::string text = new_key() + "\n";
  const int out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const bool written = out >= 0 && ::write(out, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int reason = errno;
  if (out >= 0) ::close(out);
  if (!written) throw Failure(file.string(), fmt::format("the key could not be written: {}", std::strerror(reason)));
}

}  // namespace

bool is_address(const std::string& from) { return from.find("://") != std::string::npos; }

bool is_local(const std::string& address) {
  if (address.starts_with(ipc)) return true;
  if (!address.starts_with(tcp)) return false;
  const std::string host = address.substr(tcp.size(), address.rfind(':') - tcp.size());
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

void check_address(const std::string& address) {
  if (!address.starts_with(tcp) && !address.starts_with(ipc))
    throw InputError(address, "not an address for views", "write tcp://127.0.0.1:5555, say");
}

void check_address_to_listen_at(const std::string& address) {
  check_address(address);
  if (!address.starts_with(ipc)) return;
  std::error_code error;
  if (fs::symlink_status(address.substr(ipc.size()), error).type() != fs::file_type::not_found)
    throw InputError(address, "there is a file of this name already", "name one that does not exist");
}

void remove_socket_file(const std::string& address) {
  if (!address.starts_with(ipc)) return;
  std::error_code error;
  const fs::path path = address.substr(ipc.size());
  if (fs::symlink_status(path, error).type() == fs::file_type::socket) fs::remove(path, error);
}

fs::path config_folder() {
  const char* xdg = std::getenv("XDG_CONFIG_HOME");
  if (xdg && *xdg) return fs::path(xdg) / "backlit";
  const char* home = std::getenv("HOME");
  return fs::path(home && *home ? home : ".") / ".config/backlit";
}

fs::path key_file() { return config_folder() / "stream.key"; }

std::string read_key(const fs::path& file) {
  std::error_code error;
  std::string key;
  if (fs::is_regular_file(file, error)) std::ifstream(file) >> key;
  if (key.size() != key_length || public_half(key).empty())
    throw InputError(file.string(), "contains no key", "copy the file that backlit-view made when it listened");
  return key;
}

std::string read_or_make_key(const fs::path& file) {
  std::error_code error;
  if (fs::symlink_status(file, error).type() == fs::file_type::not_found) write_new_key(file);
  return read_key(file);
}

std::string public_half(const std::string& key) {
  std::array<char, key_length + 1> half{};
#if defined(BACKLIT_HAVE_ZMQ)
  if (zmq_curve_public(half.data(), key.c_str()) != 0) return {};
#endif
  return half.data();
}

}  // namespace backlit::stream
