#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field_kind.hpp>

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
  std::vector<double> even, odd;  ///< [l][l'], (lmax + 1)^2 each; 0 where l or l' is below a spin
};

/// Collective. `mask` holds W_l from 0 on; degrees beyond its end count as 0. The rows are shared out among ranks, and
/// stand on all of them in the end; the same bit for bit on any number of ranks and threads.
ModeCoupling mode_coupling(const comm::Communicator& comm, std::span<const double> mask, Index lmax, Index s, Index t);

/// Collective. What the spectra of masked maps of this kind are without the mask: those whose expectation under the
/// coupling is the one found. `width`: of bands of degrees over which a spectrum is held constant, 1 for none; bands
/// begin at the larger spin of each spectrum, the last one ends at lmax, and each l of a band has its value. What
/// power above lmax leaks down is not known and stays. E and B of one spin are told apart; spectra between two pairs of
/// components likewise. Throws InputError where the columns are not those of spectra(), or where a matrix is singular
/// to the precision that masks are known with (reciprocal condition below 1e-5): the message says what to do.
alm::SpectraTable decouple(const comm::Communicator& comm, const alm::SpectraTable& table,
                           const transform::FieldKind& kind, std::span<const double> mask, Index width);

/// The same for tables of one lmax, whose matrices are found once.
std::vector<alm::SpectraTable> decouple(const comm::Communicator& comm, std::span<const alm::SpectraTable> tables,
                                        const transform::FieldKind& kind, std::span<const double> mask, Index width);

}  // namespace armilla::ops
