#include <armilla/core/error.hpp>
#include <armilla/transform/file_fields.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<Index>;

TEST(FileFields, AreWhatTheFileSaysAndNoMore) {
  EXPECT_EQ(kind_of_file(Names{""}, {}), FieldKind::scalar());
  EXPECT_EQ(kind_of_file(Names{"TEMPERATURE"}, {}), FieldKind::scalar("TEMPERATURE"));
  EXPECT_EQ(kind_of_file(Names{"I", "Q", "U"}, Numbers{0, 2, 2}), FieldKind::temperature_polarisation());
  EXPECT_EQ(kind_of_file(Names{"T", "N"}, Numbers{0, 0}).components(), 2);
  EXPECT_THROW(kind_of_file(Names{"T", "Q", "U"}, {}), core::InputError);
  EXPECT_THROW(kind_of_file(Names{"T", "N_OBS"}, Numbers{0, -1}), core::InputError);
}

TEST(FileFields, PairsAreKnownByTheirNames) {
  EXPECT_EQ(spin_of_pair("Q", "U"), 2);
  EXPECT_EQ(spin_of_pair("U", "V"), 1);
  EXPECT_EQ(spin_of_pair("RE3", "IM3"), 3);
  EXPECT_EQ(spin_of_pair("q", "u"), std::nullopt);
  EXPECT_EQ(spin_of_pair("T", "Q"), std::nullopt);
  EXPECT_EQ(spin_of_pair("A", "B2"), std::nullopt);
}

}  // namespace
}  // namespace armilla::transform
