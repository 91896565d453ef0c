// Saves a phantom in a format of its own, reads it again and compares: own_format [FILE.plain]
#include <algorithm>
#include <cstdio>
#include <fstream>

#include <backlit/backlit.hpp>
#include "plain.hpp"

using namespace backlit;

namespace {

/// What a reader says to a file whose last values are gone.
std::string told_of_cut_file(const std::filesystem::path& name) {
  const std::filesystem::path cut = std::filesystem::path(name).replace_filename("cut.plain");
  std::filesystem::copy_file(name, cut, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
  try {
    load_volume(cut.string());
  } catch (const InputError& error) {
    std::filesystem::remove(cut);
    return error.what();
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) try {
  register_volume_format(plain_format());  // from here on everything that opens, saves or lists formats knows it
  const std::string name = argc > 1 ? argv[1] : "head.plain";
  const VolumeGrid grid{{31, 27, 9}, {8, 9, 20}, {0, 0, 5}};
  const Volume head = voxelize(load_phantom("forbild-head"), grid, 1);
  save_volume(head, name);
  const Volume again = load_volume(name);
  const bool same = again.grid.size == grid.size && again.grid.spacing == grid.spacing &&
                    again.grid.center == grid.center && std::ranges::equal(head.values.span(), again.values.span());
  const std::string told = told_of_cut_file(name);
  std::printf("%s: %s as it was saved\ncut off: %s\n", name.c_str(), same ? "read" : "not read", told.c_str());
  return same && !told.empty() ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "own_format: %s\n", error.what());
  return error.exit_code();
}
