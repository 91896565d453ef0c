// Whether mpirun or srun started several processes of this program.
#pragma once

#include <optional>
#include <string>

namespace backlit::cli {

struct Launch {
  int processes;         ///< more than one
  int rank;              ///< of this one, as the launcher says
  std::string launcher;  ///< "mpirun", "srun"
};

/// By the environment: Open MPI's OMPI_COMM_WORLD_SIZE; PMI_SIZE of MPICH and Intel MPI; of Slurm what srun alone sets
/// (SLURM_STEP_NUM_TASKS: a batch script, where SLURM_NTASKS is set, is one process). Nothing where there is one.
std::optional<Launch> find_launch();

}  // namespace backlit::cli
