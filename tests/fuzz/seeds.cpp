// Writes the files that fuzzing begins with: FOLDER/TARGET/seed. Usage: fuzz_seeds_KIND FOLDER
#include <cstdio>
#include <fstream>

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
  fs::remove_all(made);
}
