// Counts the work of one transform on a GPU, without using a GPU: the work of each launch of the Legendre kernels, and
// the sizes of the other stages. Prints JSON for gpu_model.py:
//   perf_gpu_counts --nside 2048 --lmax 4095 --spin 2 --maps 8 --products tensor
#include <armilla/backend/ring_groups.hpp>
#include <armilla/backend/ring_mode_tables.hpp>
#include <armilla/backend/scalar_stage_shape.hpp>
#include <armilla/backend/source_rings.hpp>
#include <armilla/backend/theta_chunk.hpp>
#include <armilla/legendre/scalar_tables.hpp>
#include <armilla/legendre/start_values.hpp>
#include <armilla/math/wigner.hpp>
#include <armilla/resample/theta_resampler.hpp>
#include <armilla/transform/operation_count.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "stage_case.hpp"
#include <kernels/legendre/pair_recurrence.hpp>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/tensor_adjoint_body.hpp>
#include <kernels/legendre/tensor_synthesis_body.hpp>
#include <kernels/legendre/wigner_task.hpp>

namespace {

using namespace armilla;
using core::Index;
using kernels::RecurrenceForm;
using Recurrence = kernels::PairRecurrence<RecurrenceForm::kTwoTerm, 1>;

// Workspace of the Legendre stage of jobs, and of perf_device, on devices with at least 16 GiB.
constexpr Index kWorkBytes = Index{2} << 30;

using core::at;

/// The step of an m from which a pair contributes, as determined by the kernels: only at steps for which is_look()
/// holds.
class CountingSteps {
 public:
  explicit CountingSteps(const legendre::Task& task)
      : task_(task),
        parts_(task),
        degrees_(task.spin, task.lmax),
        tables_(degrees_),
        starts_(task.sin_theta, task.m.empty() ? 0 : task.m.back()),
        value_(at(task.pairs() + 64)),
        scale_(at(task.pairs() + 64)) {}

  void set(Index m) {
    tables_.set(m, true, false);
    starts_.get(m, 0, task_.pairs(), value_.data(), scale_.data());
    steps_ = (tables_.steps() + kernels::kStepPadding - 1) / kernels::kStepPadding * kernels::kStepPadding;
  }
  Index steps() const { return steps_; }

  Index of(Index pair) const {
    if (pair >= parts_.square) return 0;
    const bool polar = pair < parts_.polar;
    const double* rows = polar ? tables_.rows_polar() : tables_.rows();
    const double sine = task_.sin_theta[at(pair)];
    const double cosine = task_.cos_theta[at(pair)];
    Recurrence one;
    one.start(0, polar ? -sine * sine : cosine * cosine, {value_[at(pair)], static_cast<int>(scale_[at(pair)])});
    Index k = 0;
    while (k < steps_ && !one.any_counts()) {
      if (k + 1 >= tables_.steps()) return steps_;
      const kernels::Two even{rows[2 * k], rows[2 * k + 1]}, odd{rows[2 * k + 2], rows[2 * k + 3]};
      one.advance<false>(&even);
      one.advance<true>(&odd);
      k += 2;
      if (kernels::is_look(k)) one.rescale();
    }
    return k;
  }

 private:
  const legendre::Task& task_;
  legendre::PairParts parts_;
  legendre::DegreeTables degrees_;
  legendre::ScalarTables tables_;
  legendre::StartValues starts_;
  std::vector<double> value_, scale_;
  Index steps_ = 0;
};

const char* comma(bool& first) { return std::exchange(first, false) ? "" : ", "; }

/// Prints one launch over pairs of rings. For each block that has work: [form, index of the m, steps, then for each
/// warp the number of steps before any of its pairs contributes, of steps where some contribute, and of steps where all
/// contribute].
void print_launch(const char* kernel, const legendre::Task& task, CountingSteps& counting,
                  const kernels::PairBlocks& blocks, int together, Index groups, const backend::OrderRange& range,
                  Index shared_bytes) {
  std::printf(
      "{\"kernel\": \"%s\", \"pairs\": %d, \"together\": %d, \"groups\": %lld, \"threads\": %d, "
      "\"shared_bytes\": %lld, \"all_blocks\": %lld, \"blocks\": [",
      kernel, blocks.pairs_per_thread, together, static_cast<long long>(groups), blocks.threads,
      static_cast<long long>(shared_bytes), static_cast<long long>(range.count() * blocks.count));
  bool first = true;
  for (Index k = range.begin; k < range.end; ++k) {
    counting.set(task.m[at(k)]);
    const Index first_pair = task.first_pair[at(k)];
    for (int s = 0; s < blocks.section_count; ++s) {
      const kernels::PairSection& section = blocks.sections[s];
      const bool equator = section.rows == kernels::RowKind::kEquator;
      const Index of_warp = kernels::kWarp * (equator ? 1 : blocks.pairs_per_thread);
      for (Index b = 0; b < section.blocks; ++b) {
        if (section.block_end(b) <= first_pair) continue;
        std::printf("%s[%d, %lld, %lld", comma(first), equator ? 1 : 0, static_cast<long long>(k),
                    static_cast<long long>(counting.steps()));
        for (int w = 0; w < blocks.threads / kernels::kWarp; ++w) {
          const Index begin = std::max(section.block_begin(b) + w * of_warp, first_pair);
          const Index end = std::min(section.block_begin(b) + (w + 1) * of_warp, section.block_end(b));
          Index skip = 0, some = 0, all = 0;
          if (begin < end) {
            skip = counting.of(end - 1);
            some = std::max(counting.of(begin), skip) - skip;
            all = counting.steps() - skip - some;
          }
          std::printf(", %lld, %lld, %lld", static_cast<long long>(skip), static_cast<long long>(some),
                      static_cast<long long>(all));
        }
        std::printf("]");
      }
    }
  }
  std::printf("]}");
}

template <int P, int G>
Index tensor_bytes(bool adjoint, int threads) {
  if (adjoint) return kernels::TensorAdjointShared<RecurrenceForm::kTwoTerm, P, G>::bytes(threads);
  return kernels::TensorSynthesisShared<RecurrenceForm::kTwoTerm, P, G>::bytes(threads);
}

Index tensor_bytes(bool adjoint, int pairs, int together, int threads) {
  if (together == 8) return pairs == 2 ? tensor_bytes<2, 8>(adjoint, threads) : tensor_bytes<1, 8>(adjoint, threads);
  return pairs == 2 ? tensor_bytes<2, 4>(adjoint, threads) : tensor_bytes<1, 4>(adjoint, threads);
}

// Prints the launches of one direction for the local m of `ranges`, equal to those of backend::DeviceLegendre.
void print_direction(const legendre::Task& task, const backend::ScalarStageShape& shape, bool adjoint,
                     std::span<const backend::OrderRange> ranges) {
  using kernels::ScalarChoices;
  CountingSteps counting(task);
  const Index fields = task.width();
  const bool tensor = shape.tensor_cores(true);
  bool first = true;
  const auto launch = [&](int together, Index groups, const backend::OrderRange& range) {
    if (groups == 0) return;
    const kernels::PairBlocks blocks = adjoint  ? (tensor ? shape.tensor_adjoint_blocks() : shape.adjoint_blocks())
                                       : tensor ? shape.tensor_synthesis_blocks(together, groups, range.count())
                                                : shape.synthesis_blocks(together, groups, range.count());
    if (!tensor) {
      std::printf("%s", comma(first));
      print_launch(adjoint ? "adjoint" : "synthesis", task, counting, blocks, together, groups, range, 0);
      return;
    }
    for (const RecurrenceForm form : {RecurrenceForm::kTwoTerm, RecurrenceForm::kEquator}) {
      const kernels::PairBlocks some = blocks.of_form(form);
      if (some.count == 0) continue;
      std::printf("%s", comma(first));
      print_launch(adjoint ? "tensor_adjoint" : "tensor_synthesis", task, counting, some, together, groups, range,
                   tensor_bytes(adjoint, some.pairs_per_thread, together, some.threads));
    }
  };
  for (const backend::OrderRange& range : ranges) {
    const int most = tensor    ? ScalarChoices::kMaxTensorFields
                     : adjoint ? ScalarChoices::kMaxFieldsOfAdjoint
                               : ScalarChoices::max_fields_of_synthesis(core::Precision::kDouble);
    const Index whole = fields / most;
    launch(most, whole, range);
    const Index rest = fields - whole * most;
    if (tensor && rest > 0) launch(4, (rest + 3) / 4, range);
    if (!tensor)
      for (int together = most / 2; together > 0; together /= 2)
        if ((rest & together) != 0) launch(together, 1, range);
  }
}

void print_wigner(const legendre::Task& task, Index pairs) {
  std::printf("\"wigner\": {\"pairs\": %lld, \"blocks\": [", static_cast<long long>(pairs));
  bool first = true;
  for (std::size_t k = 0; k < task.m.size(); ++k) {
    const Index blocks = kernels::wigner_blocks(pairs - std::min(pairs, task.first_pair[k]));
    const Index degrees = task.lmax + 1 - math::lowest_degree(task.spin, task.m[k]);
    for (Index b = 0; b < blocks; ++b) std::printf("%s%lld", comma(first), static_cast<long long>(degrees));
  }
  std::printf("]},\n");
}

void print_rings(const fft::RingTask& task) {
  const backend::RingGroups rings(task);
  std::printf("\"rings\": [");
  bool first = true;
  for (const backend::RingGroup& group : rings.groups()) {
    Index pixels = 0;
    for (Index u = group.begin; u < group.end; ++u)
      for (const Index slot : rings.units()[at(u)].slot) pixels += slot < 0 ? 0 : rings.units()[at(u)].nphi;
    const char* names[] = {"short", "plain", "chirp"};
    std::printf(
        "%s{\"method\": \"%s\", \"units\": %lld, \"parts\": %d, \"length\": %d, \"fft_lines\": %d, "
        "\"columns\": %d, \"max_nphi\": %d, \"max_m\": %d, \"pixels\": %lld}",
        comma(first), names[static_cast<int>(group.method)], static_cast<long long>(group.units()), group.column_lines,
        group.length, group.fft_lines, group.columns, group.max_nphi, group.max_m, static_cast<long long>(pixels));
  }
  std::printf("],\n");
}

void print_legendre(const legendre::Task& task, backend::Products products, const kernels::PairLimits& limits,
                    std::span<const backend::OrderRange> some) {
  const backend::ScalarStageShape shape(task, core::Precision::kDouble, products, limits);
  for (const bool adjoint : {false, true}) {
    auto ranges = shape.ranges(adjoint ? backend::Direction::kAdjoint : backend::Direction::kSynthesis, kWorkBytes);
    if (!some.empty()) ranges.assign(some.begin(), some.end());
    std::printf("\"%s_ranges\": %zu, \"%s\": [", adjoint ? "adjoint" : "synthesis", ranges.size(),
                adjoint ? "adjoint" : "synthesis");
    print_direction(task, shape, adjoint, ranges);
    std::printf("],\n");
  }
  print_wigner(task, shape.parts().wigner);
  std::printf("\"steps\": %lld, \"rows_per_step\": %d, \"pairs\": %lld, \"components\": %lld, \"fields\": %lld,\n",
              static_cast<long long>(shape.first_step().back()),
              (shape.has(kernels::RowKind::kPolar) ? 1 : 0) + (shape.has(kernels::RowKind::kSquare) ? 1 : 0) +
                  (shape.has(kernels::RowKind::kEquator) ? 2 : 0),
              static_cast<long long>(task.pairs()), static_cast<long long>(task.components),
              static_cast<long long>(task.width()));
}

struct Case : perf::StageCase {
  std::string products = "batch";
  int pairs = 0;  ///< maximum pairs per thread of kernels on CUDA cores; 0: as in jobs
  bool immediate = false;
};

void print_case(const Case& which) {
  const auto spec = which.spec();
  const transform::SpinTables tables(spec, spec.kind.spin_fields().front(), 0);
  const legendre::Task task = tables.legendre_task();
  const fft::RingTask rings = tables.ring_task();
  using enum backend::Products;
  const backend::Products products = which.products == "cuda"     ? kCudaCores
                                     : which.products == "tensor" ? kTensorCores
                                                                  : kByTask;
  kernels::PairLimits limits = kernels::PairLimits::of<kernels::Production>();
  if (which.pairs > 0) limits.synthesis_pairs = limits.adjoint_pairs = which.pairs;
  const backend::RingModeTables modes(rings);
  std::vector<backend::OrderRange> ranges;
  if (which.immediate) ranges = modes.independent_ranges();
  std::printf(
      "{\"fma\": %.17g, \"resampled\": %s, \"delta\": %lld, \"pixels\": %lld, \"alm\": %lld, "
      "\"orders\": %zu,\n",
      transform::legendre_fma(spec, 0), spec.resampled() ? "true" : "false",
      static_cast<long long>(tables.exchange.send_size), static_cast<long long>(tables.map_stride * which.maps),
      static_cast<long long>(tables.alm_stride * which.maps), task.m.size());
  if (spec.resampled()) {
    const resample::SourceThetas thetas = resample::source_thetas(task.lmax);
    const backend::SourceRings source(task, thetas.cosines, thetas.sines);
    print_legendre(source.task(), products, limits, ranges);
    const auto size = resample::resampler_size(task.lmax, resample::fine_grid_of(task.lmax));
    std::printf("\"theta\": {\"source_length\": %lld, \"fine_length\": %lld, \"chunk\": %lld},\n",
                static_cast<long long>(2 * size.source_pairs), static_cast<long long>(2 * size.fine_pairs),
                static_cast<long long>(backend::regular_chunk(2 * size.fine_pairs)));
  } else {
    print_legendre(task, products, limits, ranges);
  }
  print_rings(rings);
  std::printf("\"independent_ranges\": %zu, \"have_aliases\": %s}\n", modes.independent_ranges().size(),
              modes.have_aliases(backend::OrderRange::all(task)) ? "true" : "false");
}

}  // namespace

int main(int argc, char** argv) {
  Case which;
  CLI::App app("Counts the work of one transform on a GPU, as JSON");
  which.add_options(app);
  app.add_option("--products", which.products, "multiplication: batch (as in jobs), cuda (cores) or tensor (cores)")
      ->check(CLI::IsMember({"batch", "cuda", "tensor"}));
  app.add_option("--pairs", which.pairs, "maximum pairs of rings per thread on CUDA cores, default: as in jobs");
  app.add_flag("--immediate", which.immediate, "use the local m in the ranges of the immediate scheme");
  CLI11_PARSE(app, argc, argv);
  print_case(which);
}
