#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Coupling by a mask between the degrees of spectra of fields with the spins s and t (MASTER: Hivon et al. 2002; for
/// spin 2 also Kogut et al. 2003):
///   M_ll' = (2 l' + 1) / (4 pi) sum_l'' (2 l'' + 1) W_l'' (l l' l''; s -s 0) (l l' l''; t -t 0)
/// with W the C_l of the mask, separately for even and for odd l + l' + l''.
struct ModeCoupling {
  Index lmax = 0;
  std::vector<double> even, odd;  ///< [l][l'], (lmax + 1)^2 each; 0 if l or l' is below a spin
};

/// Collective. `mask` holds W_l starting at 0; degrees beyond its end are treated as 0. Ranks share the computation of
/// rows; the result is complete on all ranks, and bitwise identical on any number of ranks and threads.
ModeCoupling mode_coupling(const comm::Communicator& comm, std::span<const double> mask, Index lmax, Index s, Index t);

}  // namespace armilla::ops
