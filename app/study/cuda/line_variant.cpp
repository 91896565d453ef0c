#include "study/cuda/line_variant.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>
#include <sstream>

#include <backlit/core/error.hpp>

namespace backlit::cuda {
namespace {

using Word = std::function<void(LineVariant&)>;

const std::map<std::string, Word>& words() {
  static const std::map<std::string, Word> known = [] {
    using Body = LineVariant::Body;
    std::map<std::string, Word> w{
        {"gaussian", [](LineVariant& v) { v.gaussian = true; }},
        {"table", [](LineVariant& v) { v.table = true; }},
        {"looped", [](LineVariant& v) { v.looped = true; }},
        {"precise", [](LineVariant& v) { v.precise = true; }},
        {"racy", [](LineVariant& v) { v.racy = true; }},
        {"half", [](LineVariant& v) { v.half = true; }},
        {"warp", [](LineVariant& v) { v.body = Body::warp; }},
        {"global", [](LineVariant& v) { v.body = Body::global; }},
        {"voxel_driven", [](LineVariant& v) { v.body = Body::voxels; }},
        {"unsorted", [](LineVariant& v) { v.order = LineOrder::tile; }},
        {"by_taps", [](LineVariant& v) { v.order = LineOrder::taps; }},
    };
    for (const int n : {256, 512, 1024}) w[fmt::format("threads{}", n)] = [n](LineVariant& v) { v.threads = n; };
    for (const int n : {1, 2, 3, 4, 8}) w[fmt::format("blocks{}", n)] = [n](LineVariant& v) { v.blocks = n; };
    for (const int n : {1, 2, 3, 5, 8}) w[fmt::format("pieces{}", n)] = [n](LineVariant& v) { v.pieces = n; };
    return w;
  }();
  return known;
}

}  // namespace

LineVariant line_variant(const std::string& text) {
  LineVariant variant;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, '+');) {
    const auto word = words().find(one);
    if (word == words().end()) {
      std::string all;
      for (const auto& [name, set] : words()) all += (all.empty() ? "" : ", ") + name;
      throw Unsupported("variant", fmt::format("'{}' is not offered", one), "choose of " + all + ", joined by +");
    }
    word->second(variant);
  }
  const int kernels = variant.looped + variant.precise + variant.racy + variant.half + (variant.threads != 512) +
                      (variant.body != LineVariant::Body::tiles);
  if (kernels > 1)
    throw Unsupported("variant", fmt::format("'{}' asks for several kernels at once", text),
                      "join one of looped, precise, racy, half, warp, global, voxel_driven, threadsN with the others");
  if (variant.blocks * variant.threads > 2048)
    throw Unsupported("variant", fmt::format("{} blocks of {} threads", variant.blocks, variant.threads),
                      "a multiprocessor takes 2048 threads");
  static std::set<std::string> texts;
  variant.words = texts.insert(text).first->c_str();
  if (variant.study()) variant.start = start_variant;
  return variant;
}

}  // namespace backlit::cuda
