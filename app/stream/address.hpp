// Addresses for sending and receiving views: the valid ones, and those that need a key.
#pragma once

#include <filesystem>
#include <string>

namespace backlit::stream {

/// Whether `from` is an address ("tcp://...") rather than a folder.
bool is_address(const std::string& from);
/// Whether only programs on this machine can reach the address: ipc://, and tcp:// with host 127.0.0.1, localhost or
/// [::1].
bool is_local(const std::string& address);
/// Throws InputError unless the address begins with tcp:// or ipc://.
void check_address(const std::string& address);
/// Like check_address(). Refuses an ipc:// path that exists, since binding would delete it.
void check_address_to_listen_at(const std::string& address);
/// Removes the socket that listening at an ipc:// path left behind; ZeroMQ does not remove it.
void remove_socket_file(const std::string& address);

/// $XDG_CONFIG_HOME/backlit, or ~/.config/backlit; the folder is not created.
std::filesystem::path config_folder();
/// Default key file of both ends of a network connection: config_folder()/stream.key.
std::filesystem::path key_file();
/// Reads the key in a file: 40 characters, a CURVE key in Z85. Throws InputError if there is none.
std::string read_key(const std::filesystem::path&);
/// Like read_key(). If the file does not exist, creates it with a new key, readable by this user only.
std::string read_or_make_key(const std::filesystem::path&);
/// The public key that belongs to the secret key `key` (CURVE); empty if `key` is invalid.
std::string public_half(const std::string& key);

}  // namespace backlit::stream
