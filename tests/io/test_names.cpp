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
  EXPECT_EQ(io::coordsys_of("unknown"), "");
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
