#include <armilla/backend/options.hpp>
#include <armilla/core/error.hpp>

#include <string>

#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

TEST(BackendKinds, HaveTheNamesThatAreParsed) {
  EXPECT_EQ(kind_names(), (std::vector<std::string>{"auto", "cuda", "cpu"}));
  for (const Kind kind : {Kind::kAuto, Kind::kCuda, Kind::kCpu}) {
    EXPECT_EQ(kind_of(name_of(kind)), kind);
    EXPECT_EQ(kind_names()[static_cast<std::size_t>(kind)], name_of(kind));
  }
}

TEST(BackendKinds, AreListedWhereANameIsUnknown) {
  try {
    kind_of("gpu");
    FAIL() << "no error";
  } catch (const core::InputError& error) {
    EXPECT_STREQ(error.what(), "backend gpu does not exist: use one of auto, cuda, cpu");
  }
}

}  // namespace
}  // namespace armilla::backend
