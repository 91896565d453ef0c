#include "backend/ct_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "core/error.hpp"

namespace backlit {
namespace {

constexpr std::array models{"voxel_driven",  "slice_interpolated",  "raycast", "distance_driven",
                            "branchless_dd", "box_line_integrated", "splat"};
constexpr std::array precisions{"exact", "fast", "half"};
constexpr std::array packings{"auto", "none", "slices", "orbit"};

template <class Enum, std::size_t N>
Enum find(const std::array<const char*, N>& names, const std::string& name, const char* option) {
  for (std::size_t i = 0; i < N; ++i)
    if (name == names[i]) return static_cast<Enum>(i);
  throw InputError(option, fmt::format("unknown value '{}'", name),
                   fmt::format("choose one of {}", fmt::join(names, ", ")));
}

}  // namespace

const char* name(Model m) { return models[static_cast<std::size_t>(m)]; }
const char* name(Precision p) { return precisions[static_cast<std::size_t>(p)]; }
const char* name(Packing p) { return packings[static_cast<std::size_t>(p)]; }
Model model_from(const std::string& n) { return find<Model>(models, n, "model"); }
Precision precision_from(const std::string& n) { return find<Precision>(precisions, n, "precision"); }
Packing packing_from(const std::string& n) { return find<Packing>(packings, n, "packing"); }

}  // namespace backlit
