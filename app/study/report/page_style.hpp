// Looks and behaviour of the report's page.
#pragma once

namespace backlit::report {

extern const char* const page_style;   ///< CSS
extern const char* const page_script;  ///< tables that sort; without "<" and "&", so that the page is XML too

}  // namespace backlit::report
