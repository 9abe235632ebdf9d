#include "launcher.hpp"

#include <armilla/comm/launcher.hpp>

#include <string>

namespace armilla::app {

bool is_first_rank() {
  const char* rank = comm::launched_rank();
  return rank == nullptr || std::string(rank) == "0";
}

}  // namespace armilla::app
