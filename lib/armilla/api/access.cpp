#include <armilla/api/access.hpp>

#include <utility>

#include <fmt/format.h>

namespace armilla::api {

void check_spec(const FieldKind& fields, Index lmax, Index maps) {
  if (maps < 1) throw InputError(fmt::format("maps = {}: use 1 or more", maps));
  if (lmax < fields.max_spin())
    throw InputError(fmt::format("lmax = {} is below the spin {}: raise lmax", lmax, fields.max_spin()));
}

void check_place(const FieldKind& fields, Index maps, Index component, Index map) {
  if (component < 0 || component >= fields.components())
    throw InputError(fmt::format("component {} does not exist: the field has {}", component, fields.components()));
  if (map < 0 || map >= maps) throw InputError(fmt::format("map {} does not exist: the field has {}", map, maps));
}

std::shared_ptr<backend::Memory> device_memory(std::shared_ptr<backend::Memory> memory, const char* call,
                                               const char* on_host) {
  if (memory->space() == core::MemorySpace::kHost)
    throw InputError(
        fmt::format("{} needs a GPU, but these values are computed on CPUs: use {}, or backend cuda", call, on_host));
  return memory;
}

void check_alike(const Communicator& comm, const char* call, const std::string& given) {
  const std::string first = comm.broadcast(given, 0);
  comm::phase(comm, [&] {
    if (given != first)
      throw InputError(fmt::format("{}: rank {} has {}, but rank 0 has {}: pass the same arguments on all ranks", call,
                                   comm.rank(), given, first));
  });
}

}  // namespace armilla::api
