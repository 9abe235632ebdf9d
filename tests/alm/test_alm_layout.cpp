#include <armilla/alm/alm_layout.hpp>
#include <armilla/alm/spectra_table.hpp>
#include <armilla/core/error.hpp>

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::alm {
namespace {

TEST(AlmLayout, EveryIndexIsUsedOnceInOrder) {
  for (const auto& layout : {AlmLayout(0, 0), AlmLayout(5, 5), AlmLayout(9, 4), AlmLayout(7, 0)}) {
    Index next = 0;
    for (Index m = 0; m <= layout.mmax(); ++m)
      for (Index l = m; l <= layout.lmax(); ++l) EXPECT_EQ(layout.index(l, m), next++);
    EXPECT_EQ(layout.size(), next);
  }
}

TEST(AlmLayout, IndicesBeyondThirtyTwoBits) {
  const AlmLayout layout(100000, 100000);
  EXPECT_EQ(layout.size(), Index{100001} * 100002 / 2);
  EXPECT_EQ(layout.index(100000, 100000), layout.size() - 1);
}

TEST(AlmLayout, LmaxOfSizeInvertsSize) {
  for (const Index lmax : {0, 1, 2, 10, 4095, 100000})
    EXPECT_EQ(AlmLayout::lmax_of_size(AlmLayout(lmax, lmax).size()), lmax);
  for (const Index size : {0, 2, 4, 5, 7}) EXPECT_EQ(AlmLayout::lmax_of_size(size), -1);
  for (const Index size : {Index{-1}, Index{1} << 50, std::numeric_limits<Index>::max()})
    EXPECT_EQ(AlmLayout::lmax_of_size(size), -1);
}

TEST(AlmLayout, RefusesWhatDoesNotFit) {
  EXPECT_THROW(AlmLayout(-1, 0), core::InputError);
  try {
    AlmLayout(5, 6);
    FAIL();
  } catch (const core::InputError& error) {
    EXPECT_STREQ(error.what(), "mmax = 6 is outside 0 .. lmax = 5: lower mmax or raise lmax");
  }
}

TEST(SpectraTable, FindsAColumnByEitherOrderOfItsLetters) {
  SpectraTable table;
  table.lmax = 1;
  table.names = {"TT", "TE"};
  table.columns = {{1, 2}, {3, 4}};
  EXPECT_EQ(table.find("ET"), &table.columns[1]);
  EXPECT_EQ(table.find("TT"), &table.columns[0]);
  EXPECT_EQ(table.find("BB"), nullptr);
}

}  // namespace
}  // namespace armilla::alm
