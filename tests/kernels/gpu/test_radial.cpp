#include <armilla/math/chord_table.hpp>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "random_numbers.hpp"
#include "support/device.hpp"
#include <gtest/gtest.h>
#include <kernels/core/memory.hpp>
#include <kernels/radial/radial.hpp>

namespace armilla::kernels {
namespace {

using core::at;
using Complex = std::complex<double>;

/// Seven output pairs, the last without a southern ring, and five input pairs, of which each has a row with two to five
/// output pairs.
struct ModesCase {
  static constexpr Index kModes = 192, kWidth = 3, kInSlots = 10, kOutSlots = 13;

  ModesCase() {
    samples = random_numbers<double>(4000, 1);
    x = random_numbers<double>(2 * kModes * kInSlots * kWidth, 2);
    for (Index m = 0; m < kModes; ++m) {
      in_shift.push_back(m * kInSlots * kWidth);
      out_shift.push_back(m * kOutSlots * kWidth);
    }
    Index sample = 0;
    for (Index g = 0; g < 2; ++g) {
      RadialPairGroup& group = groups.emplace_back();
      group.first_row = static_cast<Index>(rows.size());
      for (int j = 0; j < kRadialPairs; ++j) {
        const Index p = g * kRadialPairs + j;
        group.slot[j][0] = p < 7 ? 2 * p : -1;
        group.slot[j][1] = p < 6 ? 2 * p + 1 : -1;
        group.modes[j][0] = p < 7 ? 64 * static_cast<int>(1 + p % 3) : 0;
        group.modes[j][1] = p < 6 ? group.modes[j][0] - 1 : 0;
        group.band_step[j] = 0.01 * static_cast<double>(p + 1);
        group.lattice_step[j] = p % 2 == 0 ? 0 : 0.02 * static_cast<double>(p);
      }
      for (Index q = 0; q < 5; ++q)
        for (int crossed = 0; crossed < 2; ++crossed) {
          RadialRowGroup& row = rows.emplace_back();
          for (int h = 0; h < 2; ++h) {
            row.slot[h] = q == 4 && h != crossed ? -1 : 2 * q + (h ^ crossed);
            row.slot_modes[h] = 128;
          }
          for (int j = 0; j < kRadialPairs; ++j) {
            RadialRow& one = row.rows[j];
            const bool is_there = std::abs(static_cast<double>(q - j)) < 3 && group.modes[j][0] > 0;
            const RadialRowKind lattice = crossed == 0 ? RadialRowKind::kLattice : RadialRowKind::kHalfLattice;
            one = {.sample = sample,
                   .samples = is_there ? static_cast<int>(1 + (q + j) % 7) : 0,
                   .modes = std::min(128, group.modes[j][0]),
                   .used = {group.slot[j][0] >= 0, group.slot[j][1] >= 0 && crossed == 0},
                   .kind = group.lattice_step[j] > 0 && q % 3 > 0 ? lattice : RadialRowKind::kBandLimit,
                   .halved = q % 2 == 0 ? 17 : -1};
            sample += one.samples;
          }
        }
      group.end_row = static_cast<Index>(rows.size());
    }
  }

  /// What the definition in radial.hpp gives.
  Complex expected(Index g, int j, int h, Index m, Index w) const {
    const RadialPairGroup& group = groups[at(g)];
    Complex sum = 0;
    for (Index r = group.first_row; r < group.end_row; ++r) {
      const RadialRow& row = rows[at(r)].rows[j];
      const Index slot = rows[at(r)].slot[h];
      if (row.samples == 0 || m >= row.modes || !row.used[h] || slot < 0 || m >= rows[at(r)].slot_modes[h]) continue;
      const double step = row.kind == RadialRowKind::kBandLimit ? group.band_step[j] : group.lattice_step[j];
      const double off = row.kind == RadialRowKind::kHalfLattice ? 0.5 : 0;
      double k = 0;
      for (int s = 0; s < row.samples; ++s)
        k += samples[at(row.sample + s)] * std::cos((s + off) * static_cast<double>(m) * step);
      if (m == row.halved) k /= 2;
      const Index i = in_shift[at(m)] + slot * kWidth + w;
      sum += k * Complex(x[at(2 * i)], x[at(2 * i + 1)]);
    }
    return sum;
  }

  std::vector<double> samples, x;
  std::vector<Index> in_shift, out_shift;
  std::vector<RadialPairGroup> groups;
  std::vector<RadialRowGroup> rows;
};

TEST(RadialKernels, SumModes) {
  ARMILLA_NEEDS_DEVICE();
  const ModesCase data;
  const Stream stream;
  const auto groups = upload<RadialPairGroup>(data.groups, stream);
  const auto rows = upload<RadialRowGroup>(data.rows, stream);
  const auto samples = upload<double>(data.samples, stream), x = upload<double>(data.x, stream);
  const auto in_shift = upload<Index>(data.in_shift, stream), out_shift = upload<Index>(data.out_shift, stream);
  std::vector<double> found(at(2 * ModesCase::kModes * ModesCase::kOutSlots * ModesCase::kWidth), std::nan(""));
  auto y = upload<double>(found, stream);
  sum_radial_modes(DeviceRadialModesTask{groups.data(), rows.data(), samples.data(), in_shift.data(), out_shift.data(),
                                         2, ModesCase::kModes, ModesCase::kWidth, x.data(), y.data()},
                   stream.get());
  copy(found.data(), y.data(), y.size(), stream);
  stream.wait();
  Index written = 0;
  for (Index g = 0; g < 2; ++g)
    for (int j = 0; j < kRadialPairs; ++j)
      for (int h = 0; h < 2; ++h) {
        const RadialPairGroup& group = data.groups[at(g)];
        if (group.slot[j][h] < 0) continue;
        for (Index m = 0; m < group.modes[j][h]; ++m)
          for (Index w = 0; w < ModesCase::kWidth; ++w, ++written) {
            const Index i = data.out_shift[at(m)] + group.slot[j][h] * ModesCase::kWidth + w;
            // Some 50 products of numbers below 7, with cosines by a recurrence.
            EXPECT_NEAR(std::abs(Complex(found[at(2 * i)], found[at(2 * i + 1)]) - data.expected(g, j, h, m, w)), 0,
                        1e-12);
          }
      }
  Index numbers = 0;
  for (const double value : found) numbers += std::isnan(value) ? 0 : 1;
  EXPECT_EQ(numbers, 2 * written);  // nothing else
}

TEST(RadialKernels, SumPixels) {
  ARMILLA_NEEDS_DEVICE();
  constexpr Index kFields = 2, kInPixels = 1000, kOutPixels = 700 + 40;
  const std::vector<double> in = random_numbers<double>(kFields * kInPixels, 3),
                            weights = random_numbers<double>(30, 4);
  const std::vector<double> before = random_numbers<double>(kFields * kOutPixels, 5);
  // 1 + x / 2 on two cells of sin(angle / 2) up to 0.6.
  std::vector<double> table(2 * math::ChordTable::kTerms, 0.0);
  table[0] = table[math::ChordTable::kTerms] = 1;
  table[1] = table[math::ChordTable::kTerms + 1] = 0.5;
  const double cells_per_unit = 2 / 0.6, end = 0.36;
  const std::vector<RadialPixelRing> rings = {{0, 2, 0, 700}, {2, 3, 700, 40}};
  const std::vector<RadialPixelRow> rows = {{0, 700, 0.5, 0, -3, 7, 0, 0, 0, 0},
                                            {700, 300, 2, -1, 0, 0, 0.01, 0.9, 0.3, 40},
                                            {700, 300, 3, -1, 0, 0, 0.2, 0.5, -17, 1000}};
  const Stream stream;
  const auto there_rings = upload<RadialPixelRing>(rings, stream);
  const auto there_rows = upload<RadialPixelRow>(rows, stream);
  const auto there_weights = upload<double>(weights, stream), there_table = upload<double>(table, stream);
  const auto there_in = upload<double>(in, stream);
  auto out = upload<double>(before, stream);
  sum_radial_pixels(
      DeviceRadialPixelsTask{there_rings.data(), there_rows.data(), there_weights.data(), there_table.data(), 2,
                             cells_per_unit, end, 2, 700, kFields, kInPixels, kOutPixels, there_in.data(), out.data()},
      stream.get());
  std::vector<double> found(before.size());
  copy(found.data(), out.data(), out.size(), stream);
  stream.wait();
  const math::ChordTable kernel{table.data(), 2, cells_per_unit, end};
  for (Index field = 0; field < kFields; ++field)
    for (const RadialPixelRing& ring : rings)
      for (Index j = 0; j < ring.nphi; ++j) {
        double expected = before[at(field * kOutPixels + ring.pixel + j)];
        for (Index r = ring.first_row; r < ring.end_row; ++r) {
          const RadialPixelRow& row = rows[at(r)];
          double sum = 0;
          for (Index q = 0; q < row.in_nphi; ++q) {
            double weight = 0;
            if (row.weights >= 0) {
              const Index k = ((q - j - row.first) % row.in_nphi + row.in_nphi) % row.in_nphi;
              if (k < row.count) weight = weights[at(row.weights + k)];
            } else {
              const double n = static_cast<double>(row.in_nphi);
              const double place = row.place + static_cast<double>(j) * n / static_cast<double>(ring.nphi);
              const double apart = std::remainder(place - static_cast<double>(q), n);
              const double half = std::sin(std::numbers::pi * apart / n);
              if (std::abs(apart) <= row.reach) weight = kernel(row.chord + row.g2 * half * half);
            }
            sum += weight * in[at(field * kInPixels + row.in_pixel + q)];
          }
          expected += row.area * sum;
        }
        EXPECT_NEAR(found[at(field * kOutPixels + ring.pixel + j)], expected, 1e-11) << ring.nphi << ' ' << j;
      }
}

}  // namespace
}  // namespace armilla::kernels
