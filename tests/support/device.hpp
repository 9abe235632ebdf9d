#pragma once

#include <armilla/backend/devices.hpp>

#include <gtest/gtest.h>

/// First line of a test that needs a GPU. ctest takes the words for "skipped". A GPU that CUDA cannot use is a failure.
#define ARMILLA_NEEDS_DEVICE()                       \
  ASSERT_EQ(armilla::backend::why_no_devices(), ""); \
  if (armilla::backend::visible_devices().empty()) GTEST_SKIP() << "no GPU is visible"
