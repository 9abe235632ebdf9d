#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>

#include <cmath>

#include "io_support.hpp"

namespace armilla::test {

namespace {

using core::Precision;
using io::Ordering;

std::shared_ptr<const grid::RingGrid> healpix(Index nside) {
  return std::make_shared<const grid::RingGrid>(grid::make_healpix(nside));
}

std::string name_for(const io::FormatRow& row) { return "file" + std::string(row.endings.front()); }

io::FieldMetadata polarised(bool alm) {
  io::FieldMetadata metadata;
  metadata.fields = alm ? std::vector<std::string>{"T", "E", "B"} : std::vector<std::string>{"T", "Q", "U"};
  metadata.units = {"uK", "uK", "mK"};
  metadata.coordsys = "G";
  return metadata;
}

template <class T>
void map_round_trip(const io::FormatRow& row, std::shared_ptr<const grid::RingGrid> grid, Precision precision,
                    Ordering ordering) {
  const TemporaryFolder folder;
  const std::string path = folder / name_for(row);
  const auto comm = comm::Communicator::self();
  const dist::PixelDistribution pixels(std::move(grid), 1);
  const auto written = map_values<T>(pixels, 0, 3);
  io::write_map<T>(comm, path, polarised(false), pixels, written, {.precision = precision, .ordering = ordering});
  EXPECT_EQ(folder.names(), std::vector<std::string>{name_for(row)});
  EXPECT_EQ(io::file_kind(path), io::FileKind::kMap);
  const io::MapInfo info = io::open_map(path);
  EXPECT_TRUE(info.grid->same_pixels(pixels.grid()));
  EXPECT_EQ(info.format, row.format);
  EXPECT_EQ(info.components, 3);
  EXPECT_EQ(info.precision, precision);
  EXPECT_EQ(info.ordering, ordering);
  EXPECT_EQ(info.metadata.fields, polarised(false).fields);
  EXPECT_EQ(info.metadata.units, polarised(false).units);
  EXPECT_EQ(info.metadata.coordsys, "G");
  EXPECT_EQ(info.metadata.polcconv, "COSMO");
  expect_stored(read_all_maps<T>(info, pixels, 0), written, precision);
}

template <class T>
void alm_round_trip(const io::FormatRow& row, alm::AlmLayout layout, Precision precision) {
  const TemporaryFolder folder;
  const std::string path = folder / name_for(row);
  const auto comm = comm::Communicator::self();
  const dist::AlmDistribution alm(layout, 1);
  const auto written = alm_values<T>(alm, 0, 3);
  io::write_alm<T>(comm, path, polarised(true), alm, written, {.precision = precision});
  EXPECT_EQ(folder.names(), std::vector<std::string>{name_for(row)});
  EXPECT_EQ(io::file_kind(path), io::FileKind::kAlm);
  const io::AlmInfo info = io::open_alm(path);
  EXPECT_EQ(info.lmax, layout.lmax());
  EXPECT_EQ(info.mmax, layout.mmax());
  EXPECT_EQ(info.components, 3);
  EXPECT_EQ(info.precision, precision);
  EXPECT_EQ(info.metadata.fields, polarised(true).fields);
  EXPECT_EQ(info.metadata.units, polarised(true).units);
  EXPECT_EQ(info.metadata.polcconv, "COSMO");
  expect_stored(read_all_alm<T>(info, alm, 0), written, precision);
}

}  // namespace

// claims: read * map, write * map
TEST(RoundTrip, HealpixMapsKeepValuesAndMetadataInEveryFormatPrecisionAndOrdering) {
  for (const io::FormatRow& row : io::formats())
    for (const Index nside : {1, 2, 16, 64})
      for (const Precision precision : {Precision::kSingle, Precision::kDouble})
        for (const Ordering ordering : {Ordering::kRing, Ordering::kNested}) {
          SCOPED_TRACE(std::string(row.name) + " nside " + std::to_string(nside));
          map_round_trip<float>(row, healpix(nside), precision, ordering);
          map_round_trip<double>(row, healpix(nside), precision, ordering);
        }
}

TEST(RoundTrip, MapsOnOtherGridsKeepTheirRings) {
  const std::vector<double> theta{0.3, 1.0, 2.0}, phi0{0.0, 0.1, 0.2}, weight{1.0, 2.0, 3.0};
  const std::vector<Index> nphi{3, 5, 4};
  const std::vector<grid::RingGrid> grids{
      grid::make_gauss(9, 20),
      grid::make_reduced_gauss(70),
      grid::make_part({.kind = "healpix", .nside = 6}, {.rings = {{1, 4}, {9, 9}}}),
      grid::make_part({.kind = "gauss", .nlat = 9, .nphi = 20}, {.rings = {{5, 8}}}),
      grid::make_rings(theta, phi0, nphi, weight, "x"),
      grid::make_rings(theta, phi0, nphi, {}, "x")};
  for (const io::FormatRow& row : io::formats()) {
    if (row.healpix_only) continue;
    for (const grid::RingGrid& grid : grids)
      map_round_trip<double>(row, std::make_shared<const grid::RingGrid>(grid), Precision::kDouble, Ordering::kRing);
  }
}

TEST(RoundTrip, PartsOfTheSkyKeepTheirPlaceInTheWhole) {
  const TemporaryFolder folder;
  const auto comm = comm::Communicator::self();
  // The last one has pixel numbers beyond 32 bit.
  const std::vector<std::pair<Index, std::vector<grid::RingRange>>> parts{
      {6, {{0, 0}, {7, 9}, {22, 22}}}, {64, {{100, 130}}}, {16384, {{0, 3}, {50000, 50000}, {65534, 65534}}}};
  for (const auto& [nside, rings] : parts) {
    const dist::PixelDistribution pixels(
        std::make_shared<const grid::RingGrid>(grid::make_part({.kind = "healpix", .nside = nside}, {.rings = rings})),
        1);
    const auto written = map_values<double>(pixels, 0, 3);
    const std::string hdf5 = folder / "part.h5";
    io::write_map<double>(comm, hdf5, polarised(false), pixels, written, {});
    const io::MapInfo info = io::open_map(hdf5);
    EXPECT_EQ(info.grid->description().part, rings);
    EXPECT_EQ(info.grid->description().nside, nside);
    EXPECT_TRUE(info.grid->same_pixels(pixels.grid()));
    EXPECT_FALSE(info.grid->has_weights());
    expect_stored(read_all_maps<double>(info, pixels, 0), written, Precision::kDouble);

    const std::string fits = folder / "part.fits";
    io::write_map<double>(comm, fits, polarised(false), pixels, written, {});
    if (nside > 100) continue;  // is read onto the whole sky
    const io::MapInfo sky = io::open_map(fits);
    EXPECT_TRUE(sky.explicit_index);
    EXPECT_EQ(sky.rows, pixels.grid().npix());
    EXPECT_EQ(sky.components, 3);
    EXPECT_EQ(sky.grid->npix(), 12 * nside * nside);
    std::vector<double> read(static_cast<std::size_t>(sky.grid->npix()));
    const dist::PixelDistribution whole(sky.grid, 1);
    for (Index c = 0; c < 3; ++c) {
      const io::BadPixels bad = io::read_map<double>(sky, c, whole.pixel_ranges(0), read, io::BadDataPolicy::kKeep);
      EXPECT_EQ(bad.total(), sky.grid->npix() - pixels.grid().npix());
      const std::vector<Index> numbers = grid::ring_numbers(pixels.grid());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const grid::Ring& ring = pixels.grid().rings()[i];
        const Index first = sky.grid->rings()[static_cast<std::size_t>(numbers[i])].first_pixel;
        for (Index j = 0; j < ring.nphi; ++j)
          EXPECT_EQ(read[static_cast<std::size_t>(first + j)],
                    written[static_cast<std::size_t>(c * pixels.grid().npix() + ring.first_pixel + j)]);
      }
    }
    EXPECT_THROW(io::write_map<double>(comm, folder / "nested.fits", polarised(false), pixels, written,
                                       {.ordering = Ordering::kNested}),
                 core::InputError);
  }
}

TEST(RoundTrip, RingsReadFromAMapFileHaveTheirWeights) {
  const TemporaryFolder folder;
  const std::vector<double> theta{0.3, 1.0}, phi0{0.0, 0.1}, weight{1.5, 2.5};
  const std::vector<Index> nphi{3, 5};
  const dist::PixelDistribution pixels(
      std::make_shared<const grid::RingGrid>(grid::make_rings(theta, phi0, nphi, weight, "x")), 1);
  io::write_map<double>(comm::Communicator::self(), folder / "rings.h5", {}, pixels, map_values<double>(pixels, 0, 1),
                        {});
  const auto rings = io::read_rings(folder / "rings.h5");
  ASSERT_TRUE(rings->same_pixels(pixels.grid()));
  EXPECT_TRUE(rings->has_weights());
  EXPECT_EQ(rings->rings()[1].weight, 2.5);
}

// claims: read * alm, write * alm
TEST(RoundTrip, AlmKeepValuesAndMetadataInEveryFormatAndPrecision) {
  for (const io::FormatRow& row : io::formats())
    for (const alm::AlmLayout& layout : {alm::AlmLayout(0, 0), alm::AlmLayout(40, 40), alm::AlmLayout(30, 7)})
      for (const Precision precision : {Precision::kSingle, Precision::kDouble}) {
        SCOPED_TRACE(std::string(row.name) + " lmax " + std::to_string(layout.lmax()));
        alm_round_trip<float>(row, layout, precision);
        alm_round_trip<double>(row, layout, precision);
      }
}

TEST(RoundTrip, AlmCanBeReadUpToALowerLmaxAndMmax) {
  const auto comm = comm::Communicator::self();
  const dist::AlmDistribution all({30, 20}, 1);
  const dist::AlmDistribution part({11, 9}, 3);
  for (const io::FormatRow& row : io::formats()) {
    const TemporaryFolder folder;
    const std::string path = folder / name_for(row);
    io::write_alm<double>(comm, path, {}, all, alm_values<double>(all, 0, 1), {});
    const io::AlmInfo info = io::open_alm(path);
    for (int rank = 0; rank < 3; ++rank)
      EXPECT_EQ(read_all_alm<double>(info, part, rank), alm_values<double>(part, rank, 1)) << row.name;
    expect_error<core::InputError>(
        [&] {
          read_all_alm<double>(info, dist::AlmDistribution({31, 20}, 1), 0);
        },
        {path, "lmax = 30", "lmax = 31"});
  }
}

// claims: read * spectra, write * spectra
TEST(RoundTrip, SpectraKeepNamesAndDigitsInEveryFormatAndInText) {
  const alm::SpectraTable spectra{.lmax = 3,
                                  .names = {"TB", "TT", "T1xT2", "EB"},
                                  .columns = {{0, 1. / 3, 2, 3}, {4, 5, 6e-30, 7}, {8, 9, 10, 11}, {1, 2, 3, 1e20}},
                                  .unit = "uK^2"};
  std::vector<std::string> names{"file.dat", "file.txt"};
  for (const io::FormatRow& row : io::formats()) names.push_back(name_for(row));
  for (const std::string& name : names) {
    const TemporaryFolder folder;
    io::write_spectra(comm::Communicator::self(), folder / name, spectra);
    EXPECT_EQ(folder.names(), std::vector<std::string>{name});
    EXPECT_EQ(io::file_kind(folder / name), io::FileKind::kSpectra) << name;
    const alm::SpectraTable read = io::read_spectra(folder / name, false);
    EXPECT_EQ(read.lmax, 3);
    EXPECT_EQ(read.unit, "uK^2") << name;
    EXPECT_EQ(read.names, (std::vector<std::string>{"TT", "EB", "TB", "T1xT2"})) << name;
    for (std::size_t i = 0; i < spectra.names.size(); ++i) {
      ASSERT_NE(read.find(spectra.names[i]), nullptr) << name;
      EXPECT_EQ(*read.find(spectra.names[i]), spectra.columns[i]) << name;
    }
  }
}

TEST(RoundTrip, FieldsThatAreNotStandardKeepTheirNames) {
  const auto comm = comm::Communicator::self();
  const dist::PixelDistribution pixels(healpix(2), 1);
  for (const io::FormatRow& row : io::formats()) {
    const TemporaryFolder folder;
    io::write_map<double>(comm, folder / name_for(row),
                          {.fields = {"KAPPA", "GAMMA1"}, .units = {}, .coordsys = {}, .polcconv = {}}, pixels,
                          map_values<double>(pixels, 0, 2), {});
    const io::MapInfo info = io::open_map(folder / name_for(row));
    EXPECT_EQ(info.metadata.fields, (std::vector<std::string>{"KAPPA", "GAMMA1"})) << row.name;
    EXPECT_EQ(info.metadata.polcconv, "") << row.name;
    EXPECT_EQ(info.metadata.units, (std::vector<std::string>{"", ""})) << row.name;
  }
}

TEST(RoundTrip, TextIsWrittenWhole) {
  const TemporaryFolder folder;
  io::write_text(comm::Communicator::self(), folder / "report.json", "{}\n");
  EXPECT_EQ(bytes_of(folder / "report.json"), "{}\n");
  EXPECT_EQ(folder.names().size(), 1u);
}

}  // namespace armilla::test
