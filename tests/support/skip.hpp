// A test that cannot run prints the reason and counts as skipped (CTest reads the word), not as passed.
#pragma once

#include <iostream>

#define BACKLIT_SKIP(reason)                           \
  do {                                                 \
    std::cout << "SKIPPED: " << (reason) << std::endl; \
    return;                                            \
  } while (false)
