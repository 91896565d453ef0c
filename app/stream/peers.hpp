// Who is connected to a listening ZeroMQ socket, and how much each has sent that nobody has received yet.
#pragma once

#include <cstdint>
#include <map>
#include <zmq.hpp>

namespace backlit::stream {

/// ZeroMQ hands out a message when its last part is there. Parts without end, or many messages that are waiting, are
/// seen by nobody: they show only in the bytes that the connection has received. Peers are told apart by the file
/// descriptor of their connection.
class Peers {
 public:
  /// Before `listening` is bound.
  explicit Peers(zmq::context_t&, zmq::socket_t& listening);

  /// The connection that a message came by.
  static int sender_of(const zmq::message_t&);
  /// Takes note of who has come and gone. A sender's messages come after what this takes note of.
  void update();
  bool connected(int peer) const { return taken_.contains(peer); }
  void add_taken(int peer, std::int64_t bytes);
  /// Bytes that have come and were not taken; 0 where the system does not say (ipc).
  std::int64_t waiting(int peer) const;
  /// The peer but `besides` whose waiting bytes are the most, and all of their bytes; -1 when there is none.
  struct Strangers {
    int largest = -1;
    std::int64_t bytes = 0;
  };
  Strangers strangers(int besides) const;
  /// Ends the connection.
  void drop(int peer);

 private:
  zmq::socket_t events_;
  std::map<int, std::int64_t> taken_;
};

}  // namespace backlit::stream
