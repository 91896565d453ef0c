// Senders that try to fill the viewer's memory: endless parts, messages of many parts.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "stream/message.hpp"
#include "stream/socket.hpp"
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::stream;
using Catch::Contains;

namespace {

/// Implements ZeroMQ's protocol (ZMTP 3.0, without a key): the library would not send such messages.
class RudeSender {
 public:
  explicit RudeSender(const std::string& endpoint) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
    std::string greeting("\xff\0\0\0\0\0\0\0\1\x7f\3\0NULL", 16);
    greeting.resize(64);
    const std::string ready("\5READY\x0bSocket-Type\0\0\0\4PUSH", 26);
    send(greeting + "\4" + static_cast<char>(ready.size()) + ready);
    receive(64);  // its greeting and its READY
    receive(static_cast<unsigned char>(receive(2)[1]));
  }
  ~RudeSender() { ::close(socket_); }
  RudeSender(const RudeSender&) = delete;

  /// False after the other end has closed the connection.
  bool part(const std::string& bytes, bool more) {
    std::string frame(1, more ? '\3' : '\2');
    for (int shift = 56; shift >= 0; shift -= 8) frame += static_cast<char>(bytes.size() >> shift & 0xff);
    return send(frame + bytes);
  }

 private:
  bool send(const std::string& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t sent = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
      if (sent <= 0) return false;
      done += static_cast<std::size_t>(sent);
    }
    return true;
  }
  std::string receive(std::size_t bytes) {
    std::string text(bytes, '\0');
    REQUIRE(::recv(socket_, text.data(), bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes));
    return text;
  }
  int socket_;
};

/// Notes of the feed within some seconds; calls `meanwhile` between two polls.
template <class Work>
std::string said(SocketFeed& feed, Work&& meanwhile) {
  for (int i = 0; i < 10'000; ++i) {
    meanwhile();
    feed.poll();
    if (const auto notes = feed.take_notes(); !notes.empty()) return notes.front();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return "nothing";
}

}  // namespace

TEST_CASE("A message of parts without end is ended before it takes the memory") {
  if (!has_sockets()) return;
  SocketFeed feed("tcp://127.0.0.1:*");
  RudeSender rude(feed.endpoint());
  const std::string megabyte(1 << 20, 'x');
  constexpr int most = 512;
  int sent = 0;
  const std::string words = said(feed, [&] {
    if (sent < most && rude.part(megabyte, true)) ++sent;
  });
  CHECK(sent < most);
  CHECK_THAT(words, Contains("a sender is refused") && Contains("no whole message"));
  // Other senders still succeed.
  const CancelToken cancel;
  SocketSender sender(feed.endpoint(), cancel);
  sender.scan("[detector]\ncolumns = 4\nrows = 3\npixel_mm = 1.0\n[trajectory]\nkind = \"parallel\"\nviews = 3\n");
  for (int i = 0; i < 10'000 && !feed.scan(); ++i) {
    feed.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(feed.scan());
}

TEST_CASE("A message has one or two parts") {
  if (!has_sockets()) return;
  SocketFeed feed("tcp://127.0.0.1:*");
  RudeSender rude(feed.endpoint());
  for (int i = 0; i < 1000; ++i) rude.part(end_header(), i < 999);
  CHECK_THAT(said(feed, [] {}), Contains("more than two parts"));
  CHECK_FALSE(feed.ended());
}
