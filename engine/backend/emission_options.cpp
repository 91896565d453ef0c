#include "backend/emission_options.hpp"

#include "core/find_name.hpp"

namespace backlit {
namespace {

constexpr std::array slices{"axis", "facing"};
constexpr std::array backs{"matched", "attenuated", "plain"};

}  // namespace

const char* name(EmissionOptions::Slices s) { return slices[static_cast<std::size_t>(s)]; }
const char* name(EmissionOptions::Back b) { return backs[static_cast<std::size_t>(b)]; }
EmissionOptions::Slices slices_from(const std::string& n) {
  return find_name<EmissionOptions::Slices>(slices, n, "emission slices");
}
EmissionOptions::Back back_from(const std::string& n) {
  return find_name<EmissionOptions::Back>(backs, n, "emission back");
}

}  // namespace backlit
