#include "viewer/browser.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <backlit/render/png.hpp>
#include "support/paths.hpp"
#include "support/program.hpp"

namespace backlit::test {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::uint64_t little(const std::string& bytes, std::size_t at, int count) {
  std::uint64_t value = 0;
  for (int i = count; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  return value;
}

std::uint64_t big(const std::string& bytes, std::size_t at, int count) {
  std::uint64_t value = 0;
  for (int i = 0; i < count; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  return value;
}

}  // namespace

ServedViewer::ServedViewer(const fs::path& folder, const std::vector<std::string>& arguments) : folder_(folder) {
  std::vector<std::string> words{(program_dir() / "backlit-view").string(), "--serve", "0"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  child_ = ::fork();
  if (child_ < 0) throw std::runtime_error("fork failed");
  if (child_ == 0) {
    for (const auto& [descriptor, name] : {std::pair(STDOUT_FILENO, "out"), std::pair(STDERR_FILENO, "err")}) {
      const int file = ::open((folder / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(127);
    }
    ::setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    if (::chdir(folder.c_str()) != 0) ::_exit(127);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  for (int i = 0; i < 6000; ++i) {  // ten minutes, for slow machines
    const std::string said = out();
    const std::size_t at = said.find("/?token=");
    if (const std::size_t end = said.find('\n', at); at != std::string::npos && end != std::string::npos) {
      token_ = said.substr(at + 8, end - at - 8);
      port_ = std::stoi(said.substr(said.rfind(':', at) + 1));
      return;
    }
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0) return;
    ::usleep(100'000);
  }
}

ServedViewer::~ServedViewer() {
  if (child_ > 0) end();
}

std::string ServedViewer::out() const { return slurp(folder_ / "out"); }
std::string ServedViewer::err() const { return slurp(folder_ / "err"); }

double ServedViewer::processor_seconds() const {
  std::istringstream stat(slurp("/proc/" + std::to_string(child_) + "/stat"));
  std::string word;
  for (int field = 1; field < 14; ++field) stat >> word;  // the name, backlit-view, has no blanks
  double user = 0, system = 0;
  stat >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

int ServedViewer::end() {
  ::kill(child_, SIGTERM);
  int status = 0;
  ::waitpid(std::exchange(child_, -1), &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Socket::Socket(int port) : handle_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (handle_ < 0 || ::connect(handle_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0)
    throw std::runtime_error("no connection to backlit-view");
}

Socket::~Socket() { ::close(handle_); }

void Socket::send(const std::string& bytes) const {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t n = ::send(handle_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (n <= 0) return;  // refused while sending: the answer gives the reason
    at += static_cast<std::size_t>(n);
  }
}

std::string Socket::receive(double seconds) {
  pollfd wait{handle_, POLLIN, 0};
  if (ended_ || ::poll(&wait, 1, static_cast<int>(1000 * seconds)) <= 0) return {};
  std::string bytes(1 << 16, 0);
  const ssize_t n = ::recv(handle_, bytes.data(), bytes.size(), 0);
  if (n <= 0) ended_ = true;
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(0, n)));
  return bytes;
}

std::string http_get(int port, const std::string& path, const std::string& host) {
  Socket socket(port);
  socket.send(fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", path, host));
  std::string answer;
  const auto end = Clock::now() + std::chrono::minutes(2);
  while (!socket.ended() && Clock::now() < end) answer += socket.receive(1);
  return answer;
}

int WebMessage::close_status() const { return bytes.size() >= 2 ? static_cast<int>(big(bytes, 0, 2)) : 1006; }

WebSocketClient::WebSocketClient(int port, const std::string& token, const std::string& origin) : socket_(port) {
  socket_.send(
      fmt::format("GET /?token={} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                  "Sec-WebSocket-Protocol: backlit\r\n{}\r\n",
                  token, port, origin.empty() ? "" : "Origin: " + origin + "\r\n"));
  const auto end = Clock::now() + std::chrono::minutes(2);
  while (buffer_.find("\r\n\r\n") == std::string::npos && !socket_.ended() && Clock::now() < end)
    buffer_ += socket_.receive(1);
  const std::size_t head = std::min(buffer_.size(), buffer_.find("\r\n\r\n") + 4);
  answer_ = buffer_.substr(0, head);
  buffer_.erase(0, head);
}

/// RFC 6455 defines the answer to this key.
bool WebSocketClient::open() const {
  return answer_.starts_with("HTTP/1.1 101") && answer_.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") != std::string::npos;
}

void WebSocketClient::send_frame(int kind, const std::string& payload) const {
  std::string frame(1, static_cast<char>(0x80 | kind));
  const auto append = [&](std::uint64_t value, int count) {
    for (int i = count; i-- > 0;) frame += static_cast<char>(value >> (8 * i));
  };
  if (payload.size() < 126) {
    append(0x80 | payload.size(), 1);
  } else if (payload.size() < 65536) {
    append(0x80 | 126, 1);
    append(payload.size(), 2);
  } else {
    append(0x80 | 127, 1);
    append(payload.size(), 8);
  }
  const char mask[] = {0x12, 0x34, 0x56, 0x78};
  frame.append(mask, 4);
  for (std::size_t i = 0; i < payload.size(); ++i) frame += static_cast<char>(payload[i] ^ mask[i % 4]);
  socket_.send(frame);
}

std::optional<WebMessage> WebSocketClient::receive(double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  WebMessage message;
  for (;;) {
    std::size_t head = 2, length = buffer_.size() < 2 ? 0 : static_cast<unsigned char>(buffer_[1]) & 127;
    const int wide = length == 126 ? 2 : length == 127 ? 8 : 0;
    head += static_cast<std::size_t>(wide);
    if (wide > 0 && buffer_.size() >= head) length = big(buffer_, 2, wide);
    if (buffer_.size() >= head && buffer_.size() - head >= length) {
      const bool last = buffer_[0] & 0x80;
      if (const int kind = buffer_[0] & 15; kind != 0) message.kind = kind;
      message.bytes += buffer_.substr(head, length);
      buffer_.erase(0, head + length);
      if (message.kind == 9)  // a ping, which requires an answer
        send_frame(10, std::exchange(message, {}).bytes);
      else if (last)
        return message;
      continue;
    }
    const double left = std::chrono::duration<double>(end - Clock::now()).count();
    if (left <= 0) return std::nullopt;
    buffer_ += socket_.receive(left);
    if (socket_.ended()) return WebMessage{8, {}};
  }
}

Browser::Browser(const ServedViewer& viewer)
    : wire_(viewer.port(), viewer.token(), fmt::format("http://127.0.0.1:{}", viewer.port())) {
  if (!wire_.open()) throw std::runtime_error("no WebSocket: " + wire_.answer());
}

void Browser::resize(int width, int height) const {
  send(fmt::format(R"({{"kind":"resize","width":{},"height":{},"scale":1}})", width, height));
}
void Browser::move(double x, double y) const {
  send(fmt::format(R"({{"kind":"move","x":{},"y":{},"ctrl":false,"shift":false}})", x, y));
}
void Browser::button(double x, double y, bool down) const {
  send(fmt::format(R"({{"kind":"button","button":0,"down":{},"x":{},"y":{},"ctrl":false,"shift":false}})", down, x, y));
}
void Browser::key(const std::string& name, bool ctrl) const {
  for (const bool down : {true, false})
    send(fmt::format(R"({{"kind":"key","key":"{}","down":{},"ctrl":{},"shift":false}})", name, down, ctrl && down));
}

bool Browser::until(const std::function<bool()>& enough, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (!enough()) {
    if (closed_ != 0 || Clock::now() > end) return false;
    take(1);
  }
  return true;
}

bool Browser::settles(double rest, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < end)
    if (!take(rest)) return closed_ == 0;
  return false;
}

bool Browser::take(double seconds) {
  const auto message = wire_.receive(seconds);
  if (!message) return false;
  if (message->kind == 8) return closed_ = message->close_status(), false;
  if (message->kind == 2) return draw(message->bytes), true;
  const auto json = nlohmann::json::parse(message->bytes);
  if (json["kind"] == "role") steers_ = json["steers"];
  if (json["kind"] == "title") title_ = json["text"];
  if (json["kind"] == "clipboard") clipboard_ = json["text"];
  return true;
}

void Browser::draw(const std::string& frame) {
  ++frames_;
  const auto left = static_cast<std::int64_t>(little(frame, 4, 2)),
             top = static_cast<std::int64_t>(little(frame, 6, 2));
  const auto width = static_cast<std::int64_t>(little(frame, 8, 2)),
             height = static_cast<std::int64_t>(little(frame, 10, 2));
  if (screen_.width != width || screen_.height != height) {
    screen_.width = width;
    screen_.height = height;
    screen_.pixels.assign(static_cast<std::size_t>(width * height), {});
  }
  if (frame.compare(12, 4, "\x89PNG") == 0) {
    const TemporaryFolder folder;
    std::ofstream(folder / "part.png", std::ios::binary) << frame.substr(12);
    const Image part = load_png(folder / "part.png");
    for (std::int64_t y = 0; y < part.height; ++y)
      for (std::int64_t x = 0; x < part.width; ++x)
        screen_.pixels.at(static_cast<std::size_t>((top + y) * width + left + x)) = part.at(x, y);
  }
  send(fmt::format(R"({{"kind":"shown","number":{}}})", little(frame, 0, 4)));
}

}  // namespace backlit::test
