#pragma once

#include <armilla/cost/rates.hpp>

#include <string>
#include <vector>

namespace armilla::cost {

/// What a file of rates holds.
struct RatesFile {
  std::string machine, instruction_set;
  std::vector<RateSet> sets;
};

/// The text of a file: JSON with `machine`, `instruction_set` and `sets`, each with `ranks`, `ranks_per_node`,
/// `threads`, `cores`, `latency`, `bandwidth`, `process_bytes`, `peer_bytes` and `rates`, a list of {size, batch, rate}
/// for each kernel.
std::string rates_text(const RatesFile& file);

/// The reverse; kernels that are not known are left out, as newer versions may have more. Throws InputError, which
/// names the file and the key, for what is damaged, and for rates that are not positive.
RatesFile parse_rates(const std::string& text, const std::string& file);

}  // namespace armilla::cost
