// Rates of resources that ranks share: the network, and files.
#include <armilla/bench/kernel_rates.hpp>
#include <armilla/comm/exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/write.hpp>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace armilla::bench {

namespace {

using core::Index;
using cost::Kernel;

constexpr Index kBufferBytes = Index{32} << 20;
constexpr Index kMapNside = 512;

/// Time of one all-to-all of `count` values for each pair of ranks, on the slowest rank.
double exchange_seconds(const RateCollector& rates, Index count, int calls) {
  const comm::Communicator& comm = rates.comm();
  std::vector<Index> counts(core::at(comm.size()), count), displacements;
  for (int rank = 0; rank < comm.size(); ++rank) displacements.push_back(rank * count);
  std::vector<std::complex<double>> send(core::at(count * comm.size())), receive(send.size());
  double seconds = rates.least_seconds(3, [&] {
    for (int call = 0; call < calls; ++call)
      comm::exchange<double>(comm, send, counts, displacements, receive, counts, displacements);
  });
  comm.max({&seconds, 1});
  return seconds / calls;
}

/// Removes a file on destruction.
struct Scratch {
  const comm::Communicator& comm;
  std::string file;
  ~Scratch() {
    if (comm.is_root()) std::remove(file.c_str());
  }
};

/// A map that is written and read.
class TrialMap {
 public:
  TrialMap(RateCollector& rates, Index nside, const std::string& file)
      : rates_(rates),
        scratch_{rates.comm(), file},
        pixels_(std::make_shared<const grid::RingGrid>(grid::make_healpix(nside)), rates.comm().size()),
        map_(core::at(pixels_.local_pixels(rates.comm().rank())), 1.0) {}

  double bytes() const { return static_cast<double>(pixels_.grid().npix() * static_cast<Index>(sizeof(double))); }
  /// Time on the slowest rank.
  double write_seconds() {
    const io::FieldMetadata metadata{{"T"}, {""}, "", {}};
    return slowest([&] { io::write_map<double>(rates_.comm(), scratch_.file, metadata, pixels_, map_, {}); });
  }
  double read_seconds() {
    return slowest([&] {
      comm::phase(rates_.comm(), [&] {
        std::vector<double> fresh(map_.size());  // newly allocated, like the fields of a job
        io::read_map<double>(io::open_map(scratch_.file), 0, pixels_.pixel_ranges(rates_.comm().rank()), fresh,
                             io::BadDataPolicy::kError);
      });
    });
  }

 private:
  double slowest(const std::function<void()>& work) {
    double seconds = rates_.least_seconds(2, work);
    rates_.comm().max({&seconds, 1});
    return seconds;
  }

  RateCollector& rates_;
  Scratch scratch_;
  dist::PixelDistribution pixels_;
  std::vector<double> map_;
};

void measure_format(RateCollector& rates, const std::string& file, Kernel write, Kernel read) {
  TrialMap map(rates, kMapNside, file);
  rates.add(write, 1, false, map.bytes(), map.write_seconds());
  rates.add(read, 1, false, map.bytes(), map.read_seconds());
}

}  // namespace

void measure_exchange(RateCollector& rates) {
  const comm::Communicator& comm = rates.comm();
  if (comm.size() == 1) return;
  const int partners = comm.size() - 1;
  const double small = exchange_seconds(rates, 1, 20);
  const Index count = std::max<Index>(kBufferBytes / 16 / comm.size(), 1);
  const double large = exchange_seconds(rates, count, 2);
  rates.rates().latency = small / partners;
  rates.rates().bandwidth = static_cast<double>(16 * count * partners) / std::max(large - small, 1e-9);
}

void measure_files(RateCollector& rates, const std::string& folder) {
  const std::string name = rates.comm().broadcast(fmt::format("{}/armilla-calibration-{}", folder, ::getpid()));
  rates.add(Kernel::kFiles, 1, false, 1, TrialMap(rates, 1, name + ".h5").write_seconds());
  measure_format(rates, name + ".h5", Kernel::kWriteHdf5, Kernel::kReadHdf5);
  measure_format(rates, name + ".fits", Kernel::kWriteFits, Kernel::kReadFits);
}

}  // namespace armilla::bench
