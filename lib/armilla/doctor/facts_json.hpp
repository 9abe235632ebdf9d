#pragma once

#include <armilla/doctor/report.hpp>

#include <nlohmann/json.hpp>

namespace armilla::doctor {

/// Converts the facts of a rank to JSON and back.
nlohmann::json facts_json(const RankFacts& facts);
RankFacts facts_from_json(const nlohmann::json& json);

}  // namespace armilla::doctor
