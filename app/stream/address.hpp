// Where views are sent and received: which addresses may be used, and which need a key.
#pragma once

#include <filesystem>
#include <string>

namespace backlit::stream {

/// Whether `from` is an address ("tcp://...") and not a folder.
bool is_address(const std::string& from);
/// Whether only programs of this machine reach it: ipc://, and tcp:// with the host 127.0.0.1, localhost or [::1].
bool is_local(const std::string& address);
/// Throws InputError for anything but tcp:// and ipc://.
void check_address(const std::string& address);
/// As check_address(); refuses an ipc:// path at which there is anything, since binding would delete it.
void check_address_to_listen_at(const std::string& address);
/// Takes away the socket that listening at an ipc:// path has left; ZeroMQ does not.
void remove_socket_file(const std::string& address);

/// $XDG_CONFIG_HOME/backlit, or ~/.config/backlit; not made.
std::filesystem::path config_folder();
/// The key that both ends of a network connection have, unless another is named: config_folder()/stream.key.
std::filesystem::path key_file();
/// The key in a file: 40 characters, of CURVE in Z85. Throws InputError when there is none.
std::string read_key(const std::filesystem::path&);
/// The same; makes the file, for this user alone, when there is none.
std::string read_or_make_key(const std::filesystem::path&);
/// The half of the key that CURVE calls public.
std::string public_half(const std::string& key);

}  // namespace backlit::stream
