// The table of projectors in docs/reference/projectors.md, from the descriptors.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

#include <backlit/projectors/projector.hpp>
#include "support/paths.hpp"

namespace backlit::test {

/// Text of a cell: "`exact` `fast`; packs `orbit`; `--pipeline`", for the CPU "double"; empty: the device has no such
/// projector.
inline std::string projector_cell(const std::string& device, Model model) {
  const ProjectorInfo* info = find_projector(device, model);
  if (!info) return {};
  const auto quoted = [](const std::string& text) { return "`" + text + "`"; };
  std::vector<std::string> precisions, packings, options;
  for (const Precision p : info->precisions) precisions.push_back(quoted(name(p)));
  for (const Packing p : info->packings)
    if (p == Packing::orbit || p == Packing::slices) packings.push_back(quoted(name(p)));
  for (std::string option : info->options) {
    std::ranges::replace(option, '_', '-');
    options.push_back(quoted("--" + option));
  }
  std::string cell = device == "cpu" ? "double" : fmt::format("{}", fmt::join(precisions, " "));
  if (!info->make && !info->make_emission) cell = "yes";
  if (!packings.empty()) cell += fmt::format("; packs {}", fmt::join(packings, " "));
  if (!options.empty()) cell += fmt::format("; {}", fmt::join(options, " "));
  return cell;
}

/// Checks the columns of these devices, and prints the correct text of a wrong row.
inline void check_projector_table(const std::vector<std::string>& devices) {
  std::ifstream page(test::source_dir() / "docs/reference/projectors.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(page, line);) lines.push_back(line);
  for (const Model model : Model::all()) {
    const auto known = [&](const ProjectorInfo* p) { return p->model == model && !p->studied; };
    bool any = false;
    for (const std::string& device : devices) any |= std::ranges::any_of(projectors_on(device), known);
    if (!any) continue;
    const std::string first = fmt::format("| `{}`: {} |", name(model), model.facts().title);
    const auto row = std::ranges::find_if(lines, [&](const std::string& line) { return line.starts_with(first); });
    std::vector<std::string> cells;
    for (const std::string& device : devices) cells.push_back(projector_cell(device, model));
    const std::string wanted = fmt::format("{} {} |", first, fmt::join(cells, " | "));
    INFO("docs/reference/projectors.md needs the row\n" << wanted);
    REQUIRE(row != lines.end());
    CHECK(row->starts_with(wanted));
  }
}

}  // namespace backlit::test
