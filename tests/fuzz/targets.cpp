#include "targets.hpp"

namespace armilla::fuzz {

std::span<const Target> targets() {
  static const std::vector<Target> all{
      {"fits", ".fits", read_fits, mutate_fits},
      {"hdf5", ".h5", read_hdf5, mutate_hdf5},
      {"text_spectra", ".dat", read_text, mutate_text_spectra},
      {"text_points", ".csv", read_text, mutate_text_points},
      {"job", ".yaml", plan_job, mutate_job},
  };
  return all;
}

void mutate(const Target& target, Bytes& file, std::size_t largest_size, Random& random, const ByteMutator& bytes) {
  if (random.one_in(4)) {
    bytes(file, largest_size);
    return;
  }
  const Bytes before = file;
  target.mutate(file, largest_size, random, bytes);
  if (file.empty() || file.size() > largest_size) file = before;
  if (file == before) bytes(file, largest_size);
}

}  // namespace armilla::fuzz
