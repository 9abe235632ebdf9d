#include <armilla/job/parse/foreign_words.hpp>
#include <armilla/job/parse/nearest_key.hpp>
#include <armilla/job/parse/operation_kind.hpp>

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
  EXPECT_EQ(did_you_mean("lmax", {}), "no keys are expected here");
}

TEST(NearestKey, MessageNamesTheNearestAndAll) {
  EXPECT_EQ(did_you_mean("ou", kKeys), "did you mean 'out'? Known: map, lmax, mmax, method, allow_aliasing, out");
}

TEST(ForeignWords, SayWhatArmillaHas) {
  EXPECT_EQ(foreign_word("iter"),
            "this is a healpy name; the equivalent in Armilla is `method: {jacobi: {iterations: 3}}` of an analysis");
  EXPECT_EQ(foreign_word("anafast"),
            "this is a HEALPix name; the equivalent in Armilla is the step `analysis`, then the step `spectra`");
  EXPECT_EQ(foreign_word("lmx"), "");
}

TEST(ForeignWords, AreAllThere) {
  for (const char* word : {"iter", "map2alm", "alm2map", "anafast", "synfast", "smoothing", "pixwin", "remove_dipole",
                           "ud_grade", "use_weights", "pol", "use_pixel_weights", "nside", "sigma", "fwhm"})
    EXPECT_NE(foreign_word(word), "") << word;
}

TEST(ForeignWords, AreNoStepsOfArmilla) {
  for (const OperationKind& kind : operation_kinds()) EXPECT_EQ(foreign_word(kind.name), "") << kind.name;
}

TEST(ForeignWords, ComeBeforeTheNearestKey) {
  EXPECT_EQ(explain_unknown("fwhm", std::vector<std::string>{"alm", "fwhm_arcmin"}),
            "this is a healpy name; the equivalent in Armilla is `fwhm_arcmin`, in arc minutes, not radians. Known: "
            "alm, fwhm_arcmin");
  EXPECT_EQ(explain_unknown("ou", kKeys), did_you_mean("ou", kKeys));
}

}  // namespace
}  // namespace armilla::job
