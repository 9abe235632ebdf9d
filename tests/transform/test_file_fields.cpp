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
  EXPECT_EQ(kind_of_file(1, {}, {}), FieldKind::scalar());
  EXPECT_EQ(kind_of_file(1, Names{"TEMPERATURE"}, {}), FieldKind::scalar("TEMPERATURE"));
  EXPECT_EQ(kind_of_file(3, {}, {}), FieldKind::temperature_polarisation());
  EXPECT_EQ(kind_of_file(3, Names{"I", "Q", "U"}, {}), FieldKind::temperature_polarisation());
  EXPECT_EQ(kind_of_file(2, Names{"T", "N"}, Numbers{0, 0}).components(), 2);
  EXPECT_THROW(kind_of_file(2, {}, {}), core::InputError);
  EXPECT_THROW(kind_of_file(2, Names{"TEMPERATURE", "N_OBS"}, {}), core::InputError);
}

TEST(FileFields, ComponentsAreFoundByEitherNameOrByNumber) {
  const FieldKind polarisation = FieldKind::polarisation();
  EXPECT_EQ(choose_components(polarisation, 3, Names{"I", "Q", "U"}), (Numbers{1, 2}));
  EXPECT_EQ(choose_components(polarisation, 3, Names{"T", "E", "B"}), (Numbers{1, 2}));
  EXPECT_EQ(choose_components(FieldKind::scalar("I"), 3, Names{"T", "Q", "U"}), Numbers{0});
  EXPECT_EQ(choose_components(FieldKind::scalar(), 1, Names{"DUST"}), Numbers{0});
  EXPECT_EQ(choose_components(polarisation, 2, Names{"X", "Y"}, true), (Numbers{0, 1}));
  EXPECT_TRUE(choose_components(polarisation, 2, Names{"X", "Y"}).empty());
  EXPECT_TRUE(choose_components(polarisation, 3, {}).empty());
}

}  // namespace
}  // namespace armilla::transform
