#include "launcher.hpp"

#include <array>
#include <cstdlib>
#include <string>

namespace armilla::app {

namespace {

// The rank as the launcher gives it, or null without a launcher.
const char* launched_rank() {
  for (const char* name : std::array{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(name)) return rank;
  return nullptr;
}

// Sets a variable during the lifetime of this object, unless it is set already.
class DefaultVariable {
 public:
  DefaultVariable(const char* name, const char* value) : name_(name), added_(std::getenv(name) == nullptr) {
    if (added_) ::setenv(name, value, 1);
  }
  ~DefaultVariable() {
    if (added_) ::unsetenv(name_);
  }
  DefaultVariable(const DefaultVariable&) = delete;
  DefaultVariable& operator=(const DefaultVariable&) = delete;

 private:
  const char* name_;
  bool added_;
};

comm::Session initialise() {
  int no_arguments = 0;
  char** no_values = nullptr;
  return comm::Session(no_arguments, no_values);
}

}  // namespace

bool is_first_rank() {
  const char* rank = launched_rank();
  return rank == nullptr || std::string(rank) == "0";
}

comm::Session start_mpi() {
  if (launched_rank() != nullptr) return initialise();
  const DefaultVariable no_daemon("OMPI_MCA_ess_singleton_isolated", "1");
  const DefaultVariable messages("OMPI_MCA_pml", "ob1");
  const DefaultVariable no_networks("OMPI_MCA_btl", "self");
  return initialise();
}

}  // namespace armilla::app
