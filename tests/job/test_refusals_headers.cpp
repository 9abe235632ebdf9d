// Jobs that are refused for what the headers of their files say, or for files that cannot be read.
#include <armilla/io/read.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "refusal.hpp"
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace armilla::job {
namespace {

using test::analysis;
using test::contains;
using test::expect_refused;
using test::RefusedJob;
using test::synthesis;

using Columns = test::JobFolder::Columns;

/// sky.h5, a map T, Q, U of nside 8, air.h5, one of T, U, V, and alm.h5, coefficients of T to lmax 8.
class HeaderRefusals : public testing::Test {
 protected:
  HeaderRefusals() {
    folder_.map("sky.h5", grid::make_healpix(8), {"T", "Q", "U"}, 3);
    folder_.map("air.h5", grid::make_healpix(4), {"T", "U", "V"}, 3);
    folder_.alm("alm.h5", 8, 8, {"T"});
  }

  /// Coefficients that are read and written.
  static std::string copy_alm(const std::string& input) {
    return "inputs:\n  a: {alm: " + input + "}\noutputs:\n  a: {file: out.h5}\n";
  }
  static std::string copy_map(const std::string& input) {
    return "inputs:\n  sky: {map: " + input + "}\noutputs:\n  sky: {file: out.h5}\n";
  }

  test::JobFolder folder_;
};

TEST_F(HeaderRefusals, TheJobsThatAreChangedAreGood) {
  EXPECT_NO_THROW(test::prepared(folder_, analysis("lmax: 16")));
  EXPECT_NO_THROW(test::prepared(folder_, synthesis("{healpix: {nside: 8}}")));
  EXPECT_NO_THROW(test::prepared(folder_, copy_map("'air.h5', fields: [T, U, V], spin: 1")));
  EXPECT_NO_THROW(test::prepared(folder_, copy_alm("alm.h5")));
}

TEST_F(HeaderRefusals, FilesAndFields) {
  folder_.map("other.h5", grid::make_healpix(8), {"T", "Q", "U"}, 3);
  folder_.attribute("other.h5", "map", "POLCCONV", "OTHER");
  folder_.map("spins.h5", grid::make_healpix(4), {"T", "Q", "U"}, 3);
  folder_.attribute("spins.h5", "map", "SPINS", std::vector<core::Index>{0, 2});
  const auto half = [](const std::string& name, const std::string& both) {
    return RefusedJob{analysis("lmax: 16", "map: sky.h5, fields: [" + name + "]"),
                      {"job.yaml:3: inputs.sky: fields [" + name + "] are not a known combination: " + name +
                       " is half of a pair: specify both, as " + both + " in this order, or spin 0 to treat " + name +
                       " as a scalar"}};
  };
  expect_refused(folder_,
                 {
                     {analysis("lmax: 16", "map: sly.h5"), {"job.yaml:3: inputs.sky", "sly.h5"}},
                     {analysis("lmax: 16", "map: other.h5"), {"other.h5", "POLCCONV", "OTHER"}},
                     {copy_map("spins.h5"), {"spins.h5", "SPINS has 2 numbers, but the dataset has 3 components"}},
                     {copy_map("air.h5"), {"air.h5 has the components T, U, V", "their spins are unspecified"}},
                     {copy_alm("alm.h5, lmax: 9"), {"inputs.a.lmax = 9 exceeds lmax = 8 of", "alm.h5"}},
                     half("U", "Q, U or U, V"),
                     half("Q", "Q, U"),
                     half("E", "E, B"),
                     half("B", "E, B"),
                 });
}

TEST_F(HeaderRefusals, ConventionsOfCoefficients) {
  folder_.alm("says.h5", 8, 8, {"T"});
  folder_.attribute("says.h5", "alm", "NORM", "schmidt");
  folder_.alm("polar.h5", 8, 8, {"E", "B"});
  folder_.alm("large.h5", 151, 1, {"T"});
  for (const char* file : {"polar.h5", "large.h5"}) folder_.drop_attribute(file, "alm", "NORM");
  expect_refused(
      folder_,
      {
          {copy_alm("says.h5, convention: {norm: 4pi}"), {"convention.norm = 4pi contradicts", "specifies 'schmidt'"}},
          {copy_alm("polar.h5, convention: {norm: unnormalised}"), {"'a' has components of spin 2"}},
          {copy_alm("large.h5, convention: {norm: unnormalised}"), {"lmax = 151 exceed the range of double"}},
      });
}

// What is no regular file is not opened, so a FIFO does not block.
TEST_F(HeaderRefusals, InputsThatAreNoRegularFiles) {
  ASSERT_EQ(mkfifo(folder_.path("fifo.h5").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder_.path("device.h5"));
  std::filesystem::create_directory(folder_.path("folder.h5"));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  folder_.path("socket.h5").copy(static_cast<char*>(address.sun_path), sizeof(address.sun_path) - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  for (const auto& [name, kind] : std::vector<std::pair<std::string, std::string>>{
           {"fifo.h5", "a FIFO"}, {"device.h5", "a device"}, {"folder.h5", "a folder"}, {"socket.h5", "a socket"}})
    expect_refused(folder_, {{copy_map(name), {name + "' cannot be read: it is " + kind}}});
  close(socket);
}

TEST_F(HeaderRefusals, RingsThatMakeNoGrid) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Columns good{{"theta", {0.5, 1.0, 1.5, 2.0}},
                     {"phi0", {0.0, 0.1, 0.2, 0.3}},
                     {"nphi", {4, 8, 16, 8}},
                     {"weight", {1, 2, 3, 4}}};
  const std::string body = synthesis("{rings: {file: rings.h5}}");
  folder_.columns("rings.h5", "grid", good);
  EXPECT_NO_THROW(test::prepared(folder_, body));
  const std::vector<std::pair<Columns, std::string>> cases{
      {{{"theta", {0.5, 1.0, 1.0, 2.0}}}, "grid/theta[2] = 1 equals that of row 1: rings must not coincide"},
      {{{"theta", {0.5, 1.5, 1.0, 2.0}}},
       "grid/theta[2] = 1 does not exceed grid/theta[1] = 1.5: sort the rings by theta"},
      {{{"theta", {-0.1, 1.0, 1.5, 2.0}}}, "grid/theta[0] = -0.1 is outside [0, pi]: use colatitudes in radians"},
      {{{"theta", {0.5, 1.0, 1.5, 20.0}}}, "grid/theta[3] = 20 is outside [0, pi]"},
      {{{"theta", {0.5, kNan, 1.5, 2.0}}}, "grid/theta[1] = nan is outside [0, pi]"},
      {{{"nphi", {4, 8, 0, 8}}}, "grid/nphi[2] = 0 must be at least 1: remove rings without pixels"},
      {{{"nphi", {4, -8, 16, 8}}}, "grid/nphi[1] = -8 must be at least 1"},
      {{{"nphi", {4, 8.5, 16, 8}}}, "grid/nphi[1] = 8.5 is not an integer"},
      {{{"nphi", {4, 8, std::ldexp(1, 40), 8}}}, "grid/nphi[2] = 1099511627776 exceeds the FFT limit"},
      {{{"phi0", {0.0, kInf, 0.2, 0.3}}}, "grid/phi0[1] = inf is not a finite number"},
      {{{"phi0", {0.0, 0.2}}}, "theta, phi0, nphi and weight have 4, 2, 4 and 4 rows: write one row per ring for each"},
      {{{"weight", {1, 2, 3}}}, "have 4, 4, 4 and 3 rows: write one row per ring for each, or omit weight"},
      {{{"weight", {1, 2, kNan, 4}}}, "grid/weight[2] = nan is not a finite number: use steradians"},
      {{{"theta", {}}, {"phi0", {}}, {"nphi", {}}, {"weight", {}}}, "has no rings"},
  };
  for (const auto& [changes, part] : cases) {
    folder_.columns("rings.h5", "grid", good);
    for (const auto& [name, values] : changes) folder_.replace_column("rings.h5", "grid", name, values);
    expect_refused(folder_, {{body, {"job.yaml:5: steps[0].synthesis.grid.rings: ", "rings.h5", part}}});
  }
  folder_.columns("rings.h5", "grid", {good[0], good[1], good[3]});
  expect_refused(folder_, {{body, {"job.yaml:5: steps[0].synthesis.grid.rings: ", "rings.h5", "'nphi'"}}});
}

// A map on four rings whose group `grid` does not fit it.
TEST_F(HeaderRefusals, DamagedGridsOfMaps) {
  const Columns good{{"theta", {0.5, 1.2, 1.9, 2.6}}, {"phi0", {0, 0, 0, 0}}, {"nphi", {8, 8, 8, 8}}};
  folder_.columns("rings.h5", "grid", good);
  const grid::RingGrid grid = *io::read_rings(folder_.path("rings.h5"));
  const auto damaged = [&](const std::string& part, const auto& change) {
    folder_.map("map.h5", grid, {"T"}, 1);
    EXPECT_NO_THROW(test::prepared(folder_, copy_map("map.h5")));
    change();
    expect_refused(folder_, {{copy_map("map.h5"), {"map.h5", part}}});
  };
  const auto nphi = [&](const std::vector<double>& values) {
    return [this, values] { folder_.replace_column("map.h5", "grid", "nphi", values); };
  };
  const double longest = std::ldexp(1, 31) - 1;
  damaged("pixels", nphi({8, longest, longest, 8}));
  damaged("grid/nphi[1] = -8", nphi({8, -8, 8, 8}));
  damaged("grid/nphi[2] = 1099511627776", nphi({8, 8, std::ldexp(1, 40), 8}));
  damaged("pixels", nphi({8, 8, 8, 9}));
  damaged("rows", nphi({8, 8, 8}));
  damaged("grid/nphi[0] = 8.5", nphi({8.5, 8, 8, 8}));
  damaged("grid/theta[1] = nan", [&] {
    folder_.replace_column("map.h5", "grid", "theta", {0.5, std::nan(""), 1.9, 2.6});
  });
  damaged("lists 4 rings", [&] {
    folder_.attribute("map.h5", "grid", "kind", "healpix");
    folder_.attribute("map.h5", "grid", "nside", core::Index{1} << 29);
  });
  damaged("lists 4 rings", [&] {
    folder_.attribute("map.h5", "grid", "kind", "gauss");
    folder_.attribute("map.h5", "grid", "nlat", core::Index{4000000});
  });
  damaged(std::string(200, 'x') + "...'", [&] { folder_.attribute("map.h5", "grid", "kind", std::string(5000, 'x')); });
}

TEST_F(HeaderRefusals, Catalogues) {
  folder_.alm("a.h5", 8, 8, {"E", "B"});
  folder_.points("points.h5", {1, 2}, {3, 4});
  folder_.points("points0.h5", {1, 2}, {3, 4});
  folder_.points("values.h5", {1, 2}, {3, 4}, {1, 2, 3, 4}, {"Q", "U"});
  folder_.text("stars.csv", "name,RA,DEC\na,1,2\n");
  folder_.text("empty.csv", "RA,DEC\n");
  const auto input = [](const std::string& keys, std::vector<std::string> parts) {
    parts.emplace_back("inputs.p");
    return RefusedJob{"inputs:\n  a: {alm: a.h5}\n  p: {" + keys +
                          "}\nsteps:\n  - synthesis_at: {alm: a, points: p, out: b}\noutputs:\n  b: {file: b.h5}\n",
                      std::move(parts)};
  };
  EXPECT_NO_THROW(test::prepared(folder_, input("points: points.h5", {}).body));
  expect_refused(folder_,
                 {
                     input("points: empty.csv", {"empty.csv", "empty catalogue"}),
                     input("points: stars.csv, columns: [lon, lat], coordinates: lon_lat", {"stars.csv", "lon"}),
                     input("points: none.h5", {"none.h5"}),
                     input("points: \"points{0..3}.h5\"", {"inputs.p.points", "single file for all maps", "'values'"}),
                     input("values: points.h5", {"has points but no values"}),
                     input("points: a.h5", {"a.h5"}),
                     input("values: values.h5, fields: [T, Q, U]", {"fields T, Q, U from", "values.h5", "set fields"}),
                 });
  folder_.columns("empty.h5", "/", {{"theta", {}}, {"phi", {}}});
  expect_refused(folder_, {input("points: empty.h5", {"empty.h5", "empty catalogue"})});
}

}  // namespace
}  // namespace armilla::job
