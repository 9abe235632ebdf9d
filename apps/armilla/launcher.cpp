#include "launcher.hpp"

#include <array>
#include <cstdlib>
#include <string>

namespace armilla::app {

bool is_first_rank() {
  for (const char* name : std::array{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(name)) return std::string(rank) == "0";
  return true;
}

}  // namespace armilla::app
