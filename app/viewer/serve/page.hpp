// The page for browsers: page.html, embedded at build time.
#pragma once

#include <string_view>

namespace backlit::viewer::serve {

extern const std::string_view page;

}  // namespace backlit::viewer::serve
