#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/norms.hpp>
#include <armilla/ops/rotate.hpp>
#include <armilla/ops/spectra.hpp>
#include <armilla/transform/field_transform.hpp>

#include <cstring>
#include <limits>

#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using core::Index;
using math::EulerAngles;
using transform::AlmField;
using transform::FieldKind;

const EulerAngles kAngles{0.3L, 1.1L, -0.7L};

template <class T>
AlmField<T> noise_field(const FieldKind& kind, Index lmax, int ranks, int rank, std::uint64_t seed, Index maps = 1) {
  AlmField<T> alm(kind, std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), ranks), rank, maps);
  test::fill_noise(alm, seed);
  return alm;
}

void expect_close(const comm::Communicator& comm, const AlmField<double>& a, const AlmField<double>& b, double bound) {
  for (const double error : relative_error(comm, a, b)) EXPECT_LE(error, bound);
}

// claims: step rotate
TEST(Rotate, HoldsAgainstTheReferenceFile) {
  const auto comm = comm::Communicator::world();
  const std::string file = test::reference_file("rotation.h5");
  const alm::AlmLayout layout(test::read_attribute(file, "rotation", "lmax"),
                              test::read_attribute(file, "rotation", "lmax"));
  const EulerAngles angles{test::read_real_attribute(file, "rotation", "psi"),
                           test::read_real_attribute(file, "rotation", "theta"),
                           test::read_real_attribute(file, "rotation", "phi")};
  const auto distribution = std::make_shared<dist::AlmDistribution>(layout, comm.size());
  AlmField<double> alm(FieldKind::scalar(), distribution, comm.rank(), 1);
  test::fill_alm(alm, [](Index, Index c, Index l, Index m) { return test::closed_form(l, m, c, 0); });
  rotate(comm, alm, angles);
  AlmField<double> expected(FieldKind::scalar(), distribution, comm.rank(), 1);
  const auto numbers = test::read_doubles(file, "rotation/alm");
  test::fill_alm(expected, [&](Index, Index, Index l, Index m) {
    const auto i = static_cast<std::size_t>(2 * layout.index(l, m));
    return std::complex<double>(numbers[i], numbers[i + 1]);
  });
  expect_close(comm, alm, expected, 1e-13);
}

template <class T>
void check_bits(const comm::Communicator& comm) {
  const auto self = comm::Communicator::self();
  const auto kind = FieldKind::temperature_polarisation();
  for (const Index lmax : {0, 1, 2, 5, 90}) {
    auto together = noise_field<T>(kind, lmax, comm.size(), comm.rank(), 1, 3);
    auto alone = noise_field<T>(kind, lmax, 1, 0, 1, 3);
    rotate(comm, together, kAngles);
    rotate(self, alone, kAngles);
    const auto own_m = together.distribution().local_m(comm.rank());
    const auto offsets = together.distribution().local_offsets(comm.rank());
    for (Index map = 0; map < 3; ++map)
      for (Index c = 0; c < 3; ++c)
        for (std::size_t k = 0; k < own_m.size(); ++k)
          for (Index l = own_m[k]; l <= lmax; ++l)
            EXPECT_EQ(
                together.component(map, c)[static_cast<std::size_t>(offsets[k] + l)],
                alone.component(map, c)[static_cast<std::size_t>(alone.distribution().layout().index(l, own_m[k]))]);
  }
}

TEST(Rotate, HasTheSameBitsOnAnyNumberOfRanks) {
  const auto comm = comm::Communicator::world();
  check_bits<double>(comm);
  check_bits<float>(comm);
}

TEST(Rotate, IsUndoneByItsInverseAndConservesSpectra) {
  const auto comm = comm::Communicator::world();
  const auto kind = FieldKind::temperature_polarisation();
  auto alm = noise_field<double>(kind, 130, comm.size(), comm.rank(), 2);
  const auto before = noise_field<double>(kind, 130, comm.size(), comm.rank(), 2);
  rotate(comm, alm, kAngles);
  for (const double error : relative_error(comm, alm, before)) EXPECT_GT(error, 1);
  const auto spectra_before = spectra(comm, before, before);
  const auto spectra_after = spectra(comm, alm, alm);
  for (std::size_t i = 0; i < spectra_before.columns.size(); ++i)
    for (std::size_t l = 0; l <= 130; ++l)
      EXPECT_NEAR(spectra_after.columns[i][l], spectra_before.columns[i][l], 1e-14) << i << ' ' << l;
  rotate(comm, alm, math::inverse(kAngles));
  expect_close(comm, alm, before, 1e-13);
}

TEST(Rotate, ComposesAsMatricesDo) {
  const auto comm = comm::Communicator::world();
  const EulerAngles second{2.0L, 2.5L, 0.1L};
  auto steps = noise_field<double>(FieldKind::scalar(), 60, comm.size(), comm.rank(), 3);
  auto once = noise_field<double>(FieldKind::scalar(), 60, comm.size(), comm.rank(), 3);
  rotate(comm, steps, kAngles);
  rotate(comm, steps, second);
  rotate(comm, once, math::euler_angles(math::product(math::rotation_matrix(second), math::rotation_matrix(kAngles))));
  expect_close(comm, steps, once, 1e-13);
}

// Where nothing travels, and right next to it.
TEST(Rotate, IsContinuousWhereZStaysOrTurnsOver) {
  const auto comm = comm::Communicator::world();
  const long double pi = std::acos(-1.0L);
  for (const long double theta : {0.0L, pi, -pi, 2 * pi}) {
    auto at = noise_field<double>(FieldKind::polarisation(), 40, comm.size(), comm.rank(), 4);
    auto next = noise_field<double>(FieldKind::polarisation(), 40, comm.size(), comm.rank(), 4);
    rotate(comm, at, {0.3L, theta, -0.9L});
    rotate(comm, next, {0.3L, theta + 1e-17L, -0.9L});
    expect_close(comm, next, at, 1e-13);
    auto before = noise_field<double>(FieldKind::polarisation(), 40, comm.size(), comm.rank(), 4);
    for (const double error : relative_error(comm, at, before)) EXPECT_GT(error, 0.1);
  }
  auto same = noise_field<double>(FieldKind::scalar(), 40, comm.size(), comm.rank(), 5);
  const auto before = noise_field<double>(FieldKind::scalar(), 40, comm.size(), comm.rank(), 5);
  rotate(comm, same, {0, 0, 0});
  EXPECT_TRUE(std::ranges::equal(same.data(), before.data()));
}

// A rotated field has at R x what the field had at x; here for the poles of the sphere and T alone, by its own
// synthesis.
TEST(Rotate, MovesPointsByTheMatrix) {
  const auto comm = comm::Communicator::world();
  auto alm = noise_field<double>(FieldKind::scalar(), 20, comm.size(), comm.rank(), 6);
  const auto value_at = [&](const AlmField<double>& field, double theta, double phi) {
    const std::vector<Index> one_pixel{1};
    const auto grid = std::make_shared<grid::RingGrid>(
        grid::make_rings(std::vector<double>{theta}, std::vector<double>{phi}, one_pixel, {}, "point"));
    transform::FieldTransform<double> transform(
        comm, test::make_spec(FieldKind::scalar(), grid, alm::AlmLayout(20, 20), comm.size()));
    transform::MapField<double> map(FieldKind::scalar(), transform.spec().pixels, comm.rank(), 1);
    transform.synthesis(field, map);
    double value = map.data().empty() ? 0.0 : map.data()[0];
    comm.sum({&value, 1});
    return value;
  };
  const double before = value_at(alm, 0.8, 2.1);
  rotate(comm, alm, kAngles);
  const auto r = math::rotation_matrix(kAngles);
  const long double x[3] = {std::sin(0.8L) * std::cos(2.1L), std::sin(0.8L) * std::sin(2.1L), std::cos(0.8L)};
  long double y[3] = {0, 0, 0};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) y[i] += r[i][j] * x[j];
  const double phi = static_cast<double>(std::atan2(y[1], y[0]));
  EXPECT_NEAR(value_at(alm, static_cast<double>(std::acos(y[2])), phi < 0 ? phi + 2 * core::kPi : phi), before, 1e-12);
}

TEST(Rotate, RefusesWhatCannotBeRotated) {
  const auto comm = comm::Communicator::world();
  AlmField<double> narrow(FieldKind::scalar(),
                          std::make_shared<dist::AlmDistribution>(alm::AlmLayout(10, 9), comm.size()), comm.rank(), 1);
  EXPECT_THROW(rotate(comm, narrow, kAngles), core::InputError);
  auto alm = noise_field<double>(FieldKind::scalar(), 10, comm.size(), comm.rank(), 7);
  EXPECT_THROW(rotate(comm, alm, {0, std::numeric_limits<long double>::quiet_NaN(), 0}), core::InputError);
  EXPECT_THROW(rotate(comm, alm, {std::numeric_limits<long double>::infinity(), 1, 0}), core::InputError);
}

}  // namespace
}  // namespace armilla::ops
