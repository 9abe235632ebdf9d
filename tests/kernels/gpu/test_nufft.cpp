// Sums over windows of a fine grid against their definition, number by number.
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "random_numbers.hpp"
#include "support/device.hpp"
#include <gtest/gtest.h>
#include <kernels/core/memory.hpp>
#include <kernels/nufft/nufft.hpp>

namespace armilla::kernels {
namespace {

using core::at;

constexpr Index kWindowColumns = 96;

/// Two cells of one strip, of which the second goes over the end of the rows, and one of another strip. Some rows are
/// beside the fields, some are not there.
template <class T>
struct WindowCase {
  int width;
  Index fields;
  NufftWindow<T> window;
  std::vector<NufftPoint<T>> points;
  std::vector<NufftChunk> chunks;
  std::vector<Index> places;
  Index field_size = 0, beside_size = 0, values = 0;

  WindowCase(int width_, Index fields_) : width(width_), fields(fields_), window{width, {}} {
    const auto random = random_numbers<T>(NufftWindow<T>::kCoefficients, 1);
    std::copy_n(random.begin(), (width + 1) / 2 * 2 * nufft_terms(width), window.coefficients);
    const Index rows = 130 + width;
    for (Index row = 0; row < rows; ++row) {
      Index& size = row % 5 == 3 ? beside_size : field_size;
      places.push_back(row % 5 == 3 ? -1 - size : size);
      size += kWindowColumns + 7;  // rows need not follow each other
    }
    const int patch = nufft_patch_rows(width);
    // The first strip begins 10 rows before the first row that is there.
    add_chunk({.begin = 0, .count = 70, .row = -10, .rows_begin = 10, .rows_end = patch, .column = 16});
    add_chunk({.begin = 0, .count = 33, .row = -10, .rows_begin = 10, .rows_end = patch, .column = 80});
    add_chunk(
        {.begin = 0, .count = 1, .row = 118, .rows_begin = 0, .rows_end = static_cast<int>(rows) - 118, .column = 48});
    values = static_cast<Index>(points.size()) + 3;
  }

  void add_chunk(NufftChunk chunk) {
    std::mt19937 engine(static_cast<unsigned>(points.size()));
    std::uniform_real_distribution<double> uniform(-1, 1);
    chunk.begin = static_cast<Index>(points.size());
    const int last = std::min(kNufftCellRows, chunk.rows_end - width + 1);
    for (int i = 0; i < chunk.count; ++i) {
      NufftPoint<T>& point = points.emplace_back();
      point.z_theta = static_cast<T>(uniform(engine));
      point.z_phi = static_cast<T>(uniform(engine));
      point.row = static_cast<std::uint8_t>(chunk.rows_begin + (i * 11) % (last - chunk.rows_begin));
      point.column = static_cast<std::uint8_t>(i * 5 % kNufftCellColumns);
      // Numbers in no order.
      point.number = static_cast<std::uint32_t>(chunk.begin + chunk.count - 1 - i);
    }
    chunks.push_back(chunk);
  }

  double weight(int j, double z) const {
    const bool is_last = j >= (width + 1) / 2;
    const T* c = window.coefficients + 2 * nufft_terms(width) * (is_last ? width - 1 - j : j);
    double even = 0, odd = 0;
    for (int term = 0; term < nufft_terms(width); ++term) {
      even = even * z * z + static_cast<double>(c[2 * term]);
      odd = odd * z * z + static_cast<double>(c[2 * term + 1]);
    }
    return is_last ? even - z * odd : even + z * odd;
  }

  /// Calls visit(number of the point, row of the task, row and column of the patch, column, weight).
  template <class Visit>
  void for_samples(const NufftChunk& chunk, const Visit& visit) const {
    for (Index i = chunk.begin; i < chunk.begin + chunk.count; ++i) {
      const NufftPoint<T>& point = points[at(i)];
      for (int j = 0; j < width; ++j)
        for (int k = 0; k < width; ++k)
          visit(point.number, chunk.row + point.row + j, point.row + j, point.column + k,
                (chunk.column + point.column + k) % kWindowColumns,
                weight(j, static_cast<double>(point.z_theta)) * weight(k, static_cast<double>(point.z_phi)));
    }
  }
};

/// Samples of rows, in fields and beside them.
template <class T>
struct Samples {
  std::vector<T> fields, beside;

  const T* row(const WindowCase<T>& one, Index row, Index field) const {
    const Index place = one.places[at(row)];
    return place >= 0 ? fields.data() + field * one.field_size + place
                      : beside.data() + field * one.beside_size - 1 - place;
  }
};

template <class T>
struct OnDevice {
  explicit OnDevice(const WindowCase<T>& one)
      : points(upload<NufftPoint<T>>(one.points, stream)),
        chunks(upload<NufftChunk>(one.chunks, stream)),
        places(upload<Index>(one.places, stream)) {}

  template <class Number>
  NufftRowsOf<DevicePointer, Number> rows(const WindowCase<T>& one) {
    return {places.data(), kWindowColumns, one.field_size, one.beside_size, fields.data(), beside.data()};
  }
  void put(const Samples<T>& samples) {
    fields = upload<T>(samples.fields, stream);
    beside = upload<T>(samples.beside, stream);
  }
  std::vector<T> get(const DeviceBuffer<T>& buffer) {
    std::vector<T> numbers(at(buffer.size()));
    copy(numbers.data(), buffer.data(), buffer.size(), stream);
    stream.wait();
    return numbers;
  }

  Stream stream;
  DeviceBuffer<NufftPoint<T>> points;
  DeviceBuffer<NufftChunk> chunks;
  DeviceBuffer<Index> places;
  DeviceBuffer<T> fields, beside;
};

template <class T>
class NufftKernels : public testing::Test {
 protected:
  // Sums of up to 256 products of numbers up to some 10, thrice as many at a sample.
  static constexpr double kTolerance = sizeof(T) == sizeof(double) ? 1e-11 : 1e-2;

  static Samples<T> random_samples(const WindowCase<T>& one) {
    return {random_numbers<T>(one.fields * one.field_size, 2), random_numbers<T>(one.fields * one.beside_size, 3)};
  }
  template <class Use>
  static void for_cases(const Use& use) {
    for (int width = kNufftMinWidth; width <= kNufftMaxWidth; ++width)
      for (const Index fields : {1, 2, 5}) {
        SCOPED_TRACE("width " + std::to_string(width) + ", fields " + std::to_string(fields));
        use(WindowCase<T>(width, fields));
      }
  }
};

using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(NufftKernels, Precisions);

TYPED_TEST(NufftKernels, Interpolate) {
  ARMILLA_NEEDS_DEVICE();
  using T = TypeParam;
  this->for_cases([&](const WindowCase<T>& one) {
    const Samples<T> samples = this->random_samples(one);
    OnDevice<T> device(one);
    device.put(samples);
    auto values = upload<T>(std::vector<T>(at(one.fields * one.values), T(-7)), device.stream);
    interpolate_points<T>({one.window,
                           {device.points.data(), device.chunks.data(), device.chunks.size()},
                           device.template rows<const T>(one),
                           one.fields,
                           one.values,
                           values.data()},
                          device.stream.get());
    const std::vector<T> found = device.get(values);
    std::vector<double> expected(found.size(), 0.0);
    for (Index f = 0; f < one.fields; ++f)
      for (const NufftChunk& chunk : one.chunks)
        one.for_samples(chunk, [&](Index number, Index row, int, int, Index column, double weight) {
          expected[at(f * one.values + number)] += weight * static_cast<double>(samples.row(one, row, f)[column]);
        });
    for (Index f = 0; f < one.fields; ++f)
      for (Index i = 0; i < one.values; ++i) {
        const std::size_t k = at(f * one.values + i);
        const bool is_there = i < static_cast<Index>(one.points.size());
        ASSERT_NEAR(static_cast<double>(found[k]), is_there ? expected[k] : -7, this->kTolerance) << f << ' ' << i;
      }
  });
}

TYPED_TEST(NufftKernels, Spread) {
  ARMILLA_NEEDS_DEVICE();
  using T = TypeParam;
  this->for_cases([&](const WindowCase<T>& one) {
    const Samples<T> before = this->random_samples(one);
    const std::vector<T> values = random_numbers<T>(one.fields * one.values, 4);
    OnDevice<T> device(one);
    device.put(before);
    const auto there = upload<T>(values, device.stream);
    // Their windows touch: one launch for each.
    for (Index i = 0; i < device.chunks.size(); ++i)
      spread_points<T>({one.window,
                        {device.points.data(), device.chunks.data() + i, 1},
                        device.template rows<T>(one),
                        one.fields,
                        one.values,
                        there.data(),
                        nullptr},
                       device.stream.get());
    const Samples<T> found{device.get(device.fields), device.get(device.beside)};
    Samples<double> expected{{before.fields.begin(), before.fields.end()},
                             {before.beside.begin(), before.beside.end()}};
    for (Index f = 0; f < one.fields; ++f)
      for (const NufftChunk& chunk : one.chunks)
        one.for_samples(chunk, [&](Index number, Index row, int, int, Index column, double weight) {
          const Index place = one.places[at(row)];
          (place >= 0 ? expected.fields[at(f * one.field_size + place + column)]
                      : expected.beside[at(f * one.beside_size - 1 - place + column)]) +=
              weight * static_cast<double>(values[at(f * one.values + number)]);
        });
    for (std::size_t i = 0; i < found.fields.size(); ++i)
      ASSERT_NEAR(static_cast<double>(found.fields[i]), expected.fields[i], this->kTolerance) << i;
    for (std::size_t i = 0; i < found.beside.size(); ++i)
      ASSERT_NEAR(static_cast<double>(found.beside[i]), expected.beside[i], this->kTolerance) << i;
  });
}

/// Sums of chunks that are added later: the same sums, in the order of the chunks.
TYPED_TEST(NufftKernels, AddSumsOfChunks) {
  ARMILLA_NEEDS_DEVICE();
  using T = TypeParam;
  this->for_cases([&](const WindowCase<T>& one) {
    const std::vector<T> values = random_numbers<T>(one.fields * one.values, 5);
    const Samples<T> before = this->random_samples(one);
    OnDevice<T> device(one);
    const auto there = upload<T>(values, device.stream);
    const Index size = one.fields * nufft_patch_size(one.width);
    auto sums = upload<T>(std::vector<T>(at(3 * size), T(-7)), device.stream);
    const auto spread = [&](DevicePointer<T> to) {
      for (Index i = 0; i < 2; ++i)
        spread_points<T>({one.window,
                          {device.points.data(), device.chunks.data() + i, 1},
                          device.template rows<T>(one),
                          one.fields,
                          one.values,
                          there.data(),
                          to == nullptr ? to : to + (i + 1) * size},
                         device.stream.get());
    };
    device.put(before);
    spread(nullptr);
    const std::vector<T> expected_fields = device.get(device.fields), expected_beside = device.get(device.beside);
    device.put(before);
    spread(sums.data());
    const std::vector<NufftSums> cells{{1, 2, one.chunks[0]}, {2, 3, one.chunks[1]}};
    const auto cells_there = upload<NufftSums>(cells, device.stream);
    for (Index i = 0; i < 2; ++i)
      add_sums<T>({one.width, cells_there.data() + i, 1, device.template rows<T>(one), one.fields, sums.data()},
                  device.stream.get());
    EXPECT_EQ(device.get(device.fields), expected_fields);
    EXPECT_EQ(device.get(device.beside), expected_beside);
    // Of one cell that both are of, one chunk after the other.
    const std::vector<NufftSums> joint{{0, 3, one.chunks[0]}};
    const auto joint_there = upload<NufftSums>(joint, device.stream);
    device.put(before);
    add_sums<T>({one.width, joint_there.data(), 1, device.template rows<T>(one), one.fields, sums.data()},
                device.stream.get());
    const Samples<T> found{device.get(device.fields), device.get(device.beside)};
    const std::vector<T> all = device.get(sums);
    const NufftChunk& cell = one.chunks[0];
    for (Index f = 0; f < one.fields; ++f)
      for (int row = cell.rows_begin; row < cell.rows_end; ++row)
        for (int column = 0; column < nufft_patch_columns(one.width); ++column) {
          const Index to = (cell.column + column) % kWindowColumns;
          T sum = before.row(one, cell.row + row, f)[to];
          for (Index chunk = 0; chunk < 3; ++chunk)
            sum += all[at(chunk * size + f * nufft_patch_size(one.width) + Index{row} * nufft_patch_columns(one.width) +
                          column)];
          ASSERT_EQ(found.row(one, cell.row + row, f)[to], sum);
        }
  });
}

TYPED_TEST(NufftKernels, MirrorRowsPastPoles) {
  ARMILLA_NEEDS_DEVICE();
  using T = TypeParam;
  const WindowCase<T> one(4, 3);
  const Samples<T> before = this->random_samples(one);
  // Rows beside the fields stand for rows of the fields.
  const std::vector<NufftMirror> mirrors{{3, 5}, {8, 4}, {13, 12}};
  const std::vector<int> odd{0, 1, 0};
  OnDevice<T> device(one);
  const auto mirrors_there = upload<NufftMirror>(mirrors, device.stream);
  const auto odd_there = upload<int>(odd, device.stream);
  const auto task = [&] {
    return DeviceNufftMirrors<T>{mirrors_there.data(), 3, odd_there.data(), 3, device.template rows<T>(one)};
  };
  device.put(before);
  fill_mirrors<T>(task(), device.stream.get());
  const Samples<T> filled{device.get(device.fields), device.get(device.beside)};
  EXPECT_EQ(filled.fields, before.fields);
  device.put(before);
  fold_mirrors<T>(task(), device.stream.get());
  const Samples<T> folded{device.get(device.fields), device.get(device.beside)};
  EXPECT_EQ(folded.beside, before.beside);
  std::set<Index> past;
  for (const NufftMirror& mirror : mirrors) past.insert(mirror.past);
  for (Index f = 0; f < 3; ++f) {
    const T sign = odd[at(f)] != 0 ? T(-1) : T(1);
    for (const NufftMirror& mirror : mirrors)
      for (Index column = 0; column < kWindowColumns; ++column) {
        const Index opposite = (column + kWindowColumns / 2) % kWindowColumns;
        EXPECT_EQ(filled.row(one, mirror.past, f)[column], sign * before.row(one, mirror.row, f)[opposite]);
        EXPECT_EQ(folded.row(one, mirror.row, f)[column],
                  before.row(one, mirror.row, f)[column] + sign * before.row(one, mirror.past, f)[opposite]);
      }
    for (Index row = 0; row < static_cast<Index>(one.places.size()); ++row)
      for (Index column = 0; column < kWindowColumns && one.places[at(row)] < 0 && past.count(row) == 0; ++column)
        EXPECT_EQ(filled.row(one, row, f)[column], before.row(one, row, f)[column]);
  }
}

}  // namespace
}  // namespace armilla::kernels
