#include <armilla/armilla.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "support/mpi_main.hpp"
#include "support/refusal.hpp"
#include "support/scratch_folder.hpp"
#include <gtest/gtest.h>

namespace armilla {
namespace {

using test::refusal;

// A fresh folder, the same on all ranks.
class Files : public testing::Test {
 protected:
  Files() : world_(Communicator::world()) {
    if (world_.is_root()) folder_.emplace();
    path_ = world_.broadcast(folder_ ? folder_->path().string() : "");
  }
  ~Files() override { world_.barrier(); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  Communicator world_;

 private:
  std::optional<test::ScratchFolder> folder_;
  std::string path_;
};

template <class T>
Transform<T> polarised(const Communicator& world, Index lmax = 12) {
  return {world, {.grid = make_healpix(8), .lmax = lmax, .fields = FieldKind::temperature_polarisation(), .maps = 2}};
}

// Numbers that tell map, component, l and m, or pixel.
template <class T>
void fill(Alm<T>& field) {
  for (Index k = 0; k < field.maps(); ++k)
    for (Index c = 0; c < field.fields().components(); ++c)
      for (const Index m : field.local_m()) {
        Index l = m;
        for (auto& number : field.of_m(m, c, k))
          number = {static_cast<T>(100 * l++ + m), m == 0 ? T(0) : static_cast<T>(10 * k + c + 1)};
      }
}
template <class T>
void fill(Map<T>& field) {
  for (Index k = 0; k < field.maps(); ++k)
    for (Index c = 0; c < field.fields().components(); ++c)
      for (const LocalRing& own : field.rings()) {
        Index pixel = own.ring.first_pixel;
        for (T& number : field.of_ring(own, c, k)) number = static_cast<T>(10 * pixel++ + 3 * k + c);
      }
}

// One map of a field.
template <class Field>
auto numbers(const Field& field, Index map) {
  const auto all = field.data();
  return all.subspan(static_cast<std::size_t>(map) * all.size() / 2, all.size() / 2);
}

template <class T>
void comes_back(const Communicator& world, const std::string& map_file, const std::string& alm_file) {
  Transform<T> t = polarised<T>(world);
  Map<T> map = t.make_map();
  Alm<T> alm = t.make_alm();
  fill(map);
  fill(alm);
  write(map_file, map, {.units = {"K", "mK", "mK"}, .coordsys = "G", .map = 1});
  write(alm_file, alm, {.units = {"K", "mK", "mK"}, .map = 1});

  const MapFileInfo map_info = read_map_info(world, map_file);
  EXPECT_TRUE(map_info.grid.same_pixels(t.grid()));
  EXPECT_EQ(map_info.fields.map_names(), t.fields().map_names());
  EXPECT_EQ(map_info.fields.spins(), t.fields().spins());
  EXPECT_EQ(map_info.units, (std::vector<std::string>{"K", "mK", "mK"}));
  EXPECT_EQ(map_info.coordsys, "G");
  const AlmFileInfo alm_info = read_alm_info(world, alm_file);
  EXPECT_EQ(alm_info.layout, t.layout());
  EXPECT_EQ(alm_info.fields.alm_names(), t.fields().alm_names());

  Map<T> map_again = t.make_map();
  Alm<T> alm_again = t.make_alm();
  read(map_file, map_again);
  read(alm_file, alm_again);
  EXPECT_TRUE(std::ranges::equal(numbers(map_again, 0), numbers(map, 1)));
  EXPECT_TRUE(std::ranges::equal(numbers(alm_again, 0), numbers(alm, 1)));
  EXPECT_TRUE(std::ranges::all_of(numbers(map_again, 1), [](T number) { return number == 0; }));

  // By name, and of coefficients what fits.
  Transform<T> pair(world, {.grid = make_healpix(8), .lmax = 7, .mmax = 5, .fields = FieldKind::polarisation()});
  Map<T> polarisation = pair.make_map();
  Alm<T> cut = pair.make_alm();
  read(map_file, polarisation);
  read(alm_file, cut);
  const auto q_and_u = numbers(map, 1).subspan(map.data().size() / 6);
  EXPECT_TRUE(std::ranges::equal(polarisation.data(), q_and_u));
  for (const Index m : cut.local_m())
    EXPECT_EQ(cut.of_m(m, 1)[0], std::complex<T>(static_cast<T>(101 * m), m == 0 ? T(0) : T(13)));
}

TEST_F(Files, MapsAndCoefficientsComeBack) {
  comes_back<double>(world_, file("map.h5"), file("alm.h5"));
  comes_back<double>(world_, file("map.fits"), file("alm.fits"));
  comes_back<float>(world_, file("map_f.fits"), file("alm_f.h5"));
}

TEST_F(Files, PrecisionIsThatOfTheFieldOrAsAsked) {
  Transform<double> t = polarised<double>(world_);
  Map<double> map = t.make_map();
  write(file("double.h5"), map);
  write(file("single.h5"), map, {.precision = Precision::kSingle});
  EXPECT_GT(std::filesystem::file_size(file("double.h5")), 3u * 768 * 8);
  EXPECT_LT(std::filesystem::file_size(file("single.h5")), 3u * 768 * 8);
}

TEST_F(Files, SpectraComeBack) {
  SpectraTable table{3, {"TT"}, {{1, 2, 3, 4}}, ""};
  write(world_, file("cl.dat"), table);
  EXPECT_EQ(read_spectra(world_, file("cl.dat")).columns, table.columns);
  const double c3 = read_spectra(world_, file("cl.dat"), SpectraKind::kDl).columns[0][3];
  EXPECT_NEAR(c3, 4 * 2 * core::kPi / 12, 1e-14);
}

TEST_F(Files, BadPixelsAreRefusedOrZero) {
  Transform<double> t(world_, {.grid = make_healpix(8), .lmax = 4});
  Map<double> map = t.make_map();
  fill(map);
  for (const LocalRing& own : map.rings())
    if (own.ring.first_pixel == 4) map.of_ring(own)[1] = -1.6375e30;
  write(file("map.fits"), map);
  Map<double> again = t.make_map();
  EXPECT_THROW(read(file("map.fits"), again), InputError);
  read(file("map.fits"), again, BadPixels::kZero);
  for (const LocalRing& own : again.rings())
    if (own.ring.first_pixel == 4) {
      EXPECT_EQ(again.of_ring(own)[1], 0);
      EXPECT_EQ(again.of_ring(own)[2], 60);
    }
}

TEST_F(Files, ReadChangesOneMapOnly) {
  Transform<double> one(world_, {.grid = make_healpix(8), .lmax = 4});
  Map<double> map = one.make_map();
  std::ranges::fill(map.data(), 7.0);
  for (const LocalRing& own : map.rings())
    if (own.ring.first_pixel == 4) map.of_ring(own)[0] = std::numeric_limits<double>::infinity();
  write(file("map.h5"), map);
  Transform<double> two(world_, {.grid = make_healpix(8), .lmax = 4, .maps = 2});
  Map<double> both = two.make_map();
  std::ranges::fill(both.data(), std::numeric_limits<double>::quiet_NaN());
  const double* before = both.data().data();
  read(file("map.h5"), both, BadPixels::kZero, 1);
  EXPECT_EQ(both.data().data(), before);
  EXPECT_TRUE(std::ranges::all_of(numbers(both, 0), [](double number) { return std::isnan(number); }));
  EXPECT_TRUE(std::ranges::all_of(numbers(both, 1), [](double number) { return number == 7 || number == 0; }));
  Index zeros = std::ranges::count(numbers(both, 1), 0.0);
  world_.sum({&zeros, 1});
  EXPECT_EQ(zeros, 1);
}

TEST_F(Files, FieldsOfAnySpinComeBack) {
  for (const FieldKind& fields : {FieldKind::spin(3), FieldKind::wind(), FieldKind::pair(2, "A", "C")}) {
    Transform<double> t(world_, {.grid = make_healpix(8), .lmax = 6, .fields = fields, .maps = 2});
    Map<double> map = t.make_map(), map_again = t.make_map();
    Alm<double> alm = t.make_alm(), alm_again = t.make_alm();
    fill(map);
    fill(alm);
    write(file("map.h5"), map);
    write(file("alm.fits"), alm);
    read(file("map.h5"), map_again);
    read(file("alm.fits"), alm_again);
    EXPECT_TRUE(std::ranges::equal(numbers(map_again, 0), numbers(map, 0)));
    EXPECT_TRUE(std::ranges::equal(numbers(alm_again, 0), numbers(alm, 0)));
  }
}

TEST_F(Files, MessagesNameTheFileAndTheCause) {
  Transform<double> t = polarised<double>(world_);
  Map<double> map = t.make_map();
  Alm<double> alm = t.make_alm();
  for (const LocalRing& own : map.rings())
    if (own.ring.first_pixel == 4) map.of_ring(own)[1] = std::numeric_limits<double>::quiet_NaN();
  write(file("map.h5"), map);
  write(file("alm.h5"), alm);
  EXPECT_EQ(refusal([&] { read(file("map.h5"), map); }),
            "read: map file " + file("map.h5") +
                " has 1 NaN or infinite and 0 bad or missing pixels (BAD_DATA) in the fields T, Q, U: repair it, or "
                "set BadPixels::kZero");
  Transform<double> large(world_, {.grid = make_healpix(8), .lmax = 15, .fields = t.fields()});
  Alm<double> large_alm = large.make_alm();
  EXPECT_EQ(refusal([&] { read(file("alm.h5"), large_alm); }),
            "read.lmax = 15 exceeds lmax = 12 of " + file("alm.h5") + ": lower it");
  // U, Q is the pair Q, U.
  Transform<double> reversed(world_, {.grid = make_healpix(8), .lmax = 4, .fields = FieldKind::pair(2, "U", "Q")});
  Map<double> u_and_q = reversed.make_map();
  write(file("uq.h5"), u_and_q);
  EXPECT_EQ(read_map_info(world_, file("uq.h5")).fields.map_names(), FieldKind::polarisation().map_names());
  EXPECT_THROW(read(file("uq.h5"), u_and_q), InputError);
  Transform<double> wind(world_, {.grid = make_healpix(8), .lmax = 4, .fields = FieldKind::wind()});
  Map<double> vectors = wind.make_map();
  EXPECT_EQ(refusal([&] { read(file("map.h5"), vectors); }),
            "read requests fields U, V from " + file("map.h5") +
                ", which has T, Q, U: set the fields of the destination to components of the file, and spin if the "
                "last two of them are a pair");
  EXPECT_EQ(refusal([&] { write(file("map.h5"), map, {.units = {"K"}}); }),
            "'" + file("map.h5") + "': 1 units for 3 components: specify one per component, or none");
}

TEST_F(Files, AllRanksRefuseWhatDoesNotFit) {
  Transform<double> t = polarised<double>(world_);
  Map<double> map = t.make_map();
  Alm<double> alm = t.make_alm();
  write(file("map.h5"), map);
  write(file("alm.h5"), alm);
  Transform<double> other(world_, {.grid = make_gauss(20, 40), .lmax = 19});
  Map<double> gauss = other.make_map();
  Alm<double> large = other.make_alm();
  EXPECT_THROW(read(file("map.h5"), gauss), InputError);
  EXPECT_THROW(read(file("alm.h5"), large), InputError);
  EXPECT_THROW(read(file("missing.h5"), map), InputError);
  EXPECT_THROW(read(file("alm.h5"), map), InputError);
  EXPECT_THROW(read(file("map.h5"), map, BadPixels::kError, 2), InputError);
  EXPECT_THROW(read_map_info(world_, file("alm.h5")), InputError);
  EXPECT_THROW(write(file("gauss.fits"), gauss), InputError);
  EXPECT_THROW(write(file("map.txt"), map), InputError);
  EXPECT_THROW(write(file("map.h5"), map, {.units = {"K"}}), InputError);
  EXPECT_THROW(write(file("map.h5"), map, {.map = 2}), InputError);
  Transform<double> wind(world_, {.grid = make_healpix(8), .lmax = 4, .fields = FieldKind::wind()});
  Map<double> vectors = wind.make_map();
  EXPECT_THROW(read(file("map.h5"), vectors), InputError);
}

}  // namespace
}  // namespace armilla
