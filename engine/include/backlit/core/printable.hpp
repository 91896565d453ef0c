// Makes text from files and from the network safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace backlit {

/// `text` with '?' in place of control characters, except line ends and tabs. Names in files must not move a terminal's
/// cursor, set its title or cut off a message.
std::string printable(std::string_view text);

/// Never throws.
void write_to_standard_error(std::string_view text) noexcept;
/// For the beginning of main(). Standard streams that are closed are connected to /dev/null, read-only: writes to them
/// fail, and a file opened later cannot take their place.
void keep_standard_streams() noexcept;

}  // namespace backlit
