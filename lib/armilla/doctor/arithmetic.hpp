#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/doctor/report.hpp>

#include <vector>

namespace armilla::doctor {

/// Collective. On a Gauss grid, where quadrature is exact, checks synthesis of T, E, B followed by quadrature, and the
/// map of Y_10 against sqrt(3 / 4 pi) cos(theta). It runs on CPUs in double precision; adds a finding if an error
/// exceeds the limit.
ArithmeticFacts examine_arithmetic(const comm::Communicator& world, std::vector<Finding>& findings);

}  // namespace armilla::doctor
