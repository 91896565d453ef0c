// Names of the backprojection variants on the graphics pipeline.
#include <algorithm>
#include <charconv>

#include "gl/variant_text.hpp"
#include "study/variants/gl_variants.hpp"

namespace backlit::gl {
namespace {

using V = BackprojectionVariant;

constexpr std::array draws{"slices", "compute"};
constexpr std::array transforms{"vertex", "fragment"};
constexpr std::array accumulations{"ping_pong", "blend", "loop", "load"};
constexpr std::array targets{"layered", "slice", "image"};
constexpr std::array kills{"none", "stencil", "early_z"};
constexpr std::array interpolations{"linear", "nearest"};
constexpr std::array texels{"r32f", "r16f", "rgba32f", "rgba16f"};
constexpr std::int64_t most_views = 64;

std::int64_t view_count(const std::string& value) {
  std::int64_t n = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, n);
  if (error != std::errc() || stop != end || n < 0 || n > most_views)
    throw InputError("variant", fmt::format("views '{}' is not a number of views a pass", value),
                     fmt::format("choose 1 to {}, or 0 for the best known", most_views));
  return n;
}

}  // namespace

BackprojectionVariant parse_backprojection(const std::string& text) {
  V v;
  bool drawn_keys = false, accumulation = false, draw = false;
  for_items(text, [&](const std::string& key, const std::string& value) {
    if (key == "draw")
      v.draw = find_value<V::Draw>(draws, key, value);
    else if (key == "transform")
      v.transform = find_value<V::Transform>(transforms, key, value);
    else if (key == "accumulate")
      v.accumulate = find_value<V::Accumulate>(accumulations, key, value);
    else if (key == "target")
      v.target = find_value<V::Target>(targets, key, value);
    else if (key == "kill")
      v.kill = find_value<V::Kill>(kills, key, value);
    else if (key == "interpolation")
      v.interpolation = find_value<V::Interpolation>(interpolations, key, value);
    else if (key == "texel")
      v.texel = texels[find_value<std::size_t>(texels, key, value)];
    else if (key == "views")
      v.views = view_count(value);
    else
      throw InputError("variant", fmt::format("unknown key '{}'", key),
                       "there are draw, transform, accumulate, target, kill, interpolation, texel and views");
    drawn_keys |= key == "transform" || key == "accumulate" || key == "target" || key == "views";
    accumulation |= key == "accumulate";
    draw |= key == "draw";
    v.unpacked |= (drawn_keys && key != "draw") || (key == "texel" && !value.starts_with("rgba"));
  });
  if (v.target == V::Target::image && !accumulation) v.accumulate = V::Accumulate::load;
  if (!draw && (drawn_keys || v.kill != V::Kill::none)) v.draw = V::Draw::slices;
  if (v.draw == V::Draw::compute && drawn_keys)
    throw InputError("variant", "draw=compute has no transform, accumulate, target or views", "leave them out");
  return v;
}

std::vector<CtOptions> backprojection_variants() {
  std::vector<CtOptions> all;
  const auto add = [&](Precision precision, Packing packing, const char* text) {
    all.push_back({Model::voxel_driven, precision, packing, Weighting::fdk, text});
  };
  for (const char* text :
       {"draw=slices", "views=1", "views=8", "views=64", "transform=fragment", "accumulate=ping_pong",
        "transform=fragment,accumulate=loop", "target=slice", "target=image", "kill=stencil", "kill=early_z",
        "draw=slices,interpolation=nearest", "draw=compute", "draw=compute,interpolation=nearest"})
    add(Precision::fast, Packing::none, text);
  for (Precision precision : {Precision::exact, Precision::half})
    for (const char* text : {"draw=slices", "draw=compute"}) add(precision, Packing::none, text);
  for (const char* text :
       {"draw=slices", "transform=fragment,accumulate=loop", "target=image", "kill=early_z", "draw=compute"})
    add(Precision::fast, Packing::slices, text);
  for (const char* text : {"draw=slices", "draw=compute"}) add(Precision::half, Packing::slices, text);
  for (Precision precision : {Precision::fast, Precision::half})
    for (const char* text : {"draw=slices", "transform=fragment", "transform=fragment,accumulate=loop", "kill=stencil",
                             "kill=early_z", "draw=slices,interpolation=nearest", "draw=compute"})
      add(precision, Packing::orbit, text);
  return all;
}

}  // namespace backlit::gl
