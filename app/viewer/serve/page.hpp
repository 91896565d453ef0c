// The page that browsers get: page.html, embedded when the program is built.
#pragma once

#include <string_view>

namespace backlit::viewer::serve {

extern const std::string_view page;

}  // namespace backlit::viewer::serve
