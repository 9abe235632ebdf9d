#include <armilla/bench/scaling.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/build_info.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/cost/prediction.hpp>
#include <armilla/cost/transform_work.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/legendre/scalar_kernel.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::bench {

namespace {

using nlohmann::json;

Index grown(Index value, int ranks) {
  return 2 * static_cast<Index>(std::llround(static_cast<double>(value) * std::cbrt(ranks) / 2));
}

json over_ranks_json(const RankSeconds& seconds) {
  return {{"min", seconds.min}, {"median", seconds.median}, {"max", seconds.max}};
}

json case_json(const BenchCase& parameters) {
  return {{"grid", parameters.grid_text}, {"lmax", parameters.lmax},
          {"spin", parameters.spin},      {"direction", name_of(parameters.direction)},
          {"maps", parameters.maps},      {"precision", name_of(parameters.precision)}};
}

/// Bytes of Delta and coefficients on all ranks, which the Legendre stage reads or writes once.
double legendre_bytes(const BenchCase& parameters, const cost::TransformCounts& counts) {
  double numbers = 0;
  for (const Index of_rank : counts.volume().receive) numbers += static_cast<double>(of_rank);
  const auto degrees = static_cast<double>(parameters.lmax + 1);
  const auto fields = static_cast<double>(parameters.maps * (parameters.spin == 0 ? 1 : 2));
  return static_cast<double>(2 * counts.bytes_of_number()) * (numbers + fields * degrees * (degrees + 1) / 2);
}

}  // namespace

const char* name_of(Study study) { return study == Study::kStrong ? "strong" : "weak"; }

BenchCase case_of(const BenchCase& one_rank, Study study, int ranks) {
  if (study == Study::kStrong || ranks == 1) return one_rank;
  BenchCase grown_case = one_rank;
  grown_case.lmax = grown(one_rank.lmax + 1, ranks) - 1;
  bool any = false;
  for (const grid::GridKind& kind : grid::grid_kinds()) {
    if (kind.kind != one_rank.grid.kind || kind.rule != one_rank.grid.rule) continue;
    grown_case.grid_text = one_rank.grid_text.substr(0, one_rank.grid_text.find(':'));
    for (const grid::GridKey& key : kind.keys) {
      if (key.whole == nullptr) continue;
      Index& value = grown_case.grid.*key.whole;
      if (value <= 0) continue;  // has its default value
      value = grown(value, ranks);
      grown_case.grid_text += fmt::format(":{}", value);
      any = true;
    }
  }
  if (!any)
    throw core::InputError(fmt::format(
        "--grid {} has no size that can grow with the number of ranks: use --scaling strong", one_rank.grid_text));
  return grown_case;
}

json predicted_point(const BenchCase& parameters, const cost::Occupancy& occupancy, const cost::Rates& rates) {
  const bool is_single = parameters.precision == core::Precision::kSingle;
  const cost::TransformCounts counts(spec_of(parameters, occupancy.ranks), is_single ? 4 : 8);
  cost::Passes passes;
  (makes_maps(parameters.direction) ? passes.synthesis : passes.adjoint) = 1;
  if (parameters.direction == BenchDirection::kAnalysis || parameters.direction == BenchDirection::kAdjointAnalysis)
    passes.exact_quadrature = 1;
  const cost::Work work = counts.of(passes);
  const cost::Prediction time = cost::predict(work, occupancy, rates);
  json phases = json::object();
  for (const cost::PhaseSeconds& phase : time.phases) phases[phase.phase] = phase.seconds;
  cost::Exchange exchange;
  if (!work.exchanges.empty()) exchange = work.exchanges.front();
  return {
      {"imbalance",
       {{"legendre", counts.legendre().imbalance(occupancy.ranks)},
        {"rings", counts.rings().imbalance(occupancy.ranks)}}},
      {"exchange",
       {{"total_bytes", exchange.total_bytes},
        {"largest_rank_bytes", exchange.largest_rank_bytes},
        {"largest_pair_bytes", exchange.largest_pair_bytes},
        {"partners", exchange.partners}}},
      {"legendre_fma", counts.legendre().total},
      {"ring_work", counts.rings().total},
      {"legendre_bytes", legendre_bytes(parameters, counts)},
      {"memory_rate", rates.rate(cost::Kernel::kMemory, 1024, 1, occupancy)},
      {"predicted",
       {{"seconds", time.total()}, {"phases", phases}, {"calibrated", rates.calibrated()}, {"rates", rates.source()}}}};
}

json measure_point(const comm::Communicator& comm, const BenchCase& one_rank, Study study, const cost::Rates& rates,
                   const std::optional<Index>& memory_limit) {
  BenchCase parameters;
  comm::phase(comm, [&] { parameters = case_of(one_rank, study, comm.size()); });
  const BenchRecord record = run_bench(comm, parameters, memory_limit);
  Index per_node = comm.node_rank().ranks;
  comm.max({&per_node, 1});
  const std::vector<std::string> names = comm.gather(core::host_name());
  json point;
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    const std::set<std::string> hosts(names.begin(), names.end());
    const auto [least, most] = std::ranges::minmax_element(record.seconds);
    point = bench_json(record);
    point.update(predicted_point(parameters, {comm.size(), static_cast<int>(per_node), record.threads}, rates));
    point["study"] = name_of(study);
    point["measured"] = true;
    point["nodes"] = hosts.size();
    point["ranks_per_node"] = per_node;
    point["hosts"] = hosts;
    point["wall"] = {{"min", *least}, {"median", median(record.seconds)}, {"max", *most}};
    point["ranks_phases"] = {{"legendre", over_ranks_json(record.legendre_ranks)},
                             {"exchange", over_ranks_json(record.exchange_ranks)},
                             {"rings", over_ranks_json(record.rings_ranks)}};
    point["exchange_bytes"] = record.exchange_bytes;
    point["peak_bytes"] = record.peak_bytes;
    point["version"] = core::kVersion;
    point["compiler"] = core::kCompiler;
    point["instruction_set"] = legendre::kernel_instruction_set();
    point["processor"] = cost::processor_name();
  });
  return point;
}

json predict_points(const BenchCase& one_rank, Study study, const std::vector<int>& ranks, int ranks_per_node,
                    int threads, const cost::Rates& rates) {
  json points = json::array();
  for (const int count : ranks) {
    const BenchCase parameters = case_of(one_rank, study, count);
    const cost::Occupancy occupancy{count, std::min(count, ranks_per_node), threads};
    json point = case_json(parameters);
    point.update(predicted_point(parameters, occupancy, rates));
    point["study"] = name_of(study);
    point["measured"] = false;
    point["ranks"] = count;
    point["ranks_per_node"] = occupancy.ranks_per_node;
    point["nodes"] = (count + occupancy.ranks_per_node - 1) / occupancy.ranks_per_node;
    point["threads"] = threads;
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace armilla::bench
