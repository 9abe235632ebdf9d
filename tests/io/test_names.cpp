#include <armilla/io/field_names.hpp>
#include <armilla/io/fits_alm.hpp>

#include <gtest/gtest.h>

namespace armilla::test {

TEST(FieldNames, SpellingsOfHealpixHealpyAndWmapAreKnown) {
  EXPECT_EQ(io::field_of_column("I_STOKES"), "T");
  EXPECT_EQ(io::field_of_column("TEMPERATURE "), "T");
  EXPECT_EQ(io::field_of_column("Q-POLARISATION"), "Q");
  EXPECT_EQ(io::field_of_column("Q_POLARISATION"), "Q");
  EXPECT_EQ(io::field_of_column("u polarization"), "U");
  EXPECT_EQ(io::field_of_column("U_STOKES"), "U");
  EXPECT_EQ(io::field_of_column("N_OBS"), "N_OBS");
  EXPECT_EQ(io::field_of_column("Q_STOKES_INP"), "Q_STOKES_INP");
  EXPECT_EQ(io::stokes_of_column("I_STOKES_INP"), "T");
  EXPECT_EQ(io::stokes_of_column("Q_STOKES_INP"), "Q");
  EXPECT_EQ(io::stokes_of_column("U_POLARISATION"), "U");
  EXPECT_EQ(io::stokes_of_column("TMASK_INP"), "TMASK_INP");
  EXPECT_EQ(io::spectrum_of_column("GRADIENT"), "EE");
  EXPECT_EQ(io::spectrum_of_column("G-T"), "TE");
  EXPECT_EQ(io::spectrum_of_column("C-T"), "TB");
  EXPECT_EQ(io::spectrum_of_column("C-G"), "EB");
  EXPECT_EQ(io::spectrum_of_column("et"), "TE");
  EXPECT_EQ(io::coordsys_of("Galactic"), "G");
  EXPECT_EQ(io::coordsys_of("gal"), "G");
  EXPECT_EQ(io::coordsys_of("ECL"), "E");
  for (const char* equatorial : {"CEL", "EQU", "ICRS", "Celestial2000"}) EXPECT_EQ(io::coordsys_of(equatorial), "C");
  EXPECT_EQ(io::coordsys_of("unknown"), "");
}

TEST(Names, AnExactNameComesBeforeOthersOfTheSameField) {
  using Found = std::vector<core::Index>;
  io::FieldMetadata planck{.columns = {"I_STOKES", "TEMPERATURE", "Q_STOKES", "Hits"}};
  planck.fields = io::fields_of_columns(planck.columns);
  EXPECT_EQ(planck.fields, (std::vector<std::string>{"I_STOKES", "TEMPERATURE", "Q", "Hits"}));
  EXPECT_EQ(io::components_named(planck, "TEMPERATURE"), Found{1});
  EXPECT_EQ(io::components_named(planck, "temperature"), Found{1});
  EXPECT_EQ(io::components_named(planck, "T"), (Found{0, 1}));
  EXPECT_EQ(io::components_named(planck, "STOKES_Q"), Found{2});
  EXPECT_EQ(io::components_named(planck, "HITS"), Found{3});
  EXPECT_EQ(io::components_named(planck, "U"), Found{});
  const io::FieldMetadata air{.fields = {"TEMPERATURE", "q", "Q"}};  // HDF5
  EXPECT_EQ(io::components_named(air, "T"), Found{});
  EXPECT_EQ(io::components_named(air, "Q"), Found{2});
  EXPECT_EQ(io::components_named(air, "q"), Found{1});
}

TEST(Names, ListsKeepCommasOfTheirParts) {
  const std::vector<std::string> units{"mK,thermodynamic", "K", ""};
  EXPECT_EQ(io::join_list(units), "\"mK,thermodynamic\",K,");
  EXPECT_EQ(io::split_list(io::join_list(units)), units);
  EXPECT_EQ(io::split_list(" a , \"b, c\" ,d"), (std::vector<std::string>{"a", "b, c", "d"}));
  EXPECT_EQ(io::split_list("\"a,b"), (std::vector<std::string>{"\"a", "b"}));
  EXPECT_EQ(io::per_component({"mK,thermodynamic"}, 1), (std::vector<std::string>{"mK,thermodynamic"}));
  EXPECT_EQ(io::per_component({"a,b", "c"}, 2), (std::vector<std::string>{"a,b", "c"}));
}

TEST(FitsAlmIndex, InverseHoldsAlsoWhereDoubleRounds) {
  for (const core::Index l : {0L, 1L, 2L, 1000L, 46340L, 94906265L, 94906266L, 200000000L})
    for (const core::Index m : {core::Index{0}, l / 2, l}) {
      const io::Degree d = io::degree_of_fits_index(io::fits_index_of(l, m));
      EXPECT_EQ(d.l, l);
      EXPECT_EQ(d.m, m);
    }
}

}  // namespace armilla::test
