#include "fuzz/sample.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <backlit/core/error.hpp>

namespace backlit::fuzz {
namespace fs = std::filesystem;
namespace {

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Targets are folders: the file of a folder has its path in their names.
std::string in_one_word(std::string file) {
  std::ranges::replace(file, '/', '-');
  return file;
}

}  // namespace

std::vector<Target> targets(const std::vector<Sample>& samples, const fs::path& folder) {
  std::vector<Target> all;
  for (const Sample& sample : samples) {
    const fs::path place = folder / sample.name;
    fs::create_directories(place);
    sample.make(place);
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(place))
      if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(place).string());
    std::erase_if(files, [&](const std::string& file) {
      return std::ranges::any_of(sample.kept, [&](const std::string& ending) { return file.ends_with(ending); });
    });
    std::sort(files.begin(), files.end());
    for (const std::string& file : files)
      all.push_back({files.size() > 1 ? sample.name + "." + in_one_word(file) : sample.name, &sample, file,
                     bytes_of(place / file)});
  }
  return all;
}

void read_damaged(const Target& target, const fs::path& folder, const std::string& bytes) {
  const fs::path place = folder / target.sample->name;
  std::ofstream(place / target.file, std::ios::binary | std::ios::trunc) << bytes;
  try {
    target.sample->read(place / target.sample->file);
  } catch (const Error&) {
  }
}

}  // namespace backlit::fuzz
