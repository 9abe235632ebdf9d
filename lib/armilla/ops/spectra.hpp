#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <string>
#include <vector>

namespace armilla::ops {

/// Names of the spectra of a field, in the order of spectra().
std::vector<std::string> spectra_names(const transform::FieldKind& kind);

/// Collective. C_l = 1/(2 l + 1) sum over m = -l .. l of a_lm conj(b_lm) (real part) of map `map` of both, or of the
/// only map of a field that has one. l runs from 0 to the smaller lmax. Auto spectra of the components come first, then
/// all pairs, as TT EE BB TE EB TB. If a and b are different fields, a pair of different components is the mean of a_X
/// b_Y and a_Y b_X. Bitwise identical on any number of ranks. Throws InputError if the fields differ in kind.
template <class T>
alm::SpectraTable spectra(const comm::Communicator& comm, const transform::AlmField<T>& a,
                          const transform::AlmField<T>& b, core::Index map = 0);

/// Collective. The spectra of every map of a batch, bitwise identical to spectra() of each. A field of one map is
/// paired with every map of the other. Throws InputError if the fields differ in kind, or if both have several maps but
/// not the same number.
template <class T>
std::vector<alm::SpectraTable> spectra_of_maps(const comm::Communicator& comm, const transform::AlmField<T>& a,
                                               const transform::AlmField<T>& b);

}  // namespace armilla::ops
