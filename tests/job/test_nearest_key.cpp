#include <armilla/job/parse/nearest_key.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::job {
namespace {

const std::vector<std::string> kKeys{"map", "lmax", "mmax", "method", "allow_aliasing", "out"};

TEST(NearestKey, FindsLettersLeftOutAddedAndExchanged) {
  EXPECT_EQ(nearest_key("lmx", kKeys), "lmax");
  EXPECT_EQ(nearest_key("lmaxx", kKeys), "lmax");
  EXPECT_EQ(nearest_key("mehtod", kKeys), "method");
  EXPECT_EQ(nearest_key("alow_aliasing", kKeys), "allow_aliasing");
  EXPECT_EQ(nearest_key("nmax", kKeys), "lmax");  // lmax and mmax are equally near: the first
}

TEST(NearestKey, ABeginningIsNearest) {
  EXPECT_EQ(nearest_key("fwhm", std::vector<std::string>{"alm", "fwhm_arcmin"}), "fwhm_arcmin");
}

TEST(NearestKey, KnowsNothingWhereNothingIsKnown) {
  EXPECT_EQ(nearest_key("lmax", {}), "");
  EXPECT_EQ(did_you_mean("lmax", {}), "nothing goes here");
}

TEST(NearestKey, MessageNamesTheNearestAndAll) {
  EXPECT_EQ(did_you_mean("ou", kKeys), "did you mean 'out'? Known: map, lmax, mmax, method, allow_aliasing, out");
}

}  // namespace
}  // namespace armilla::job
