// Tracks the peers of a listening ZeroMQ socket, and the bytes that each has sent but nobody has received yet.
#pragma once

#include <cstdint>
#include <map>
#include <zmq.hpp>

namespace backlit::stream {

/// ZeroMQ delivers a message only when its last part has arrived. Endless parts, or many waiting messages, therefore
/// show only in the bytes that the connection has received. A peer is identified by the file descriptor of its
/// connection.
class Peers {
 public:
  /// Construct this before `listening` is bound.
  explicit Peers(zmq::context_t&, zmq::socket_t& listening);

  /// The connection over which a message came.
  static int sender_of(const zmq::message_t&);
  /// Updates the list of peers. Call it before messages of new senders are counted.
  void update();
  bool connected(int peer) const { return taken_.contains(peer); }
  void add_taken(int peer, std::int64_t bytes);
  /// Bytes received on the connection and not yet taken; 0 if the system does not report them (ipc).
  std::int64_t waiting(int peer) const;
  /// The peer with the most waiting bytes (-1: none), and the waiting bytes of all peers; both without `besides`.
  struct Strangers {
    int largest = -1;
    std::int64_t bytes = 0;
  };
  Strangers strangers(int besides) const;
  /// Closes the connection.
  void drop(int peer);

 private:
  zmq::socket_t events_;
  std::map<int, std::int64_t> taken_;
};

}  // namespace backlit::stream
