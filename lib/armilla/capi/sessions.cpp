#include <armilla/capi/objects.hpp>
#include <armilla/grid/grid_text.hpp>

#include <algorithm>
#include <span>

#include <mpi.h>

using namespace armilla;
using namespace armilla::capi;

extern "C" {

const char* armilla_version(void) { return version(); }

const char* armilla_last_error(void) { return last_error(); }

int armilla_session_alone(armilla_session* session) {
  return create<SessionObject>(session, [] { return SessionObject{Communicator::self()}; });
}

int armilla_session_of_mpi(int communicator, armilla_session* session) {
  return create<SessionObject>(session, [&] {
    int running = 0, ended = 0;
    MPI_Initialized(&running);
    MPI_Finalized(&ended);
    // Without MPI, there are no communicators to convert.
    const bool usable = running != 0 && ended == 0;
    return SessionObject{Communicator::duplicate_of(usable ? MPI_Comm_f2c(communicator) : MPI_COMM_NULL)};
  });
}

int armilla_session_rank(armilla_session session, int* rank, int* ranks) {
  return guarded([&] {
    const auto used = Handles::all().use<SessionObject>(session.id);
    at_pointer(rank, "rank") = used->comm.rank();
    at_pointer(ranks, "ranks") = used->comm.size();
  });
}

int armilla_session_free(armilla_session* session) { return destroy<SessionObject>(session); }

int armilla_grid_named(const char* name, armilla_grid* grid) {
  return create<GridObject>(grid, [&] { return GridObject{make_grid(grid::parse_grid_text(text(name, "name")))}; });
}

int armilla_grid_of_rings(int64_t rings, const double* theta, const double* phi0, const int64_t* nphi,
                          const double* weight, armilla_grid* grid) {
  return create<GridObject>(grid, [&] {
    const std::vector<Index> numbers(nphi, nphi + values(nphi, rings, "nphi").size());
    return GridObject{make_rings(values(theta, rings, "theta"), values(phi0, rings, "phi0"), numbers,
                                 weight == nullptr ? std::span<const double>() : values(weight, rings, "weight"),
                                 "armilla_grid_of_rings()")};
  });
}

int armilla_grid_size(armilla_grid grid, int64_t* rings, int64_t* pixels) {
  return guarded([&] {
    const auto used = Handles::all().use<GridObject>(grid.id);
    at_pointer(rings, "rings") = static_cast<Index>(used->grid.rings().size());
    at_pointer(pixels, "pixels") = used->grid.npix();
  });
}

int armilla_grid_rings(armilla_grid grid, int64_t rings, double* theta, double* phi0, int64_t* nphi, double* weight,
                       int64_t* first_pixel) {
  return guarded([&] {
    const auto used = Handles::all().use<GridObject>(grid.id);
    const std::span<const Ring> all = used->grid.rings();
    if (rings != static_cast<Index>(all.size()))
      throw InputError(fmt::format("rings = {}: the grid has {}", rings, all.size()));
    if (weight != nullptr && !used->grid.has_weights()) throw InputError("the grid has no weights: pass NULL for them");
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (theta != nullptr) theta[i] = all[i].theta;
      if (phi0 != nullptr) phi0[i] = all[i].phi0;
      if (nphi != nullptr) nphi[i] = all[i].nphi;
      if (weight != nullptr) weight[i] = all[i].weight;
      if (first_pixel != nullptr) first_pixel[i] = all[i].first_pixel;
    }
  });
}

int armilla_grid_free(armilla_grid* grid) { return destroy<GridObject>(grid); }

}  // extern "C"
