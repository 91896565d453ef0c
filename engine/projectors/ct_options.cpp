#include <backlit/projectors/ct_options.hpp>

#include <array>

#include "core/find_name.hpp"

namespace backlit {
namespace {

constexpr std::array precisions{"exact", "fast", "half"};
constexpr std::array packings{"auto", "none", "slices", "orbit"};

}  // namespace

const char* name(Precision p) { return precisions[static_cast<std::size_t>(p)]; }
const char* name(Packing p) { return packings[static_cast<std::size_t>(p)]; }
Precision precision_from(const std::string& n) { return find_name<Precision>(precisions, n, "precision"); }
Packing packing_from(const std::string& n) { return find_name<Packing>(packings, n, "packing"); }

}  // namespace backlit
