#include <armilla/job/parse/foreign_words.hpp>
#include <armilla/job/parse/nearest_key.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace armilla::job {

namespace {

struct ForeignWord {
  std::string_view word;
  std::string_view origin;
  std::string_view here;
};

constexpr std::string_view kSpectra = "the step `analysis`, then the step `spectra`";
constexpr std::string_view kRandomMap = "the step `random_alm`, then the step `synthesis`";
constexpr std::string_view kRingWeights =
    "`method: ring_weights`, or with iterations `method: {jacobi: {iterations: 3, weights: ring}}`,";
constexpr std::string_view kPixelWeights =
    "`method: pixel_weights`, or with iterations `method: {jacobi: {iterations: 3, weights: pixel}}`,";

// Each `here` fits between "is" and "here".
constexpr auto kForeignWords = std::to_array<ForeignWord>({
    // functions and programs
    {"map2alm", "healpy", "the step `analysis`"},
    {"map2alm_spin", "healpy", "the step `analysis` of an input with `spin`"},
    {"map2alm_lsq", "healpy", "the step `analysis` with `tolerance: 1e-10`"},
    {"alm2map", "healpy", "the step `synthesis`"},
    {"alm2map_spin", "healpy", "the step `synthesis` of an input with `spin`"},
    {"alm2map_der1", "healpy", "the step `gradient`"},
    {"anafast", "HEALPix", kSpectra},
    {"alm2cl", "healpy", "the step `spectra`"},
    {"synfast", "HEALPix", kRandomMap},
    {"synalm", "healpy", "the step `random_alm`"},
    {"smoothing", "HEALPix", "the step `smooth` of coefficients (`analysis` before, `synthesis` after)"},
    {"smoothalm", "healpy", "the step `smooth`"},
    {"almxfl", "healpy", "the step `multiply` with `by: {window: FILE}`"},
    {"pixwin", "healpy", "the step `multiply` with `by: {window: pixel_window_n0512.fits}`, HEALPix's file,"},
    {"ud_grade", "HEALPix", "the step `regrid` with `grid: {healpix: {nside: 64}}`, in harmonic space,"},
    {"rotate_alm", "healpy", "the step `rotate`"},
    {"remove_monopole", "healpy", "`remove_monopole: true` of an input"},
    {"remove_dipole", "healpy",
     "`remove_monopole: true` of an input for the mean, and for both "
     "`multiply: {by: {l_range: [2, 1000]}}` of coefficients"},
    {"mollview", "healpy", "`armilla view MAP -o picture.png`"},
    {"read_map", "healpy", "an input with `map: FILE`"},
    {"read_alm", "healpy", "an input with `alm: FILE`"},
    {"write_map", "healpy", "an item of `outputs`"},
    // arguments and parameters
    {"iter", "healpy", "`method: {jacobi: {iterations: 3}}` of an analysis"},
    {"iter_order", "HEALPix", "`method: {jacobi: {iterations: 3}}` of an analysis"},
    {"niter", "HEALPix", "`method: {jacobi: {iterations: 3}}` of an analysis"},
    {"use_weights", "healpy", kRingWeights},
    {"use_pixel_weights", "healpy", kPixelWeights},
    {"pol", "healpy", "`fields: [T, Q, U]` of an input for true, `fields: [T]` for false"},
    {"nside", "HEALPix", "`grid: {healpix: {nside: 64}}` of a step that makes a map"},
    {"nside_out", "healpy", "`grid: {healpix: {nside: 64}}`"},
    {"nlmax", "HEALPix", "`lmax`"},
    {"fwhm", "healpy", "`fwhm_arcmin`, in arc minutes and not radians,"},
    {"sigma", "healpy", "`fwhm_arcmin`, which is 8095.3 times sigma in radians,"},
    {"beam_window", "healpy", "the step `multiply` with `by: {window: FILE}`"},
    {"nest", "healpy", "`ordering: nested` of an output (inputs say it in their files)"},
    {"gal_cut", "healpy", "the step `mask`"},
    {"theta_cut_deg", "HEALPix", "the step `mask`"},
});

}  // namespace

std::string foreign_word(std::string_view word) {
  const auto* found = std::ranges::find(kForeignWords, word, &ForeignWord::word);
  if (found == kForeignWords.end()) return {};
  return fmt::format("'{}' of {} is {} here", word, found->origin, found->here);
}

std::string explain_unknown(std::string_view word, std::span<const std::string> known) {
  const std::string foreign = foreign_word(word);
  return foreign.empty() ? did_you_mean(word, known) : fmt::format("{}. Known: {}", foreign, fmt::join(known, ", "));
}

}  // namespace armilla::job
