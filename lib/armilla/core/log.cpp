#include <armilla/core/log.hpp>

#include <memory>

#include <spdlog/sinks/stdout_color_sinks.h>

namespace armilla::core {

spdlog::logger& log() {
  static spdlog::logger logger = [] {
    spdlog::logger made("armilla", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made.set_pattern("%H:%M:%S armilla: %^%l%$: %v");
    made.set_level(spdlog::level::warn);
    return made;
  }();
  return logger;
}

}  // namespace armilla::core
