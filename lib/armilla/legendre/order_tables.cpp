#include <armilla/legendre/order_tables.hpp>

#include <algorithm>

namespace armilla::legendre {

using core::at;

namespace {

Index padded(Index pairs) { return (pairs + kPairPadding - 1) / kPairPadding * kPairPadding; }

}  // namespace

void OrderTables::set(Index m, Index first, const PairParts& parts, std::span<const double> variable,
                      const StartValues& starts) {
  m_ = m;
  scalar_.set(m, first < parts.polar, parts.square < parts.end);
  count_ = 0;
  first = std::max(first, parts.wigner);
  add_call(ScalarForm::kTwoTerm, first, std::max(parts.polar, first), parts.square, variable, starts);
  const Index equator = std::max(parts.square, first);
  add_call(ScalarForm::kEquator, equator, equator, parts.end, variable, starts);
}

void OrderTables::add_call(ScalarForm form, Index begin, Index middle, Index end, std::span<const double> variable,
                           const StartValues& starts) {
  if (begin >= end) return;
  Arrays& arrays = arrays_[count_];
  const Index low = padded(middle - begin);
  const Index pairs = low + padded(end - middle);
  for (auto* array : {&arrays.variable, &arrays.start, &arrays.scale}) array->resize(at(pairs));
  // Sets entries offset .. offset + size - 1 of the arrays from pairs from .. to - 1 and padding.
  const auto fill = [&](Index from, Index to, Index offset, Index size) {
    if (from == to) return;
    const Index last = offset + (to - from) - 1;
    std::copy(variable.begin() + from, variable.begin() + to, arrays.variable.begin() + offset);
    // y_0 = lambda_mm / (eps_{m+1} alpha_0), and alpha_0 = 1 / eps_{m+1}.
    starts.get(m_, from, to - from, arrays.start.data() + offset, arrays.scale.data() + offset);
    // Padded pairs are copies of the last real pair, so that they do not start to contribute later than it does.
    for (auto* array : {&arrays.variable, &arrays.start, &arrays.scale})
      std::fill(array->begin() + last + 1, array->begin() + offset + size, (*array)[at(last)]);
  };
  fill(begin, middle, 0, low);
  fill(middle, end, low, pairs - low);
  const ScalarKernelTask kernel{.form = form,
                                .steps = scalar_.steps(),
                                .field_stride = scalar_.field_stride(),
                                .pairs = pairs,
                                .low_pairs = low,
                                .low_count = middle - begin,
                                .count = end - middle,
                                .rows_low = scalar_.rows_polar(),
                                .rows = form == ScalarForm::kEquator ? scalar_.rows_equator() : scalar_.rows(),
                                .x2 = arrays.variable.data(),
                                .start = arrays.start.data(),
                                .start_scale = arrays.scale.data(),
                                .contributes = std::ranges::all_of(arrays.scale, [](double s) { return s == 0; })};
  calls_[count_++] = {kernel, begin, middle, end};
}

void OrderTables::keep_values() {
  for (Index i = 0; i < count_; ++i) {
    ScalarKernelTask& kernel = calls_[i].kernel;
    arrays_[i].values.resize(at(kernel.steps * kernel.pairs));
    scalar_values(kernel, arrays_[i].values.data());
    kernel.values = arrays_[i].values.data();
  }
}

Index OrderTables::value_bytes() const {
  Index numbers = 0;
  for (const ScalarCall& call : calls()) numbers += call.kernel.steps * call.kernel.pairs;
  return numbers * static_cast<Index>(sizeof(double));
}

Index OrderTables::bytes_of_all(Index lmax, Index spin, Index pairs) {
  Index numbers = 0;
  for (Index m = 0; m <= lmax; ++m)
    numbers += ScalarTables::numbers(lmax + spin, m, spin) + 3 * (pairs + 3 * kPairPadding);
  return numbers * static_cast<Index>(sizeof(double)) + (lmax + 1) * static_cast<Index>(sizeof(OrderTables));
}

}  // namespace armilla::legendre
