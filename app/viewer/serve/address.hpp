// Where the viewer is served, and who may come in.
#pragma once

#include <string>

namespace backlit::viewer::serve {

struct Address {
  std::string host = "127.0.0.1";
  int port = 0;  ///< 0: any that is free

  /// Whether only this machine reaches it.
  bool loopback() const;
  /// "127.0.0.1:8080"; addresses of IPv6 in brackets.
  std::string text() const;
};

/// "[ADDRESS:]PORT". Throws InputError.
Address parse_address(const std::string&);

/// 128 bits of the system's random source, as 32 hexadecimal digits. Throws Failure.
std::string random_token();
/// Takes as long for a near miss as for any other.
bool same_token(const std::string& a, const std::string& b);

/// Whether a request that names this host may be meant for `here`: on a loopback address only names of the loopback
/// are, whatever the port, so that no name of the internet can be made to point here.
bool host_allowed(const Address& here, const std::string& host);
/// Whether a page of this origin may open a connection to `host`. Programs that are no browsers send no origin.
bool origin_allowed(const std::string& origin, const std::string& host);

}  // namespace backlit::viewer::serve
