// Text from files and from the network, as it may go to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace backlit {

/// `text` with '?' in place of control characters: names in files must not move a terminal's cursor, set its title or
/// cut a message off. Line ends and tabs stay.
std::string printable(std::string_view text);

/// Never throws.
void write_to_standard_error(std::string_view text) noexcept;
/// Of the three standard streams, those that are closed fail from now on; a file that is opened later must not take
/// their place. For the beginning of main().
void keep_standard_streams() noexcept;

}  // namespace backlit
