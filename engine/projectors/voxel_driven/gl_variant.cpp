#include "projectors/voxel_driven/gl_variant.hpp"

#include <algorithm>
#include <charconv>

#include "projectors/shared/gl/variant_text.hpp"

namespace backlit::gl {
namespace {

constexpr std::array draws{"slices", "compute"};
constexpr std::array transforms{"vertex", "fragment"};
constexpr std::array accumulations{"ping_pong", "blend", "loop", "load"};
constexpr std::array targets{"layered", "slice", "image"};
constexpr std::array kills{"none", "stencil", "early_z"};
constexpr std::array interpolations{"linear", "nearest"};
constexpr std::array texels{"r32f", "r16f", "rgba32f", "rgba16f"};
constexpr std::int64_t most_views = 64, course_views = 8;

template <std::size_t N, class Enum>
const char* text_of(const std::array<const char*, N>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

std::int64_t view_count(const std::string& value) {
  std::int64_t n = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, n);
  if (error != std::errc() || stop != end || n < 0 || n > most_views)
    throw InputError("variant", fmt::format("views '{}' is no number of views a pass", value),
                     fmt::format("choose 1 to {}, or 0 for the best known", most_views));
  return n;
}

void refuse(bool wrong, const char* problem, const char* remedy) {
  if (wrong) throw InputError("variant", problem, remedy);
}

/// Values that exclude each other.
void check(const BackprojectionVariant& v) {
  using V = BackprojectionVariant;
  refuse(v.draw == V::Draw::compute && v.kill != V::Kill::none, "draw=compute has no fragments to kill",
         "use draw=slices or kill=none");
  refuse(v.accumulate == V::Accumulate::loop && v.transform == V::Transform::vertex,
         "accumulate=loop has no varyings to loop over", "add transform=fragment");
  refuse(v.accumulate == V::Accumulate::load && v.target != V::Target::image,
         "accumulate=load reads what it writes, which only images can", "add target=image");
  refuse(v.accumulate == V::Accumulate::blend && v.target == V::Target::image,
         "target=image stores past the blend unit", "use accumulate=load or loop");
  refuse(v.accumulate == V::Accumulate::ping_pong && v.target == V::Target::image,
         "target=image reads and writes one volume", "use accumulate=load or loop");
  refuse(v.accumulate == V::Accumulate::ping_pong && v.kill != V::Kill::none,
         "fragments that are killed carry nothing from one volume of the ping-pong to the other",
         "use accumulate=blend or loop");
}

std::string texel_of(Precision precision, bool orbit) {
  return std::string(orbit ? "rgba" : "r") + (precision == Precision::half ? "16f" : "32f");
}

}  // namespace

std::string BackprojectionVariant::name() const {
  if (draw == Draw::compute)
    return fmt::format("texel={},draw=compute,interpolation={}", texel, text_of(interpolations, interpolation));
  std::string text =
      fmt::format("texel={},draw=slices,transform={},accumulate={},target={},kill={},interpolation={}", texel,
                  text_of(transforms, transform), text_of(accumulations, accumulate), text_of(targets, target),
                  text_of(kills, kill), text_of(interpolations, interpolation));
  if (accumulate != Accumulate::loop)
    text += fmt::format(",views={}{}", views, views == course_views ? "(course)" : "");
  return text;
}

BackprojectionVariant BackprojectionVariant::parse(const std::string& text, Precision precision, bool orbit,
                                                   Draw usual) {
  BackprojectionVariant v;
  bool drawn_keys = false, accumulation = false, draw = false;
  for_items(text, [&](const std::string& key, const std::string& value) {
    if (key == "draw")
      v.draw = find_value<Draw>(draws, key, value);
    else if (key == "transform")
      v.transform = find_value<Transform>(transforms, key, value);
    else if (key == "accumulate")
      v.accumulate = find_value<Accumulate>(accumulations, key, value);
    else if (key == "target")
      v.target = find_value<Target>(targets, key, value);
    else if (key == "kill")
      v.kill = find_value<Kill>(kills, key, value);
    else if (key == "interpolation")
      v.interpolation = find_value<Interpolation>(interpolations, key, value);
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
  });
  if (v.target == Target::image && !accumulation) v.accumulate = Accumulate::load;
  if (!draw) v.draw = drawn_keys || v.kill != Kill::none ? Draw::slices : usual;
  refuse(v.draw == Draw::compute && drawn_keys, "draw=compute has no transform, accumulate, target or views",
         "leave them out");
  check(v);
  const std::string texel = texel_of(precision, orbit);
  if (!v.texel.empty() && v.texel != texel)
    throw InputError("variant",
                     fmt::format("texel={} is not what precision {} stores {}", v.texel, backlit::name(precision),
                                 orbit ? "packed by quarter turns" : "of single views"),
                     fmt::format("that is {}; precision half stores 16 bits, packing orbit rgba", texel));
  v.texel = texel;
  if (orbit && v.views % 4 != 0)
    throw InputError("variant", fmt::format("views={} is no number of whole groups of four views", v.views),
                     fmt::format("with packing orbit choose {} or {}", v.views / 4 * 4 + 4,
                                 std::max<std::int64_t>(4, v.views / 4 * 4)));
  if (orbit)
    refuse((v.accumulate != Accumulate::blend && v.accumulate != Accumulate::loop) || v.target != Target::layered,
           "packing orbit draws with accumulate=blend or loop and target=layered only", "use --packing none");
  return v;
}

bool BackprojectionVariant::names_unpacked(const std::string& text) {
  bool found = false;
  for_items(text, [&](const std::string& key, const std::string& value) {
    found |= key == "transform" || key == "accumulate" || key == "target" || key == "views" ||
             (key == "texel" && !value.starts_with("rgba"));
  });
  return found;
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
