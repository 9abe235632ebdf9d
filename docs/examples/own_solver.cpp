#include <armilla/armilla.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

using Vector = std::vector<std::complex<double>>;

// Conjugate gradients of a program, on its own vectors: the coefficients that minimise the sum over pixels of
// (map - Y a)^2, from the normal equations Y^T Y a = Y^T map. Inner products of the library are the same on any number
// of ranks, and so are the iterations.
struct Solver {
  armilla::Transform<double>& t;
  armilla::Map<double> pixels = t.make_map();

  void apply(const Vector& in, Vector& out) {
    auto result = t.alm_of(out);
    t.synthesis(t.const_alm_of(in), pixels);
    t.adjoint_synthesis(pixels, result);
  }

  double product(const Vector& a, const Vector& b) const {
    return armilla::inner_products(t.const_alm_of(a), t.const_alm_of(b)).front();
  }

  // Returns the number of iterations.
  int solve(const armilla::Map<double>& map, Vector& a) {
    Vector residual(a.size()), image(a.size());
    auto of_residual = t.alm_of(residual);
    t.adjoint_synthesis(map, of_residual);
    std::ranges::fill(a, 0.0);
    Vector direction = residual;
    double square = product(residual, residual);
    const double stop = 1e-24 * square;
    int iterations = 0;
    for (; square > stop && iterations < 500; ++iterations) {
      apply(direction, image);
      const double step = square / product(direction, image);
      for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] += step * direction[i];
        residual[i] -= step * image[i];
      }
      const double next = product(residual, residual);
      for (std::size_t i = 0; i < a.size(); ++i) direction[i] = residual[i] + next / square * direction[i];
      square = next;
    }
    return iterations;
  }
};

void run() {
  const auto world = armilla::Communicator::world();
  armilla::Transform t(world, {.grid = armilla::make_healpix(32), .lmax = 48});
  // A map with known coefficients.
  auto truth = t.make_alm();
  armilla::SpectraTable flat{48, {"TT"}, {std::vector<double>(49, 1.0)}, "example"};
  armilla::random_alm(truth, flat, 3);
  auto map = t.make_map();
  t.synthesis(truth, map);

  Vector found(truth.data().size());
  const int iterations = Solver{t}.solve(map, found);
  const double error = armilla::relative_error(t.const_alm_of(found), truth).front();
  if (world.is_root()) std::printf("%d iterations\nrelative error of the coefficients: %.1e\n", iterations, error);
}

}  // namespace

int main(int argc, char** argv) {
  armilla::Session mpi(argc, argv);
  try {
    run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}
