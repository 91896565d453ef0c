// Style and script of the report's page.
#pragma once

namespace backlit::report {

extern const char* const page_style;   ///< CSS
extern const char* const page_script;  ///< sorts tables; without "<" and "&", so that the page is XML too

}  // namespace backlit::report
