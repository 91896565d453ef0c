// Registers the variants of studies in a test program before its tests run.
#include "study/variants/register.hpp"

namespace backlit {
namespace {

[[maybe_unused]] const bool registered = (register_studied_variants(), true);

}  // namespace
}  // namespace backlit
