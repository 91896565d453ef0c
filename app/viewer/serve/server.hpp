// Serves the page and talks with it: HTTP and WebSocket on a thread of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "serve/address.hpp"
#include "serve/area.hpp"
#include "serve/messages.hpp"

namespace backlit::viewer::serve {

/// Called on the server's thread.
struct Handlers {
  std::function<void(Message)> steered;                   ///< what the one who steers did
  std::function<void(std::vector<std::string>)> dropped;  ///< files that it dropped, in a folder of ours
  std::function<void(bool)> watched;                      ///< whether anybody looks
};

class Server {
 public:
  /// Listens from here on. Throws InputError where the address cannot be had.
  Server(const Address&, Handlers);
  ~Server();

  const Address& address() const;  ///< with the port that was given
  /// A browser reaches it there: with the token, and the address or name by which it is known.
  std::string url(const Address& as) const;
  void show(std::shared_ptr<const Picture>);
  /// JSON for all browsers; `kept`: and, as the newest of its kind, for all who come.
  void tell(const std::string& kind, const std::string& json, bool kept);

 private:
  class Network;
  std::unique_ptr<Network> network_;
};

}  // namespace backlit::viewer::serve
