#pragma once

#include <armilla/cost/rates.hpp>

#include <string>
#include <vector>

namespace armilla::cost {

/// Contents of a rates file.
struct RatesFile {
  std::string machine, instruction_set;
  std::vector<RateSet> sets;
};

/// Formats a rates file: JSON with `machine`, `instruction_set` and `sets`. Each set has `ranks`, `ranks_per_node`,
/// `threads`, `cores`, `latency`, `bandwidth`, `process_bytes`, `peer_bytes` and `rates`, a list of {size, batch, rate}
/// for each kernel.
std::string rates_text(const RatesFile& file);

/// Parses a rates file. Unknown kernels are ignored, as newer versions may have more. Throws InputError, which names
/// the file and the key, for damaged files and for rates that are not positive.
RatesFile parse_rates(const std::string& text, const std::string& file);

}  // namespace armilla::cost
