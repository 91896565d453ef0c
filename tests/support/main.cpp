#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

// Called by the sanitizers' run time if it is linked. libhdf5 tries to allocate the sizes that damaged files claim and
// handles the failure. On some of its error paths it leaks a few hundred bytes.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }
