#include <armilla/ops/map_faults.hpp>

#include <utility>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

std::string text_of(const MapFault& fault, Index maps) {
  return maps > 1 ? fmt::format("map {} of the batch: {}", fault.place, fault.reason) : fault.reason;
}

}  // namespace

MapFaults::MapFaults(std::vector<MapFault> faults, FaultOf of, Index maps)
    : core::InputError(core::ErrorContext{.text = text_of(faults.front(), maps)}),
      faults_(std::move(faults)),
      of_(of) {}

}  // namespace armilla::ops
