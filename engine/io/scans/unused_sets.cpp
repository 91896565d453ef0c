#include "io/scans/unused_sets.hpp"

#include <fmt/format.h>

#include "io/volumes/hdf5.hpp"

namespace backlit {
namespace {

std::string shown_value(const formats::Hdf5Set& set) {
  if (set.values != 1) return fmt::format("{} values", set.values);
  return set.text.empty() ? "1 value" : set.text;
}

}  // namespace

void list_unused_sets(const std::filesystem::path& path, const std::set<std::string>& used, HeaderFields& fields) {
  for (const formats::Hdf5Set& set : formats::hdf5_sets(path))
    if (!used.contains(set.name)) fields.add(set.name, shown_value(set));
}

}  // namespace backlit
