#include "io/scans/unused_sets.hpp"

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "io/volumes/hdf5.hpp"

namespace backlit {
namespace {

/// The number in a data set, or what else is in it.
std::string shown_value(const std::filesystem::path& path, const formats::Hdf5Set& set) {
  if (set.values != 1) return fmt::format("{} values", set.values);
  try {
    return with_unit(read_numbers(path.string() + ":" + set.name).at(0), formats::hdf5_units(path, set.name));
  } catch (const InputError&) {
    return "text";
  }
}

}  // namespace

void list_unused_sets(const std::filesystem::path& path, const std::set<std::string>& used, HeaderFields& fields) {
  for (const formats::Hdf5Set& set : formats::hdf5_sets(path))
    if (!used.contains(set.name)) fields.add(set.name, shown_value(path, set));
}

}  // namespace backlit
