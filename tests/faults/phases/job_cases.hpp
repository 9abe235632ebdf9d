#pragma once

namespace armilla::test {

/// A job, without its first line.
struct Case {
  const char* name;
  const char* text;
};

inline constexpr Case kSynthesis{"synthesis", R"(
steps:
  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 12, seed: 5, out: truth}
  - smooth:     {alm: truth, fwhm_arcmin: 100, out: smooth_sky}
  - rotate:     {alm: smooth_sky, from: galactic, to: equatorial, out: turned}
  - synthesis:  {alm: turned, grid: {gauss: {nlat: 14}}, out: map}
  - analysis:   {map: map, lmax: 12, out: found}
  - compare:    {alm: found, reference: turned}
  - spectra:    {alm: found, out: cl}
outputs:
  map:   {file: out/map.h5}
  found: {file: out/found.fits}
  turned: {file: out/turned.h5}
  cl:    {file: out/cl.dat}
)"};

inline constexpr Case kIteration{"iterated analysis", R"(
inputs:
  sky: {map: tqu.h5}
steps:
  - analysis:   {map: sky, lmax: 8, method: {jacobi: {iterations: 2}}, out: found}
  - synthesis:  {alm: found, grid: {healpix: {nside: 4}}, out: map}
outputs:
  found: {file: out/found.h5}
  map:   {file: out/map.fits}
)"};

inline constexpr Case kFit{"fit", R"(
inputs:
  sky:  {map: tqu.h5}
  mask: {map: mask.h5}
steps:
  - analysis: {map: sky, lmax: 6, method: {cg: {tolerance: 0.3, mask: mask}}, out: by_cg}
  - analysis: {map: sky, lmax: 6, method: {lsmr: {tolerance: 0.3, mask: mask}}, out: by_lsmr}
outputs:
  by_cg:   {file: out/by_cg.h5}
  by_lsmr: {file: out/by_lsmr.h5}
)"};

inline constexpr Case kPoints{"points", R"(
inputs:
  places: {points: places.csv, coordinates: lon_lat}
steps:
  - random_alm:           {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 8, seed: 5, out: sky}
  - synthesis_at:         {alm: sky, points: places, accuracy: 1.0e-6, out: values}
  - adjoint_synthesis_at: {values: values, lmax: 8, accuracy: 1.0e-6, out: gathered}
outputs:
  values:   {file: out/values.h5}
  gathered: {file: out/gathered.h5}
)"};

inline constexpr Case kRadial{"radial kernels", R"(
inputs:
  mask: {map: mask.h5}
steps:
  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 8, seed: 5, out: alm}
  - synthesis:  {alm: alm, grid: {healpix: {nside: 8}}, out: sky}
  - convolve:   {map: sky, kernel: {gaussian: {fwhm_arcmin: 600}}, out: smooth_sky}
  - convolve:   {map: sky, kernel: {top_hat: {radius_deg: 20}}, mask: mask, normalise: true, out: mean_nearby}
outputs:
  smooth_sky:  {file: out/smooth.h5}
  mean_nearby: {file: out/mean.h5}
)"};

inline constexpr Case kMemory{"memory", R"(
steps:
  - analysis:   {map: sky, lmax: 8, method: {jacobi: {iterations: 1}}, out: found}
  - synthesis:  {alm: found, grid: {healpix: {nside: 4}}, out: map}
  - spectra:    {alm: found, out: cl}
  - STATISTICS
)"};

inline constexpr const char* kCampaignText = R"(
inputs:
  sky: {map: "map_{0..4}.h5"}
steps:
  - analysis:   {map: sky, lmax: 8, method: {jacobi: {iterations: 1}}, out: found}
  - synthesis:  {alm: found, grid: {healpix: {nside: 4}}, out: map}
  - spectra:    {alm: found, out: cl}
  - statistics: {spectra: cl, out: stats}
outputs:
  found: {file: out/found.h5}
  map:   {file: "out/map_{}.fits"}
  cl:    {file: "out/cl_{}.dat"}
  stats: {file: out/stats.h5}
execution: {batch: 1, map_groups: GROUPS}
)";
inline constexpr Case kCampaign{"campaign", kCampaignText};

}  // namespace armilla::test
