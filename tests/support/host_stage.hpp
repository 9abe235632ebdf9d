#pragma once

#include <armilla/backend/scalar_stage_tables.hpp>

#include <complex>
#include <cstring>
#include <vector>

#include "support/host_tables.hpp"
#include "support/ring_task.hpp"
#include <kernels/legendre/coefficients_body.hpp>
#include <kernels/legendre/host_pair_blocks.hpp>

namespace armilla::test {

/// Colatitudes of the northern rings, none at the equator; every `step`-th m.
inline std::vector<double> even_angles(int pairs) {
  std::vector<double> theta;
  for (int i = 0; i < pairs; ++i) theta.push_back((i + 0.75) / (2 * pairs + 0.5) * core::kPi);
  return theta;
}

inline std::vector<Index> some_orders(Index lmax, Index step) {
  std::vector<Index> m;
  for (Index i = 0; i <= lmax; i += step) m.push_back(i);
  return m;
}

/// A stage of all own m on the host.
struct HostStage {
  explicit HostStage(const legendre::Task& task)
      : tables(task), stage(tables.stage<kernels::KernelPointer>(HostTables{})) {
    const auto steps = static_cast<std::size_t>(stage.chunk_steps());
    for (int kind = 0; kind < kernels::kRowKinds; ++kind) {
      rows[kind].resize(2 * steps);
      stage.rows[kind] = rows[kind].data();
    }
    coefficients.resize(2 * steps * static_cast<std::size_t>(stage.fields()));
    stage.coefficients = coefficients.data();
  }
  backend::ScalarStageTables tables;
  kernels::ScalarStage stage;
  std::vector<kernels::Two> rows[kernels::kRowKinds], coefficients;
};

/// Delta of the host as kernels have it.
inline kernels::DeltaNumbers host_delta(std::complex<double>* delta) {
  return {reinterpret_cast<kernels::ComplexNumber<double>*>(delta), nullptr};
}

/// One block of pairs after the other, with the numbers of warps rotated.
template <class Body>
void run_pair_blocks(const HostStage& host, const kernels::FieldGroups& groups, const kernels::DeltaNumbers& delta,
                     kernels::HostOrder order, int rotation = 0) {
  const kernels::PairArguments arguments{host.stage, groups, delta};
  for_each_pair_block(arguments, order, [&](const kernels::BlockWork& work) {
    kernels::run_pair_block<Body>(arguments, work, order, rotation);
  });
}

/// Bit for bit.
inline bool same(const std::vector<kernels::Two>& a, const std::vector<kernels::Two>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(kernels::Two)) == 0;
}

}  // namespace armilla::test
