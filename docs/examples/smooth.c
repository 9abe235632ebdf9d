#include <armilla/armilla.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Smooths a map with a Gaussian beam of 10 degrees (FWHM), on one process without MPI. The map is cos(theta), l = 1, plus
 * a single bright pixel; beams keep the sum of all pixels, and multiply l = 1 by exp(-sigma^2). */

static void check(int status) {
  if (status == ARMILLA_OK) return;
  fprintf(stderr, "%s\n", armilla_last_error());
  exit(1);
}

int main(void) {
  const double pi = acos(-1.0), sigma = 10 * pi / 180 / sqrt(8 * log(2.0));
  const int64_t lmax = 95;
  armilla_session session;
  armilla_grid grid;
  armilla_transform transform;
  armilla_transform_options options;
  int64_t rings, pixels, alm_size, map_size;
  check(armilla_session_alone(&session));
  check(armilla_grid_named("gauss:96", &grid));
  check(armilla_grid_size(grid, &rings, &pixels));
  check(armilla_transform_options_init(&options));
  options.lmax = lmax;
  check(armilla_transform_create(session, grid, &options, &transform));
  check(armilla_transform_sizes(transform, &alm_size, &map_size));

  double* map = malloc((size_t)map_size * sizeof *map);
  armilla_complex_double* alm = malloc((size_t)alm_size * sizeof *alm);
  double* theta = malloc((size_t)rings * sizeof *theta);
  double* weight = malloc((size_t)rings * sizeof *weight);
  int64_t* nphi = malloc((size_t)rings * sizeof *nphi);
  if (map == NULL || alm == NULL || theta == NULL || weight == NULL || nphi == NULL) return 1;
  check(armilla_grid_rings(grid, rings, theta, NULL, nphi, weight, NULL));
  double before = 0, after = 0, dipole = 0;
  for (int64_t r = 0, i = 0; r < rings; ++r)
    for (int64_t j = 0; j < nphi[r]; ++j, ++i) {
      map[i] = cos(theta[r]) + (r == 30 && j == 5 ? 100 : 0);
      before += map[i] * weight[r] / (double)nphi[r];
    }

  check(armilla_analysis(transform, map, map_size, alm, alm_size, 0, ARMILLA_WEIGHTS_GRID));
  const double first = creal(alm[1]); /* l = 1, m = 0 */
  for (int64_t m = 0, i = 0; m <= lmax; ++m)
    for (int64_t l = m; l <= lmax; ++l, ++i) alm[i] *= exp(-0.5 * (double)(l * (l + 1)) * sigma * sigma);
  check(armilla_synthesis(transform, alm, alm_size, map, map_size));

  for (int64_t r = 0, i = 0; r < rings; ++r)
    for (int64_t j = 0; j < nphi[r]; ++j, ++i) {
      after += map[i] * weight[r] / (double)nphi[r];
      dipole += map[i] * weight[r] / (double)nphi[r] * sqrt(3 / (4 * pi)) * cos(theta[r]);
    }
  printf("change of the sum over the sky: %.1e\n", fabs(after / before - 1));
  printf("change of l = 1 from its beam: %.1e\n", fabs(dipole / (first * exp(-sigma * sigma)) - 1));

  check(armilla_transform_free(&transform));
  check(armilla_grid_free(&grid));
  check(armilla_session_free(&session));
  free(map);
  free(alm);
  free(theta);
  free(weight);
  free(nphi);
  return 0;
}
