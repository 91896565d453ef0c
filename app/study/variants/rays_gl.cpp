// Names of the projection variants on the graphics pipeline.
#include "gl/variant_text.hpp"
#include "study/variants/gl_variants.hpp"

namespace backlit::gl {
namespace {

using V = ProjectionVariant;
using enum Precision;

constexpr std::array draws{"rays", "slices", "compute", "best"};
constexpr std::array fetches{"texture3d", "slices", "best"};
constexpr std::array accumulations{"blend", "ping_pong"};
constexpr std::array stacks{"ray", "view"};

void refuse(bool wrong, const std::string& problem, const char* remedy) {
  if (wrong) throw Unsupported("variant", problem, remedy);
}

/// Checks for values that exclude each other, and for values that the model lacks.
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

/// Combinations of every text with every precision.
struct Group {
  std::vector<Precision> precisions;
  Packing packing;
  std::vector<const char*> texts;
};

std::vector<CtOptions> variants_of(Model model, const std::vector<Group>& groups) {
  std::vector<CtOptions> all;
  for (const Group& group : groups)
    for (const Precision precision : group.precisions)
      for (const char* text : group.texts) all.push_back({model, precision, group.packing, Weighting::none, text});
  return all;
}

}  // namespace

ProjectionVariant parse_projection(const CtOptions& o) {
  V v;
  for_items(o.variant, [&](const std::string& key, const std::string& value) {
    if (key == "draw")
      v.draw = find_value<V::Draw>(draws, key, value);
    else if (key == "fetch")
      v.fetch = find_value<V::Fetch>(fetches, key, value);
    else if (key == "accumulate")
      v.accumulate = find_value<V::Accumulate>(accumulations, key, value);
    else if (key == "stack")
      v.stack = find_value<std::size_t>(stacks, key, value) == 0 ? StackChoice::ray : StackChoice::view;
    else
      throw InputError("variant", fmt::format("unknown key '{}'", key), "there are draw, fetch, accumulate and stack");
  });
  if (v.accumulate == V::Accumulate::ping_pong && v.draw == V::Draw::best) v.draw = V::Draw::rays;
  check(v, o);
  return v;
}

std::vector<CtOptions> joseph_variants() {
  const std::vector<const char*> drawn{"draw=compute", "draw=rays", "draw=slices"},
      ping_pong{"draw=rays,accumulate=ping_pong", "draw=slices,accumulate=ping_pong"},
      by_view{"draw=compute,stack=view", "draw=rays,stack=view", "draw=slices,stack=view"};
  return variants_of(Model::joseph, {{{exact, fast, half}, Packing::none, drawn},
                                     {{exact, fast, half}, Packing::none, ping_pong},
                                     {{exact, fast, half}, Packing::none, by_view},
                                     {{exact, fast, half}, Packing::slices, drawn},
                                     {{exact, fast, half}, Packing::slices, {"draw=compute,stack=view"}},
                                     {{fast, half}, Packing::orbit, drawn},
                                     {{fast, half}, Packing::orbit, ping_pong}});
}

std::vector<CtOptions> siddon_variants() {
  return variants_of(Model::siddon,
                     {{{fast}, Packing::none, {"draw=compute", "draw=rays", "draw=slices"}},
                      {{fast}, Packing::none, {"draw=rays,accumulate=ping_pong", "draw=slices,accumulate=ping_pong"}}});
}

std::vector<CtOptions> raycast_variants() {
  return variants_of(Model::raycast,
                     {{{exact, fast, half}, Packing::none, {"draw=compute", "draw=rays"}},
                      {{fast}, Packing::none, {"draw=compute,fetch=slices", "draw=rays,fetch=slices"}}});
}

std::vector<CtOptions> blob_variants() {
  return variants_of(Model::blob, {{{fast}, Packing::none, {"draw=compute", "draw=rays", "draw=slices"}}});
}

}  // namespace backlit::gl
