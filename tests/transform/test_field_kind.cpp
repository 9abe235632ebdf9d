#include <armilla/core/error.hpp>
#include <armilla/transform/field_kind.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

using Names = std::vector<std::string>;
using Spins = std::vector<Index>;

TEST(FieldKind, NamesOfMapsAndOfAlmSayTheSame) {
  struct Case {
    Names maps, alm;
    Spins spins;
  };
  for (const Case& c : std::vector<Case>{{{"T"}, {"T"}, {0}},
                                         {{"Q", "U"}, {"E", "B"}, {2, 2}},
                                         {{"T", "Q", "U"}, {"T", "E", "B"}, {0, 2, 2}},
                                         {{"T", "Q", "U", "V"}, {"T", "E", "B", "V"}, {0, 2, 2, 0}},
                                         {{"U", "V"}, {"E_U", "B_V"}, {1, 1}},
                                         {{"T", "U", "V", "Z"}, {"T", "E_U", "B_V", "Z"}, {0, 1, 1, 0}},
                                         {{"VORTICITY", "DIVERGENCE"}, {"VORTICITY", "DIVERGENCE"}, {0, 0}},
                                         {{"V_THETA", "V_PHI"}, {"E_V_THETA", "B_V_PHI"}, {1, 1}},
                                         {{"RE3", "IM3", "Q", "U"}, {"E_RE3", "B_IM3", "E", "B"}, {3, 3, 2, 2}}}) {
    for (const Names& names : {c.maps, c.alm}) {
      const FieldKind kind = FieldKind::from_names(names);
      EXPECT_EQ(kind.map_names(), c.maps);
      EXPECT_EQ(kind.alm_names(), c.alm);
      EXPECT_EQ(kind.spins(), c.spins);
    }
  }
  EXPECT_EQ(FieldKind::from_names(Names{"I", "Q", "U"}).map_names(), (Names{"T", "Q", "U"}));
  EXPECT_EQ(FieldKind::from_names(Names{"Q"}, Spins{0}).spins(), Spins{0});
  EXPECT_EQ(FieldKind::spin(0).map_names(), Names{"T"});
}

TEST(FieldKind, PartsStandOneAfterTheOther) {
  const FieldKind kind = FieldKind::from_names(Names{"T", "A", "B2", "Q", "U", "Z"}, Spins{-1, 5, 5, -1, -1, 0});
  EXPECT_EQ(kind.alm_names(), (Names{"T", "E_A", "B_B2", "E", "B", "Z"}));
  EXPECT_EQ(kind.max_spin(), 5);
  ASSERT_EQ(kind.spin_fields().size(), 4u);
  EXPECT_EQ(kind.spin_fields()[1], (SpinField{5, 1, 2}));
  EXPECT_EQ(kind.spin_fields()[2], (SpinField{2, 3, 2}));
  EXPECT_EQ(kind.spin_fields()[3], (SpinField{0, 5, 1}));
  // What a file says comes back as it was.
  EXPECT_EQ(FieldKind::from_names(kind.alm_names(), kind.spins()).map_names(), kind.map_names());
  EXPECT_EQ(FieldKind::from_names(kind.map_names(), kind.spins()).alm_names(), kind.alm_names());
  const FieldKind lone = FieldKind::spin(3);
  EXPECT_EQ(FieldKind::from_names(lone.alm_names(), lone.spins()).map_names(), (Names{"RE3", "IM3"}));
}

std::string refusal(const Names& names, const Spins& spins = {}) {
  try {
    FieldKind::from_names(names, spins);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FieldKind, HalvesOfPairsAndTwinsAreRefused) {
  EXPECT_NE(refusal({"T", "Q"}).find("fields [T, Q] are not a known combination: Q is half of a pair"),
            std::string::npos);
  EXPECT_NE(refusal({"U", "Q"}).find("combination: U is half of a pair"), std::string::npos);
  EXPECT_NE(refusal({"RE3", "IM4"}).find("RE3 is half of a pair"), std::string::npos);
  EXPECT_NE(refusal({"Q"}).find("fields [Q] are not a known combination: Q is half of a pair: specify both, as Q, U in "
                                "this order, or spin 0 to treat Q as a scalar"),
            std::string::npos);
  EXPECT_NE(refusal({"U"}).find("specify both, as Q, U or U, V in this order"), std::string::npos);
  EXPECT_NE(refusal({"E"}).find("specify both, as E, B in this order"), std::string::npos);
  EXPECT_NE(refusal({"T", "B"}).find("specify both, as E, B in this order"), std::string::npos);
  EXPECT_NE(refusal({"IM3"}).find("specify both, as RE3, IM3 in this order"), std::string::npos);
  EXPECT_EQ(refusal({"V"}), "");
  EXPECT_NE(refusal({"T", "A", "B"}, {0, 3, 0}).find("A is half of a pair"), std::string::npos);
  EXPECT_NE(refusal({"T", "T"}).find("contain the name T twice"), std::string::npos);
  EXPECT_NE(refusal({}).find("specify at least one"), std::string::npos);
}

}  // namespace
}  // namespace armilla::transform
