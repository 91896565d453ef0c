#include "ranks/launch.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace backlit::cli {
namespace {

std::optional<int> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  int number = 0;
  if (!text || std::from_chars(text, text + std::strlen(text), number).ec != std::errc{}) return {};
  return number;
}

}  // namespace

std::optional<Launch> find_launch() {
  struct Known {
    const char *size, *rank, *launcher;
  };
  for (const Known& known :
       {Known{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun"}, Known{"PMI_SIZE", "PMI_RANK", "mpirun"},
        Known{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun"}}) {
    const std::optional<int> size = number_in(known.size), rank = number_in(known.rank);
    if (!size || !rank) continue;
    if (*size < 2) return {};
    return Launch{*size, *rank, known.launcher};
  }
  return {};
}

}  // namespace backlit::cli
