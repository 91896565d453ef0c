#include "options/old_variant.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <sstream>

#include <backlit/core/error.hpp>

namespace backlit::cli {
namespace {

const std::map<std::string, std::string>& flags() {
  static const std::map<std::string, std::string> all{{"draw=compute", "--pipeline compute"},
                                                      {"draw=slices", "--pipeline fragment"},
                                                      {"draw=rays", "--pipeline fragment"},
                                                      {"draw=fragment", "--pipeline fragment"},
                                                      {"transform=vertex", "--shader ag"},
                                                      {"transform=fragment", "--shader mp"},
                                                      {"accumulate=blend", "--accumulate blend"},
                                                      {"accumulate=ping_pong", "--accumulate ping-pong"},
                                                      {"kill=stencil", "--early-kill"},
                                                      {"kill=early_z", "--early-kill"},
                                                      {"interpolation=linear", "--interpolation linear"},
                                                      {"interpolation=nearest", "--interpolation nearest"},
                                                      {"stack=ray", "--stack ray"},
                                                      {"stack=view", "--stack view"},
                                                      {"in_place", "--method sart_in_place"},
                                                      {"pitch2d", "--method sart_in_place"},
                                                      {"matched", "--matched"},
                                                      {"orbit", "--packing orbit"},
                                                      {"orbit_fine", "--precision exact"},
                                                      {"exact", "--precision exact"},
                                                      {"general", "--packing none"},
                                                      {"columns", "--packing none"},
                                                      {"texel=r16f", "--precision half"},
                                                      {"texel=rgba16f", "--precision half"}};
  return all;
}

void refuse(const std::string& flag, const std::string& text) {
  const std::string now = flags_of_variant(text);
  if (now.empty())
    throw InputError(flag, fmt::format("names a kernel of studies, '{}'", text), "time it with backlit bench");
  throw InputError(flag, "was removed", "write " + now);
}

}  // namespace

std::string flags_of_variant(const std::string& text) {
  std::string all;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const auto found = flags().find(item);
    if (found == flags().end()) return {};
    if (all.find(found->second) == std::string::npos) all += (all.empty() ? "" : " ") + found->second;
  }
  return all;
}

void add_old_variant(CLI::App& app) {
  for (const char* flag : {"--variant", "--back-variant"})
    app.add_option_function<std::string>(flag, [flag](const std::string& text) { refuse(flag, text); })->group("");
}

}  // namespace backlit::cli
