#include <backlit/projectors/ct_options.hpp>

#include <array>

#include <backlit/core/find_name.hpp>

namespace backlit {
namespace {

constexpr std::array models{"voxel_driven",  "slice_interpolated",  "raycast", "distance_driven",
                            "branchless_dd", "box_line_integrated", "splat"};
constexpr std::array precisions{"exact", "fast", "half"};
constexpr std::array packings{"auto", "none", "slices", "orbit"};

}  // namespace

const char* name(Model m) { return models[static_cast<std::size_t>(m)]; }
const char* name(Precision p) { return precisions[static_cast<std::size_t>(p)]; }
const char* name(Packing p) { return packings[static_cast<std::size_t>(p)]; }
Model model_from(const std::string& n) { return find_name<Model>(models, n, "model"); }
Precision precision_from(const std::string& n) { return find_name<Precision>(precisions, n, "precision"); }
Packing packing_from(const std::string& n) { return find_name<Packing>(packings, n, "packing"); }

}  // namespace backlit
