#include "legendre_variants.hpp"

#include <armilla/backend/cuda/segment_legendre.hpp>
#include <armilla/core/error.hpp>

#include <algorithm>
#include <sstream>

#include "variants/kernel_variants.hpp"

namespace armilla::perf {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

LegendreVariant find_variant(const std::vector<LegendreVariant>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &LegendreVariant::name);
  if (found == all.end()) throw core::InputError("unknown variant '" + name + "': --list-variants lists all");
  return *found;
}

}  // namespace

bool LegendreVariant::is_of_synthesis() const {
  const kernels::ScalarKernels& own = kernels::scalar_kernels();
  return scalar.synthesis != own.synthesis && scalar.adjoint == own.adjoint;
}

bool LegendreVariant::is_of_adjoint() const {
  const kernels::ScalarKernels& own = kernels::scalar_kernels();
  return scalar.adjoint != own.adjoint && scalar.synthesis == own.synthesis;
}

std::vector<LegendreVariant> legendre_variants() {
  using enum backend::Products;
  const kernels::ScalarKernels& own = kernels::scalar_kernels();
  std::vector<LegendreVariant> all = {
      {"production", "the kernels of jobs", choices_of<kernels::Production>(true), kByTask, own},
      {"cuda_cores", "the kernels of jobs for CUDA cores, also in batches", "", kCudaCores, own},
      {"tensor_cores", "the kernels of jobs for tensor cores, also for single maps", "", kTensorCores, own},
      {"segments", "recurrences over segments of degrees, for tensor cores, with sums in double", "", kCudaCores, own,
       backend::segment_makers()}};
  for (const auto& some : {synthesis_variants(), adjoint_variants()})
    for (const KernelVariant& one : some) all.push_back({one.name, one.what, one.choices, kCudaCores, one.kernels});
  return all;
}

std::vector<LegendreVariant> find_variants(const std::string& names) {
  const std::vector<LegendreVariant> all = legendre_variants();
  std::vector<LegendreVariant> found;
  for (const std::string& name : split(names, ',')) {
    const std::vector<std::string> parts = split(name, '+');
    LegendreVariant one = find_variant(all, parts.empty() ? name : parts.front());
    one.name = name;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const LegendreVariant other = find_variant(all, parts[i]);
      if (other.is_of_synthesis()) {
        one.scalar.synthesis = other.scalar.synthesis;
        one.scalar.limits.synthesis_pairs = other.scalar.limits.synthesis_pairs;
        one.scalar.limits.synthesis_threads = other.scalar.limits.synthesis_threads;
      } else if (other.is_of_adjoint()) {
        one.scalar.adjoint = other.scalar.adjoint;
        one.scalar.limits.adjoint_pairs = other.scalar.limits.adjoint_pairs;
      } else {
        throw core::InputError("variant '" + other.name + "' does not differ in one direction: nothing to combine");
      }
    }
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace armilla::perf
