#include <armilla/core/set_up_count.hpp>
#include <armilla/math/gauss_legendre.hpp>
#include <armilla/math/sine_cosine.hpp>

#include <array>
#include <cmath>
#include <numbers>

namespace armilla::math {

namespace {

constexpr long double kNodePi = std::numbers::pi_v<long double>;

struct PolynomialAt {
  long double value;       // P_n(cos theta)
  long double derivative;  // its derivative with respect to theta
};

// Bonnet's recurrence for differences P_{l+1} - P_l, which keeps full accuracy as cos(theta) approaches 1.
PolynomialAt legendre_polynomial(core::Index n, long double theta) {
  core::count_set_up(core::SetUpWork::kRecurrenceSteps, n);
  const long double half = sine_cosine(theta / 2).sine;
  const long double one_minus_x = 2 * half * half;
  long double value = 1;       // P_0
  long double difference = 0;  // P_0 - P_{-1}, and P_{-1} = 1
  long double previous = 1;
  for (core::Index l = 0; l < n; ++l) {
    const auto k = static_cast<long double>(l);
    difference = (k * difference - (2 * k + 1) * one_minus_x * value) / (k + 1);
    previous = value;
    value += difference;
  }
  const auto [sine, x] = sine_cosine(theta);
  return {value, static_cast<long double>(n) * (x * value - previous) / sine};
}

GaussNode node_by_recurrence(core::Index n, core::Index i) {
  if (2 * i + 1 == n) {  // the equator, known exactly
    const PolynomialAt p = legendre_polynomial(n, kNodePi / 2);
    return {core::kPi / 2, 0.0, 1.0, static_cast<double>(2 / (p.derivative * p.derivative))};
  }
  // Tricomi's initial guess, accurate to O(n^-4) away from the poles; Newton's method converges quadratically from it.
  const auto nn = static_cast<long double>(n);
  const long double phi = (4 * static_cast<long double>(i) + 3) * kNodePi / (4 * nn + 2);
  const SineCosine guess = sine_cosine(phi);
  long double theta = phi + guess.cosine / (8 * nn * nn * guess.sine);
  for (int iteration = 0; iteration < 8; ++iteration) {
    const PolynomialAt p = legendre_polynomial(n, theta);
    const long double step = p.value / p.derivative;
    theta -= step;
    if (std::abs(step) < 1e-17L * theta) break;
  }
  // w = 2 (1 - x^2) / (n P_{n-1})^2 = 2 / (dP/dtheta)^2 at a root.
  const PolynomialAt p = legendre_polynomial(n, theta);
  const auto [sine, cosine] = sine_cosine(theta);
  return {static_cast<double>(theta), static_cast<double>(cosine), static_cast<double>(sine),
          static_cast<double>(2 / (p.derivative * p.derivative))};
}

// Asymptotic series in e = 1 / N^2, N = n + 1/2. The function u = sqrt(sin theta) P_n(cos theta) satisfies
//   u'' + (N^2 + 1 / (4 sin^2 theta)) u = 0.
// A change of variable theta(x) with u = sqrt(theta') y transforms it to the equation of y = cos(N x - pi / 4) or of
// y = sqrt(x) J_0(N x), whose roots are known, if
//   theta'^2 (1 + e / (4 sin^2 theta)) + e/2 (theta''' / theta' - 3/2 (theta'' / theta')^2) = 1 or 1 + e / (4 x^2).
// Each power of e gives one term of theta = x + e F_1(x) + e^2 F_2(x) + ..., which is odd, with rational coefficients.
// With the first y this is the series of Tricomi (1950), with the second that of Bogaert (2014).

// From this degree on, errors of the series are below 3e-17 of theta, pi / 2 - theta and the weight.
constexpr core::Index kSeriesDegree = 256;
// Nodes next to the pole that need Bessel functions.
constexpr core::Index kBesselNodes = 16;

// Coefficients of x, x^3, x^5, ... in F_1, F_2, F_3, in the variable of Bessel functions. Arguments are below 0.2.
constexpr std::array<std::array<long double, 6>, 3> kBesselSeries{
    {{-1.0L / 24, -1.0L / 360, -1.0L / 3780, -1.0L / 37800, -1.0L / 374220, -691.0L / 2554051500},
     {47.0L / 5760, 361.0L / 181440, 713.0L / 1814400, 661.0L / 9979200},
     {-12077.0L / 2903040, -94939.0L / 43545600, -118051.0L / 159667200}}};

// Coefficients of t, t^3, t^5, ... in F_1 .. F_5, in the variable of the cosine, t = cot x.
constexpr std::array<std::array<long double, 5>, 5> kCosineSeries{
    {{1.0L / 8},
     {-11.0L / 128, -31.0L / 384},
     {173.0L / 1024, 635.0L / 1536, 3779.0L / 15360},
     {-22931.0L / 32768, -102939.0L / 32768, -2097451.0L / 491520, -6277237.0L / 3440640},
     {1319183.0L / 262144, 6989869.0L / 196608, 53261473.0L / 655360, 1570691989.0L / 20643840,
      2092163573.0L / 82575360}}};

struct BesselRoot {
  long double root;   // of J_0
  long double slope;  // J_1^2 there
};

constexpr std::array<BesselRoot, kBesselNodes> kBesselRoots{
    {{2.40482555769577276862163L, 0.269514123941916926139022L},
     {5.5200781102863106495966L, 0.115780138582203695807813L},
     {8.6537279129110122169542L, 0.0736863511364082151406477L},
     {11.791534439014281613743L, 0.0540375731981162820417749L},
     {14.9309177084877859477626L, 0.0426614290172430912655106L},
     {18.0710639679109225431479L, 0.0352421034909961013587473L},
     {21.2116366298792589590784L, 0.0300210701030546726750888L},
     {24.3524715307493027370579L, 0.0261473914953080885904585L},
     {27.4934791320402547958773L, 0.0231591218246913922652676L},
     {30.6346064684319751175496L, 0.0207838291222678576039808L},
     {33.7758202135735686842385L, 0.0188504506693176678161057L},
     {36.9170983536640439797695L, 0.017246157569665008299524L},
     {40.0584257646282392947993L, 0.0158935181059235978027066L},
     {43.1997917131767303575241L, 0.0147376260964721895895743L},
     {46.3411883716618140186858L, 0.013738465145387117918288L},
     {49.4826098973978171736028L, 0.0128661817376151328791407L}}};

struct OddSeries {
  long double value;       // sum over m of e^m (c_m0 x + c_m1 x^3 + ...)
  long double derivative;  // with respect to x
};

template <std::size_t terms, std::size_t orders>
OddSeries odd_series(const std::array<std::array<long double, terms>, orders>& coefficients, long double x,
                     long double e) {
  const long double square = x * x;
  OddSeries sum{0, 0};
  for (std::size_t m = orders; m-- > 0;) {
    long double value = 0, derivative = 0;
    for (std::size_t k = terms; k-- > 0;) {
      value = value * square + coefficients[m][k];
      derivative = derivative * square + static_cast<long double>(2 * k + 1) * coefficients[m][k];
    }
    sum.value = e * (sum.value + value);
    sum.derivative = e * (sum.derivative + derivative);
  }
  sum.value *= x;
  return sum;
}

// y' = -sqrt(x) N J_1(N x) at a root, and u approaches sqrt(theta) at the pole.
GaussNode node_by_bessel_series(core::Index n, core::Index i) {
  const long double degree = static_cast<long double>(n) + 0.5L;
  const BesselRoot& bessel = kBesselRoots[core::at(i)];
  const long double x = bessel.root / degree;
  const OddSeries series = odd_series(kBesselSeries, x, 1 / (degree * degree));
  const long double theta = x + series.value;
  const auto [sine, cosine] = sine_cosine(theta);
  const long double weight = 2 * sine * (1 + series.derivative) / (x * degree * degree * bessel.slope);
  return {static_cast<double>(theta), static_cast<double>(cosine), static_cast<double>(sine),
          static_cast<double>(weight)};
}

SineCosine swapped(SineCosine of_complement) { return {of_complement.cosine, of_complement.sine}; }

// y has an amplitude of sqrt(2 / (pi N)).
GaussNode node_by_cosine_series(core::Index n, core::Index i) {
  const long double degree = static_cast<long double>(n) + 0.5L;
  const long double x = kNodePi * static_cast<long double>(4 * i + 3) / static_cast<long double>(4 * n + 2);
  // Near the equator, the complement of the angle determines the cosine.
  const long double to_equator =
      kNodePi * static_cast<long double>(n - 1 - 2 * i) / static_cast<long double>(2 * n + 1);
  const SineCosine at_x = to_equator < x ? swapped(sine_cosine(to_equator)) : sine_cosine(x);
  const long double t = at_x.cosine / at_x.sine;
  const OddSeries series = odd_series(kCosineSeries, t, 1 / (degree * degree));
  const long double shift = series.value, square = shift * shift;  // shift < 1e-5
  const long double sine_shift = shift * (1 - square / 6), cosine_shift = 1 - square / 2 * (1 - square / 12);
  const long double sine = at_x.sine * cosine_shift + at_x.cosine * sine_shift;
  const long double cosine = at_x.cosine * cosine_shift - at_x.sine * sine_shift;
  // dt/dx = -(1 + t^2)
  const long double weight = kNodePi / degree * sine * (1 - (1 + t * t) * series.derivative);
  return {static_cast<double>(x + shift), static_cast<double>(cosine), static_cast<double>(sine),
          static_cast<double>(weight)};
}

}  // namespace

GaussNode gauss_legendre_node(core::Index n, core::Index i) {
  if (n < kSeriesDegree) return node_by_recurrence(n, i);
  return i < kBesselNodes ? node_by_bessel_series(n, i) : node_by_cosine_series(n, i);
}

}  // namespace armilla::math
