// Writes the files that fuzzing begins with: FOLDER/TARGET/seed. Fails where a reader refuses a sample: damage would
// tell little. Usage: fuzz_seeds_KIND FOLDER
#include <cstdio>
#include <fstream>

#include <backlit/core/error.hpp>
#include "fuzz/sample.hpp"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc != 2) return std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]), 2;
  const fs::path folder = argv[1], made = folder / ".made";
  const auto samples = backlit::fuzz::samples();
  for (const auto& target : backlit::fuzz::targets(samples, made)) {
    fs::create_directories(folder / target.name);
    std::ofstream(folder / target.name / "seed", std::ios::binary) << target.good;
    std::printf("%s\n", target.name.c_str());
  }
  int refused = 0;
  for (const auto& sample : samples) try {
      sample.read(made / sample.name / sample.file);
    } catch (const backlit::Error& error) {
      std::fprintf(stderr, "fuzz: the sample %s is refused: %s\n", sample.name.c_str(), error.what());
      ++refused;
    }
  fs::remove_all(made);
  return refused > 0;
}
