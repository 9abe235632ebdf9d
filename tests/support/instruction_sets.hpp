#pragma once

#include <cstdint>

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace armilla::test {

/// Calls check(name) with kernels limited to one instruction set after the other, as far as this machine has it.
template <class Check>
void on_each_instruction_set(const Check& check) {
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    check(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
}

}  // namespace armilla::test
