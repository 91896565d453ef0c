#include "projectors/shared/gl/projection_variant.hpp"

#include "projectors/shared/gl/variant_text.hpp"

namespace backlit::gl {
namespace {

using V = ProjectionVariant;

constexpr std::array draws{"rays", "slices", "compute", "best"};
constexpr std::array fetches{"texture3d", "slices", "best"};
constexpr std::array accumulations{"blend", "ping_pong"};
constexpr std::array stacks{"ray", "view"};

void refuse(bool wrong, const std::string& problem, const char* remedy) {
  if (wrong) throw Unsupported("variant", problem, remedy);
}

/// Values that exclude each other, and what only some models have.
void check(const V& v, const CtOptions& o) {
  const bool raycast = o.model == Model::raycast, splat = o.model == Model::blob;
  const std::string model = fmt::format(" with model {}", backlit::name(o.model));
  const bool ping_pong = v.accumulate == V::Accumulate::ping_pong;
  refuse(ping_pong && v.draw == V::Draw::compute, "draw=compute adds in place, without a ping-pong",
         "use draw=rays or draw=slices, or leave accumulate out");
  refuse(ping_pong && (raycast || splat), "accumulate=ping_pong does not go" + model, "leave it out, or choose joseph");
  refuse(v.draw == V::Draw::slices && raycast, "draw=slices does not go" + model,
         "use draw=rays or draw=compute, or choose joseph");
  refuse(v.fetch != V::Fetch::best && !raycast, "fetch is raycast's and does not go" + model, "leave it out");
  refuse(v.fetch == V::Fetch::texture3d && o.precision == Precision::exact,
         "precision exact interpolates in software, which fetch=texture3d leaves to hardware",
         "use fetch=slices or --precision fast");
  if (o.precision == Precision::half && (splat || (raycast && v.fetch == V::Fetch::slices)))
    throw Unsupported("precision half",
                      fmt::format("{} looks at volumes as they are, in fp32", splat ? "blob" : "fetch=slices"),
                      "use --precision fast");
  refuse(v.stack == V::Stack::view && o.model != Model::joseph, "stack=view does not go" + model,
         "leave it out, or choose joseph");
}

}  // namespace

std::string ProjectionVariant::name() const {
  std::string text = fmt::format("draw={}", draws[static_cast<std::size_t>(draw)]);
  if (accumulate == Accumulate::ping_pong) text += ",accumulate=ping_pong";
  if (fetch != Fetch::best) text += fmt::format(",fetch={}", fetches[static_cast<std::size_t>(fetch)]);
  if (stack != Stack::ray) text += fmt::format(",stack={}", stacks[static_cast<std::size_t>(stack)]);
  return text;
}

ProjectionVariant ProjectionVariant::parse(const CtOptions& o) {
  ProjectionVariant v;
  for_items(o.variant, [&](const std::string& key, const std::string& value) {
    if (key == "draw")
      v.draw = find_value<Draw>(draws, key, value);
    else if (key == "fetch")
      v.fetch = find_value<Fetch>(fetches, key, value);
    else if (key == "accumulate")
      v.accumulate = find_value<Accumulate>(accumulations, key, value);
    else if (key == "stack")
      v.stack = find_value<Stack>(stacks, key, value);
    else
      throw InputError("variant", fmt::format("unknown key '{}'", key), "there are draw, fetch, accumulate and stack");
  });
  if (v.accumulate == Accumulate::ping_pong && v.draw == Draw::best) v.draw = Draw::rays;
  check(v, o);
  if (o.model == Model::raycast && v.fetch == Fetch::best)
    v.fetch = o.precision == Precision::exact ? Fetch::slices : Fetch::texture3d;
  return v;
}

bool ProjectionVariant::names_ray_stacks(const std::string& variant) {
  bool named = false;
  for_items(variant,
            [&](const std::string& key, const std::string& value) { named |= key == "stack" && value == "ray"; });
  return named;
}

std::vector<CtOptions> variants_of(Model model, std::initializer_list<VariantGroup> groups) {
  std::vector<CtOptions> all;
  for (const VariantGroup& group : groups)
    for (const Precision precision : group.precisions)
      for (const char* text : group.texts) all.push_back({model, precision, group.packing, Weighting::none, text});
  return all;
}

}  // namespace backlit::gl
