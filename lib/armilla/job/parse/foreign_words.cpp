#include <armilla/job/parse/foreign_words.hpp>
#include <armilla/job/parse/nearest_key.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job {

namespace {

struct ForeignWord {
  std::string_view word;
  std::string_view origin;
  std::string_view key;      ///< in a job
  std::string_view command;  ///< on the command line
};

constexpr std::string_view kSpectra = "the step `analysis`, then the step `spectra`";
constexpr std::string_view kRandomMap = "the step `random_alm`, then the step `synthesis`";
constexpr std::string_view kRingWeights =
    "`method: ring_weights`, or with iterations `method: {jacobi: {iterations: 3, weights: ring}}`";
constexpr std::string_view kPixelWeights =
    "`method: pixel_weights`, or with iterations `method: {jacobi: {iterations: 3, weights: pixel}}`";

// Each `key` and `command` completes "this is a healpy name; the equivalent in Armilla is ".
constexpr auto kForeignWords = std::to_array<ForeignWord>({
    // functions and programs
    {"map2alm", "healpy", "the step `analysis`", "`armilla analysis MAP --lmax 1000 --method jacobi=3 -o ALM`"},
    {"map2alm_spin", "healpy", "the step `analysis` of an input with `spin`",
     "`armilla analysis MAP --spin 2 --lmax 1000 -o ALM`"},
    {"map2alm_lsq", "healpy", "the step `analysis` with `tolerance: 1e-10`",
     "`armilla analysis MAP --lmax 1000 --tolerance 1e-10 -o ALM`"},
    {"alm2map", "healpy", "the step `synthesis`", "`armilla synthesis ALM --grid healpix:512 -o MAP`"},
    {"alm2map_spin", "healpy", "the step `synthesis` of an input with `spin`",
     "`armilla synthesis ALM --spin 2 --grid healpix:512 -o MAP`"},
    {"alm2map_der1", "healpy", "the step `gradient`", "`armilla gradient ALM --grid healpix:512 -o MAP`"},
    {"anafast", "HEALPix", kSpectra, "`armilla spectra MAP --lmax 1000 -o CL`"},
    {"alm2cl", "healpy", "the step `spectra`", "`armilla spectra ALM -o CL`"},
    {"synfast", "HEALPix", kRandomMap,
     "`armilla random_alm --spectrum CL --lmax 1000 --fields T -o ALM`, then `armilla synthesis`"},
    {"synalm", "healpy", "the step `random_alm`", "`armilla random_alm --spectrum CL --lmax 1000 --fields T -o ALM`"},
    {"smoothing", "HEALPix", "the step `smooth` for coefficients (between `analysis` and `synthesis`)",
     "`armilla smooth MAP --fwhm-arcmin 60 -o MAP`"},
    {"smoothalm", "healpy", "the step `smooth`", "`armilla smooth ALM --fwhm-arcmin 60 -o ALM`"},
    {"almxfl", "healpy", "the step `multiply` with `by: {window: FILE}`",
     "`armilla multiply ALM --by-window FILE -o ALM`"},
    {"pixwin", "healpy", "the step `multiply` with `by: {window: pixel_window_n0512.fits}`, with the file from HEALPix",
     "`armilla multiply ALM --by-window pixel_window_n0512.fits -o ALM`, with the file from HEALPix"},
    {"ud_grade", "HEALPix", "the step `regrid` with `grid: {healpix: {nside: 64}}`, in harmonic space",
     "`armilla regrid MAP --grid healpix:64 -o MAP`, in harmonic space"},
    {"rotate_alm", "healpy", "the step `rotate`", "`armilla rotate ALM --euler-deg PSI,THETA,PHI -o ALM`"},
    {"remove_monopole", "healpy", "`remove_monopole: true` of an input", "`--remove-monopole`"},
    {"remove_dipole", "healpy",
     "`remove_monopole: true` of an input for the mean, and the step `multiply` with `by: {l_range: [2, 1000]}` for "
     "both",
     "`--remove-monopole` for the mean, and `armilla multiply MAP --by-l-range 2,1000 -o MAP` for both"},
    {"mollview", "healpy", "`armilla view MAP -o picture.png`", "`armilla view MAP -o picture.png`"},
    {"read_map", "healpy", "an input with `map: FILE`", "the first file of a command"},
    {"read_alm", "healpy", "an input with `alm: FILE`", "the first file of a command"},
    {"write_map", "healpy", "an item of `outputs`", "`-o FILE`"},
    // arguments and parameters
    {"iter", "healpy", "`method: {jacobi: {iterations: 3}}` of an analysis", "`--method jacobi=3`"},
    {"iter_order", "HEALPix", "`method: {jacobi: {iterations: 3}}` of an analysis", "`--method jacobi=3`"},
    {"niter", "HEALPix", "`method: {jacobi: {iterations: 3}}` of an analysis", "`--method jacobi=3`"},
    {"use_weights", "healpy", kRingWeights,
     "`--method ring_weights`, or with iterations `--method '{jacobi: {iterations: 3, weights: ring}}'`"},
    {"use_pixel_weights", "healpy", kPixelWeights,
     "`--method pixel_weights`, or with iterations `--method '{jacobi: {iterations: 3, weights: pixel}}'`"},
    {"pol", "healpy", "`fields: [T, Q, U]` of an input for true, `fields: [T]` for false",
     "`--fields T,Q,U` for true, `--fields T` for false"},
    {"nside", "HEALPix", "`grid: {healpix: {nside: 64}}` of a step that makes a map", "`--grid healpix:64`"},
    {"nside_out", "healpy", "`grid: {healpix: {nside: 64}}`", "`--grid healpix:64`"},
    {"nlmax", "HEALPix", "`lmax`", "`--lmax`"},
    {"fwhm", "healpy", "`fwhm_arcmin`, in arc minutes, not radians", "`--fwhm-arcmin`, in arc minutes, not radians"},
    {"sigma", "healpy", "`fwhm_arcmin`, which is 8095.3 times sigma in radians",
     "`--fwhm-arcmin`, which is 8095.3 times sigma in radians"},
    {"beam_window", "healpy", "the step `multiply` with `by: {window: FILE}`",
     "`armilla multiply MAP --by-window FILE -o MAP`"},
    {"nest", "healpy", "`ordering: nested` of an output (input files specify their own ordering)",
     "`--ordering nested` for the result (input files specify their own ordering)"},
    {"gal_cut", "healpy", "the step `mask`", "`armilla mask MAP --mask FILE -o MAP`"},
    {"theta_cut_deg", "HEALPix", "the step `mask`", "`armilla mask MAP --mask FILE -o MAP`"},
});

}  // namespace

std::string foreign_word(std::string_view word, WordPlace place) {
  std::string name(word);
  if (place == WordPlace::kCommand) std::ranges::replace(name, '-', '_');
  const auto* found = std::ranges::find(kForeignWords, name, &ForeignWord::word);
  if (found == kForeignWords.end()) return {};
  return fmt::format("this is a {} name; the equivalent in Armilla is {}", found->origin,
                     place == WordPlace::kCommand ? found->command : found->key);
}

std::string explain_unknown(std::string_view word, std::span<const std::string> known, WordPlace place) {
  const std::string foreign = foreign_word(word, place);
  return foreign.empty() ? did_you_mean(word, known) : fmt::format("{}. Known: {}", foreign, fmt::join(known, ", "));
}

}  // namespace armilla::job
