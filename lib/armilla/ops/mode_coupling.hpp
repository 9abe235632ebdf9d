#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// How a mask mixes the degrees of spectra of fields with the spins s and t (MASTER: Hivon et al. 2002; for spin 2 also
/// Kogut et al. 2003):
///   M_ll' = (2 l' + 1) / (4 pi) sum_l'' (2 l'' + 1) W_l'' (l l' l''; s -s 0) (l l' l''; t -t 0)
/// with W the C_l of the mask, once over even and once over odd l + l' + l''.
struct ModeCoupling {
  Index lmax = 0;
  std::vector<double> even, odd;  ///< [l][l'], (lmax + 1)^2 each; 0 if l or l' is below a spin
};

/// Collective. `mask` holds W_l from 0 on; degrees beyond its end count as 0. The rows are shared out among ranks, and
/// stand on all of them in the end; the same bit for bit on any number of ranks and threads.
ModeCoupling mode_coupling(const comm::Communicator& comm, std::span<const double> mask, Index lmax, Index s, Index t);

}  // namespace armilla::ops
