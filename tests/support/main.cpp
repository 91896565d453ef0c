#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

// Read by the sanitizers' run time, where it is linked. libhdf5 asks for what damaged files claim, and takes no for an
// answer; on some of its error paths it forgets a few hundred bytes.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }
