// What libFuzzer calls; compiled once for each target, whose name is ARMILLA_FUZZ_TARGET.
#include <algorithm>
#include <cstdlib>

#include "targets.hpp"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

const armilla::fuzz::Target& target() {
  static const armilla::fuzz::Target& found =
      *std::ranges::find(armilla::fuzz::targets(), ARMILLA_FUZZ_TARGET, &armilla::fuzz::Target::name);
  return found;
}

void mutate_bytes(armilla::fuzz::Bytes& bytes, std::size_t largest_size) {
  const std::size_t limit = std::min(largest_size, bytes.size() + 64);
  const std::size_t size = std::min(bytes.size(), limit);
  bytes.resize(std::max<std::size_t>(limit, 1));
  bytes.resize(LLVMFuzzerMutate(bytes.data(), size, bytes.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  target().run({data, size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  armilla::fuzz::Bytes file(data, data + size);
  armilla::fuzz::Random random(seed);
  armilla::fuzz::mutate(target(), file, max_size, random, mutate_bytes);
  std::ranges::copy(file, data);
  return file.size();
}
