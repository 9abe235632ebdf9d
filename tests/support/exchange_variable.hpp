#pragma once

#include <cstdlib>

namespace armilla::test {

/// While it exists, devices exchange by this path: ARMILLA_DEVICE_EXCHANGE.
class ExchangeVariable {
 public:
  explicit ExchangeVariable(const char* path) { ::setenv(kName, path, 1); }
  ~ExchangeVariable() { ::unsetenv(kName); }
  ExchangeVariable(const ExchangeVariable&) = delete;
  ExchangeVariable& operator=(const ExchangeVariable&) = delete;

 private:
  static constexpr const char* kName = "ARMILLA_DEVICE_EXCHANGE";
};

}  // namespace armilla::test
