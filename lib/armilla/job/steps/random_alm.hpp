#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

#include <cstdint>
#include <string>

namespace armilla::job::steps {

/// `random_alm`: Gaussian coefficients with the spectra of a file.
struct RandomAlm final : Operation {
  enum class SpectrumKind { kDl, kCl };

  std::string spectrum;
  SpectrumKind spectrum_kind = SpectrumKind::kCl;
  Place spectrum_place;
  FieldsSpec fields;
  Limits limits;
  std::uint64_t seed = 0;
  Index maps = 0;  ///< of a campaign; 0: one, for all maps where there are many

  RandomAlm(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  Index makes_items() const override { return maps; }
  std::vector<std::pair<Place, std::string>> files() const override { return {{spectrum_place, spectrum}}; }
};

}  // namespace armilla::job::steps
