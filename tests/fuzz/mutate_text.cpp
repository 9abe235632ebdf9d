#include <array>
#include <string>

#include "targets.hpp"
#include <fmt/format.h>

namespace armilla::fuzz {

namespace {

using Words = std::span<const std::string_view>;

constexpr auto kColumns = std::to_array<std::string_view>({
    "L",   "TT", "EE",        "BB",    "TE",   "EB",    "TB", "PP",    "TP",   "EP",   "l",
    "ELL", "#",  "# L TT EE", "unit:", "uK^2", ",",     ";",  "TT TT", "0x10", "1d-3", "1e",
    "--1", "+1", "nan",       "inf",   "-inf", "1e400", "\t", "\r",    "\n",   "\n\n", "\xc2\xb5K",
});

constexpr auto kPointColumns = std::to_array<std::string_view>({
    "theta", "phi", "THETA",   "Phi",       "ra",      "dec",          "lon",         "lat",         "a",
    "b",     "c",   "T",       "Q",         "U",       "q_stokes",     "#",           ",",           ";",
    "\"a\"", "\"",  "# a b c", "theta,phi", "# unit:", "# spins:",     "# coordsys:", "# polcconv:", "IAU",
    "0,2",   "mK",  "nan",     "-inf",      "1e400",   "-1.6375e30",   "4",           "-1",          "3.2",
    "+1",    "\t",  "\r",      "\n",        "\n\n",    "\xef\xbb\xbf",
});

constexpr auto kJobWords = std::to_array<std::string_view>({
    "version",
    "inputs",
    "steps",
    "outputs",
    "execution",
    "map",
    "alm",
    "spectra",
    "mask",
    "file",
    "out",
    "lmax",
    "mmax",
    "grid",
    "healpix",
    "nside",
    "ring",
    "nested",
    "gauss",
    "nlat",
    "nphi",
    "equiangular",
    "rule",
    "cc",
    "f1",
    "f2",
    "mw",
    "mwflip",
    "dh",
    "octahedral",
    "reduced_gauss",
    "rings",
    "random_alm",
    "spectrum",
    "spectrum_kind",
    "dl",
    "cl",
    "fields",
    "[T]",
    "[T, Q, U]",
    "[E, B]",
    "[T, E, B]",
    "seed",
    "maps",
    "synthesis",
    "analysis",
    "adjoint_synthesis",
    "adjoint_analysis",
    "gradient",
    "adjoint_gradient",
    "regrid",
    "smooth",
    "fwhm_arcmin",
    "multiply",
    "by",
    "window",
    "l_range",
    "[20, 40]",
    "laplacian_power",
    "add",
    "with",
    "factors",
    "scale",
    "factor",
    "resize",
    "rotate",
    "euler_deg",
    "to",
    "galactic",
    "equatorial",
    "ecliptic",
    "from",
    "compare",
    "reference",
    "statistics",
    "decouple",
    "leakage",
    "b_map",
    "template",
    "method",
    "quadrature",
    "ring_weights",
    "pixel_weights",
    "jacobi",
    "immediate",
    "cg",
    "lsmr",
    "iterations",
    "weights",
    "uniform",
    "area",
    "tolerance",
    "max_iterations",
    "allow_unconverged",
    "inverse_variance",
    "degree",
    "allow_aliasing",
    "only",
    "axes",
    "east_north",
    "radius_m",
    "precision",
    "single",
    "double",
    "ordering",
    "convention",
    "norm",
    "4pi",
    "schmidt",
    "unnormalised",
    "phase",
    "none",
    "basis",
    "real",
    "backend",
    "cpu",
    "auto",
    "engine",
    "fast",
    "threads",
    "batch",
    "map_groups",
    "on_bad_map",
    "skip",
    "at_most",
    "1%",
    "stop",
    "on_nonfinite",
    "warn",
    "error",
    "bad_data",
    "zero",
    "keep",
    "remove_monopole",
    "true",
    "false",
    "null",
    "~",
    "immediate",
    "theta_resampling",
    "on",
    "off",
    "sky",
    "sky_alm",
    "sky.h5",
    "sky.fits",
    "alm.h5",
    "alm.fits",
    "cl.dat",
    "rings.h5",
    "maps.h5",
    "\"*.h5\"",
    "\"map_{0..6}.h5\"",
    "\"{0..99999999999}.h5\"",
    "\"{}.h5\"",
    "\"{:04}.h5\"",
    "$HOME/maps.h5",
    "out.h5",
    "/dev/null",
    ".",
    "..",
    "''",
    "\"\"",
    "{}",
    "[]",
    "*a",
    "&a",
    "<<",
    "!!int",
    "!!float",
    "|",
    ">",
    "? ",
    "- ",
    "[[",
    "{a: {b: {c: {d: 1}}}}",
    "\t",
    "%YAML 1.1",
    "---",
    "...",
    "\xff",
    "0x10",
    "1_000",
    "1e3",
    ".inf",
    ".nan",
    "-0",
    "01",
    "0o17",
    "yes",
    "{healpix: {nside: 16777216}}",
    "{gauss: {nlat: 4000000}}",
    "{reduced_gauss: {nlat: 1000000}}",
    "{octahedral: {nlat: 1000000}}",
    "latitude",
    "[-10, 10]",
    "region",
    "rings_file",
    "part",
    "theta",
    "phi",
});

/// A text as words and what stands between them.
std::vector<std::string> split(const Bytes& file, std::string_view separators) {
  std::vector<std::string> tokens;
  for (const std::uint8_t byte : file) {
    const char character = static_cast<char>(byte);
    const bool separates = separators.find(character) != std::string_view::npos;
    if (tokens.empty() || separates || separators.find(tokens.back().back()) != std::string_view::npos)
      tokens.emplace_back();
    tokens.back() += character;
  }
  return tokens;
}

Bytes join(const std::vector<std::string>& tokens) {
  Bytes file;
  for (const std::string& token : tokens) file.insert(file.end(), token.begin(), token.end());
  return file;
}

std::string word(Random& random, Words words) {
  switch (random.below(5)) {
    case 0:
      return fmt::format("{}", random.whole());
    case 1:
      return fmt::format("{}", random.number());
    default:
      return std::string(random.of(words));
  }
}

/// Words, and whole lines, are replaced, dropped, doubled and moved.
void change(std::vector<std::string>& tokens, Random& random, Words words) {
  const auto at = [&tokens](std::size_t place) { return tokens.begin() + static_cast<std::ptrdiff_t>(place); };
  const std::size_t place = random.below(tokens.size());
  // From `place` to the end of its line.
  std::size_t end = place;
  while (end < tokens.size() && tokens[end] != "\n") ++end;
  switch (random.below(10)) {
    case 0:
      tokens.erase(at(place));
      break;
    case 1:
      tokens.erase(at(place), at(end));
      break;
    case 2: {
      const std::vector<std::string> line(at(place), at(end));
      tokens.insert(at(random.below(tokens.size())), line.begin(), line.end());
      break;
    }
    case 3:
      std::swap(tokens[place], tokens[random.below(tokens.size())]);
      break;
    case 4:
      tokens.insert(at(place), word(random, words));
      break;
    case 5:
      tokens[place] = tokens[random.below(tokens.size())];
      break;
    case 6:
      tokens.insert(at(place),
                    random.of<std::string>({"\n", " ", "  ", ": ", "{", "}", "[", "]", ", ", "#", "\"", "'"}));
      break;
    default:
      tokens[place] = word(random, words);
  }
}

void mutate_words(Bytes& file, Random& random, std::string_view separators, Words words) {
  std::vector<std::string> tokens = split(file, separators);
  for (std::size_t i = 0, changes = 1 + random.below(3); i < changes && !tokens.empty(); ++i)
    change(tokens, random, words);
  file = join(tokens);
}

}  // namespace

void mutate_text_spectra(Bytes& file, std::size_t, Random& random, const ByteMutator&) {
  mutate_words(file, random, " \t\n\r,", kColumns);
}

void mutate_text_points(Bytes& file, std::size_t, Random& random, const ByteMutator&) {
  mutate_words(file, random, " \t\n\r,", kPointColumns);
}

void mutate_job(Bytes& file, std::size_t, Random& random, const ByteMutator&) {
  mutate_words(file, random, " \t\n\r,:{}[]\"#", kJobWords);
}

}  // namespace armilla::fuzz
