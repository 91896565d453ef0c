#if defined(BACKLIT_HAVE_ZMQ)
#include "stream/peers.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace backlit::stream {
namespace {

constexpr const char* address = "inproc://peers";

std::int64_t received(int peer) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(peer, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  const bool told = size >= offsetof(tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received;
  return told ? static_cast<std::int64_t>(info.tcpi_bytes_received) : 0;
}

}  // namespace

Peers::Peers(zmq::context_t& context, zmq::socket_t& listening) : events_(context, zmq::socket_type::pair) {
  if (zmq_socket_monitor(listening.handle(), address, ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED) != 0)
    throw zmq::error_t();
  events_.set(zmq::sockopt::linger, 0);
  events_.set(zmq::sockopt::rcvhwm, 0);  // unlimited: otherwise the network thread would wait for this one
  events_.connect(address);
}

int Peers::sender_of(const zmq::message_t& message) {
  const char* text = zmq_msg_gets(message.handle(), "__fd");
  return text ? std::atoi(text) : -1;
}

void Peers::update() {
  zmq::message_t event, where;
  while (events_.recv(event, zmq::recv_flags::dontwait) && events_.recv(where, zmq::recv_flags::dontwait)) {
    std::uint16_t kind = 0;
    std::int32_t peer = -1;
    if (event.size() < sizeof kind + sizeof peer) continue;
    std::memcpy(&kind, event.data(), sizeof kind);
    std::memcpy(&peer, static_cast<const std::byte*>(event.data()) + sizeof kind, sizeof peer);
    if (kind == ZMQ_EVENT_ACCEPTED) taken_[peer] = 0;
    if (kind == ZMQ_EVENT_DISCONNECTED) taken_.erase(peer);
  }
}

void Peers::add_taken(int peer, std::int64_t bytes) {
  const auto found = taken_.find(peer);
  // `bytes` includes an estimate of the overhead: the sum must not exceed the bytes received.
  if (found != taken_.end()) found->second = std::min(found->second + bytes, received(peer));
}

std::int64_t Peers::waiting(int peer) const {
  const auto found = taken_.find(peer);
  return found == taken_.end() ? 0 : std::max<std::int64_t>(0, received(peer) - found->second);
}

Peers::Strangers Peers::strangers(int besides) const {
  Strangers all;
  std::int64_t most = -1;
  for (const auto& [peer, taken] : taken_) {
    if (peer == besides) continue;
    const std::int64_t bytes = waiting(peer);
    all.bytes += bytes;
    if (bytes > most) {
      most = bytes;
      all.largest = peer;
    }
  }
  return all;
}

void Peers::drop(int peer) {
  if (connected(peer)) ::shutdown(peer, SHUT_RDWR);
}

}  // namespace backlit::stream
#endif
