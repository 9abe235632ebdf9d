#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/ops/alm_algebra.hpp>

#include <algorithm>
#include <array>

#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using transform::AlmField;
using transform::FieldKind;

/// A number that names its place.
std::complex<double> label(Index map, Index c, Index l, Index m) {
  return {static_cast<double>(1000 * l + m + 1), static_cast<double>(10 * map + c)};
}

template <class T>
AlmField<T> make(const comm::Communicator& comm, Index lmax, Index mmax) {
  auto distribution = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, mmax), comm.size());
  return AlmField<T>(FieldKind::temperature_polarisation(), distribution, comm.rank(), 2);
}

template <class T>
void check_resize(Index lmax, Index mmax, Index new_lmax, Index new_mmax) {
  const auto comm = comm::Communicator::world();
  AlmField<T> from = make<T>(comm, lmax, mmax);
  AlmField<T> to = make<T>(comm, new_lmax, new_mmax);
  AlmField<T> expected = make<T>(comm, new_lmax, new_mmax);
  test::fill_alm(from, label);
  test::fill_alm(to, [](Index, Index, Index, Index) { return std::complex<double>(-7, -7); });
  test::fill_alm(expected, [&](Index map, Index c, Index l, Index m) {
    return l <= lmax && m <= mmax ? label(map, c, l, m) : std::complex<double>();
  });
  resize(comm, from, to);
  EXPECT_TRUE(std::ranges::equal(to.data(), expected.data()))
      << lmax << " " << mmax << " to " << new_lmax << " " << new_mmax;
}

TEST(AlmAlgebra, ResizeMovesEachCoefficientToItsNewOwner) {
  for (const auto& [lmax, mmax, new_lmax, new_mmax] : {std::array<Index, 4>{20, 20, 20, 20},
                                                       {20, 20, 9, 9},
                                                       {9, 9, 20, 20},
                                                       {20, 20, 30, 3},
                                                       {20, 3, 20, 17},
                                                       {15, 15, 8, 0},
                                                       {5, 0, 11, 11},
                                                       {0, 0, 4, 4},
                                                       {12, 7, 30, 7},
                                                       {12, 12, 6, 6}}) {
    check_resize<double>(lmax, mmax, new_lmax, new_mmax);
    check_resize<float>(lmax, mmax, new_lmax, new_mmax);
  }
}

TEST(AlmAlgebra, ResizeRefusesOtherKinds) {
  const auto comm = comm::Communicator::world();
  AlmField<double> from = make<double>(comm, 4, 4);
  AlmField<double> to(FieldKind::scalar(), from.shared_distribution(), comm.rank(), 2);
  EXPECT_THROW(resize(comm, from, to), core::InputError);
}

TEST(AlmAlgebra, SumsProductsAndWindowsGoElementByElement) {
  const auto comm = comm::Communicator::world();
  AlmField<double> a = make<double>(comm, 11, 8);
  AlmField<double> b = make<double>(comm, 11, 8);
  AlmField<double> expected = make<double>(comm, 11, 8);
  test::fill_alm(a, label);
  test::fill_alm(b, [](Index map, Index c, Index l, Index m) { return 0.25 * label(map, c, m, l); });
  const std::vector<std::vector<double>> windows{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {0.5}, {}};
  test::fill_alm(expected, [&](Index map, Index c, Index l, Index m) {
    const auto& window = windows[static_cast<std::size_t>(c)];
    const double factor = l < static_cast<Index>(window.size()) ? 4 * window[static_cast<std::size_t>(l)] : 0.0;
    return factor * (2.0 * label(map, c, l, m) - 0.25 * label(map, c, m, l));
  });
  const std::vector<double> two(core::at(a.kind().components()), 2), minus(two.size(), -1), four(two.size(), 4);
  add(a, two, b, minus);
  scale(a, four);
  multiply(a, std::span<const std::vector<double>>(windows));
  EXPECT_TRUE(std::ranges::equal(a.data(), expected.data()));
  EXPECT_THROW(multiply(a, std::span<const std::vector<double>>(windows).first(2)), core::InputError);
  AlmField<double> other = make<double>(comm, 11, 7);
  EXPECT_THROW(add(a, two, other, two), core::InputError);
}

}  // namespace
}  // namespace armilla::ops
