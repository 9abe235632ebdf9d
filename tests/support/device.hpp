#pragma once

#include <armilla/backend/devices.hpp>

#include <gtest/gtest.h>

/// First line of a test that needs a GPU. ctest takes the words for "skipped".
#define ARMILLA_NEEDS_DEVICE() \
  if (armilla::backend::visible_devices().empty()) GTEST_SKIP() << "no GPU is visible"
